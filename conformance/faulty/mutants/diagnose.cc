#include "conformance/faulty/mutants/diagnose.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "api/core/gates.h"
#include "conformance/faulty/faulty.h"
#include "conformance/faulty/mutation.h"
#include "conformance/judge/verdict/compare.h"
#include "conformance/judge/verdict/location.h"
#include "conformance/sandbox/runner.h"

namespace tandem::conformance {
namespace {

// A mistake that amounts to the right computation on other inputs.
struct Hypothesis {
  std::string explanation;
  RnnProblem problem;
  TensorSet inputs;
};

// "LBR_GRU".
std::string CellName(Cell cell) {
  std::string name = ToString(cell);
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

// Moves gate order[g] of `t` to where gate g is; `gate_dim` says which dim counts the gates.
void PermuteGates(const std::vector<int>& order, int gate_dim, TensorBuffer* t) {
  if (t->empty()) return;
  const TensorBuffer before = *t;
  const MemoryDesc& md = t->md();
  Dim inner = 1;
  for (int d = gate_dim + 1; d < md.ndims; ++d) inner *= md.dims[d];
  const Dim gates = md.dims[gate_dim];
  for (Dim i = 0; i < NumElements(md); ++i) {
    const Dim gate = i / inner % gates;
    if (gate >= static_cast<Dim>(order.size())) continue;
    t->Set(static_cast<size_t>(i),
           before.Get(static_cast<size_t>(i + (order[static_cast<size_t>(gate)] - gate) * inner)));
  }
}

std::string CommaSeparated(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

std::string OrderText(Cell cell, const std::vector<int>& order) {
  // The gate that the implementation reads at place g of the memory.
  std::vector<std::string> at(order.size());
  for (size_t g = 0; g < order.size(); ++g) at[static_cast<size_t>(order[g])] = GateName(cell, static_cast<Dim>(g));
  return CommaSeparated(at);
}

void AddGateOrders(const RnnProblem& p, const TensorSet& inputs, std::vector<Hypothesis>* all) {
  std::vector<int> order(static_cast<size_t>(p.n_gates));
  std::iota(order.begin(), order.end(), 0);
  while (std::next_permutation(order.begin(), order.end())) {
    const std::string text = CellName(p.cell) + " with gate order " + OrderText(p.cell, order);
    Hypothesis every = {"matches " + text, p, inputs};
    PermuteGates(order, 3, &every.inputs[kWeightsLayer]);
    PermuteGates(order, 3, &every.inputs[kWeightsIter]);
    PermuteGates(order, 2, &every.inputs[kBias]);
    Hypothesis bias = {"matches " + text + " in bias alone", p, inputs};
    PermuteGates(order, 2, &bias.inputs[kBias]);
    all->push_back(std::move(every));
    if (p.Has(kBias)) all->push_back(std::move(bias));
  }
}

void AddPeepholeOrders(const RnnProblem& p, const TensorSet& inputs, std::vector<Hypothesis>* all) {
  if (!p.HasPeephole()) return;
  const CellTraits& traits = TraitsOf(p.cell);
  std::vector<int> order(static_cast<size_t>(traits.peepholes));
  std::iota(order.begin(), order.end(), 0);
  while (std::next_permutation(order.begin(), order.end())) {
    std::vector<std::string> at(order.size());
    for (size_t g = 0; g < order.size(); ++g) {
      at[static_cast<size_t>(order[g])] = traits.gate[GateOfPeephole(traits, static_cast<Dim>(g))].name;
    }
    Hypothesis h = {"matches peephole order " + CommaSeparated(at), p, inputs};
    PermuteGates(order, 2, &h.inputs[kWeightsPeephole]);
    all->push_back(std::move(h));
  }
}

void AddComplement(const RnnProblem& p, const TensorSet& inputs, std::vector<Hypothesis>* all) {
  const int update = FindGate(TraitsOf(p.cell), GateRole::kUpdate);
  if (update < 0 || HasAttention(p.cell) || p.IsInt8()) return;
  Hypothesis h = {"u and 1 - u are exchanged", p, inputs};
  for (const Tensor t : {kWeightsLayer, kWeightsIter, kBias}) {
    TensorBuffer& buffer = h.inputs[t];
    for (size_t i = 0; i < buffer.size(); ++i) {
      if (Locate(p, t, i).gate == update) buffer.Set(i, -buffer.Get(i));
    }
  }
  all->push_back(std::move(h));
}

// In one layer of several, or in all but the first.
void AddMissingInLayers(const RnnProblem& p, const TensorSet& inputs, std::vector<Hypothesis>* all) {
  constexpr Dim kMostLayers = 4;
  const auto add = [&](Tensor t, const std::string& where, Dim first, Dim last) {
    Hypothesis h = {std::string(ToString(t)) + " is ignored in " + where, p, inputs};
    TensorBuffer& buffer = h.inputs[t];
    for (size_t i = 0; i < buffer.size(); ++i) {
      const Dim layer = Locate(p, t, i).l;
      if (layer >= first && layer <= last) buffer.Set(i, 0);
    }
    all->push_back(std::move(h));
  };
  for (const Tensor t : {kBias, kSrcIter, kSrcIterC, kWeightsPeephole}) {
    if (!p.Has(t) || p.n_layer < 2) continue;
    for (Dim l = 0; l < std::min(p.n_layer, kMostLayers); ++l) add(t, "layer " + std::to_string(l) + " alone", l, l);
    if (p.n_layer > 2) add(t, "all layers but the first", 1, p.n_layer - 1);
  }
}

void AddMissing(const RnnProblem& p, const TensorSet& inputs, std::vector<Hypothesis>* all) {
  for (const Tensor t : {kBias, kSrcIter, kSrcIterC, kWeightsPeephole, kAugruAttention}) {
    if (!p.Has(t)) continue;
    Hypothesis h = {std::string(ToString(t)) + " is ignored", p, inputs};
    h.inputs[t].Fill([](size_t) { return 0.; });
    all->push_back(std::move(h));
  }
  AddMissingInLayers(p, inputs, all);
  if (p.Has(kSequenceLengths)) {
    Hypothesis h = {"sequence_lengths is ignored", p, inputs};
    h.inputs[kSequenceLengths].Fill([&p](size_t) { return static_cast<double>(p.n_iter); });
    all->push_back(std::move(h));
  }
  if (p.Has(kSrcIter) && p.Has(kSrcIterC)) {
    Hypothesis h = {"src_iter and src_iter_c are ignored", p, inputs};
    for (const Tensor t : {kSrcIter, kSrcIterC}) h.inputs[t].Fill([](size_t) { return 0.; });
    all->push_back(std::move(h));
  }
}

// Another choice of the same norms, or none of their gains or offsets.
void AddNorms(const RnnProblem& p, const TensorSet& inputs, std::vector<Hypothesis>* all) {
  const LayerNorm& norm = p.attr.rnn_layer_norm;
  if (!norm.given()) return;
  const auto add = [&](const char* explanation, const LayerNorm& other) {
    Hypothesis h = {explanation, p, inputs};
    h.problem.attr.rnn_layer_norm = other;
    all->push_back(std::move(h));
  };
  LayerNorm other = norm;
  const bool row = norm.scope == NormScope::kRow;
  other.scope = row ? NormScope::kGate : NormScope::kRow;
  if (norm.kind != NormKind::kNone && !WaitsForReset(p.cell)) {
    add(row ? "each gate is normalized by itself" : "all gates are normalized together", other);
  }
  other = norm;
  other.cell = norm.cell == CellNorm::kState ? CellNorm::kOutput : CellNorm::kState;
  if (norm.cell != CellNorm::kNone) {
    add(norm.cell == CellNorm::kState ? "c is normalized for tanh alone" : "the next step reads the normalized c",
        other);
  }
  for (const Tensor t : {kNormGain, kNormOffset}) {
    Hypothesis h = {std::string(ToString(t)) + " is ignored", p, inputs};
    h.inputs[t].Fill([t](size_t) { return t == kNormGain ? 1. : 0.; });
    all->push_back(std::move(h));
  }
}

std::vector<Hypothesis> Hypotheses(const RnnProblem& p, const TensorSet& inputs) {
  std::vector<Hypothesis> all;
  Hypothesis reading = {"", p, inputs};
  const bool spec = p.attr.reading == Reading::kSpec;
  reading.problem.attr.reading = spec ? Reading::kOnednn : Reading::kSpec;
  reading.explanation = spec ? "matches reading onednn" : "matches reading spec";
  all.push_back(std::move(reading));
  if (p.IsBackward()) return all;
  if (p.n_dir == 1 && !HasAttention(p.cell) && p.n_iter > 1) {
    Hypothesis h = {"the sequence is processed in the other direction", p, inputs};
    h.problem.direction = p.direction == Direction::kRight2Left ? Direction::kLeft2Right : Direction::kRight2Left;
    all.push_back(std::move(h));
  }
  AddGateOrders(p, inputs, &all);
  AddPeepholeOrders(p, inputs, &all);
  AddComplement(p, inputs, &all);
  AddMissing(p, inputs, &all);
  AddNorms(p, inputs, &all);
  return all;
}

// Share of elements within the oracle's intervals.
double CertifiedAgreement(const RnnProblem& problem, const TensorSet& inputs, const TensorSet& got,
                          const Declaration& declared) {
  OracleOptions options;
  options.declared = declared;
  options.forced = &got;
  double elements = 0, failures = 0;
  for (const TensorReport& row : CompareAll(problem, RunOracle(problem, inputs, options), got).rows) {
    elements += static_cast<double>(row.stats.elements);
    failures += static_cast<double>(row.failures);
  }
  return elements == 0 ? 0 : 1 - failures / elements;
}

// A run with the bug and the output may be so far apart, beside twice the free-running bound (one for each side).
enum class Slack {
  kRounding,  // one rounding to the tensor's type
  kNone,      // the mistake is not larger than a rounding, so that this would hide it
};

// Share of elements that a run with the bug meets.
double BugAgreement(const OracleResult& oracle, const TensorSet& with_bug, const TensorSet& got, Slack slack) {
  double elements = 0, agree = 0;
  for (const OracleTensor& tensor : oracle.outputs) {
    const TensorBuffer& a = with_bug[tensor.tensor];
    const TensorBuffer& b = got[tensor.tensor];
    for (size_t i = 0; i < a.size(); ++i) {
      const double x = a.Get(i), y = b.Get(i);
      const double unit = slack == Slack::kNone ? 0 : NextUp(std::fabs(x), tensor.type) - std::fabs(x);
      const double bound = 2 * tensor.bound[i] + (std::isfinite(unit) ? unit : 0);
      ++elements;
      agree += (std::isnan(x) && std::isnan(y)) || x == y || std::fabs(x - y) <= bound;
    }
  }
  return elements == 0 ? 0 : agree / elements;
}

OracleResult FreeRunning(const RnnProblem& problem, const TensorSet& inputs, const Declaration& declared) {
  OracleOptions options;
  options.declared = declared;
  return RunOracle(problem, inputs, options);
}

TensorSet WithoutABug(const RnnProblem& problem, TensorSet tensors) {
  MakeFaulty(Mutation::kNoBug)(problem, &tensors);
  return tensors;
}

// An output that is wrong and still this near to a right one is off by roundings. Any change that two mistakes undo would
// explain it within a rounding.
Slack SlackFor(const RnnProblem& problem, const TensorSet& inputs, const TensorSet& got, const Declaration& declared) {
  const OracleResult oracle = FreeRunning(problem, inputs, declared);
  const bool near = BugAgreement(oracle, WithoutABug(problem, inputs), got, Slack::kRounding) == 1;
  return near ? Slack::kNone : Slack::kRounding;
}

// The applicable bugs, each in a child process of its own, so that this one survives. Bugs that crash or hang explain
// no output.
class Bugs {
 public:
  Bugs(const Declaration& declared, const TensorSet& got, Slack slack)
      : declared_(declared), got_(got), slack_(slack) {}

  // What each bug explains on inputs that a hypothesis has changed.
  void Add(const Hypothesis& on, double baseline, std::vector<Diagnosis>* all) {
    const OracleResult oracle = FreeRunning(on.problem, on.inputs, declared_);
    const TensorSet sound = WithoutABug(on.problem, on.inputs);
    if (slack_ == Slack::kNone) baseline = std::max(baseline, BugAgreement(oracle, sound, got_, slack_));
    for (const MutationInfo& info : Mutations()) {
      if (info.mutation == Mutation::kNoBug || !info.applies(on.problem)) continue;
      TensorSet with_bug = on.inputs;
      RunOptions run;
      run.timeout_seconds = 1;
      std::unique_ptr<Executor>& executor = executors_[info.mutation];
      if (executor == nullptr) executor = std::make_unique<Executor>(MutantPlugin(info.mutation), run.environment);
      run.executor = executor.get();
      if (RunIsolated(MutantPlugin(info.mutation), on.problem, run, &with_bug).status != RunStatus::kOk) continue;
      // A bug that does not show on this problem explains nothing.
      if (BugAgreement(oracle, sound, with_bug, slack_) == 1) continue;
      const double agreement = BugAgreement(oracle, with_bug, got_, slack_);
      if (agreement <= baseline) continue;
      all->push_back({on.explanation.empty() ? info.text : on.explanation + ", and " + info.text, agreement, false});
    }
  }

 private:
  const Declaration& declared_;
  const TensorSet& got_;
  const Slack slack_;
  std::map<Mutation, std::unique_ptr<Executor>> executors_;
};

double BestOf(const std::vector<Diagnosis>& all, double baseline) {
  for (const Diagnosis& d : all) baseline = std::max(baseline, d.agreement);
  return baseline;
}

bool AnyExplainsAll(const std::vector<Diagnosis>& all) { return BestOf(all, 0) == 1; }

// Multiply-adds of the oracle that pairs may take.
constexpr double kMostForPairs = 4e9;

// Two mistakes at once: two changes of the inputs, or one of them and a bug. Only pairs that explain more than any
// single mistake.
void AddPairs(const std::vector<Hypothesis>& singles, const TensorSet& got, const Declaration& declared, Bugs* bugs,
              std::vector<Diagnosis>* all) {
  const double single = BestOf(*all, 0);
  std::vector<Diagnosis> pairs;
  for (size_t i = 0; i < singles.size(); ++i) {
    const std::vector<Hypothesis> seconds = Hypotheses(singles[i].problem, singles[i].inputs);
    for (size_t j = i + 1; j < seconds.size(); ++j) {
      const double agreement = CertifiedAgreement(seconds[j].problem, seconds[j].inputs, got, declared);
      if (agreement <= single) continue;
      pairs.push_back({singles[i].explanation + ", and " + seconds[j].explanation, agreement, true});
    }
  }
  for (size_t i = 0; !AnyExplainsAll(pairs) && i < singles.size(); ++i) bugs->Add(singles[i], single, &pairs);
  all->insert(all->end(), pairs.begin(), pairs.end());
}

double WorkOf(const RnnProblem& p) {
  return static_cast<double>(p.n_layer * p.n_dir * p.n_iter * p.mb * p.n_gates * p.dhc * (p.slc + p.sic));
}

}  // namespace

std::vector<Diagnosis> Diagnose(const RnnProblem& problem, const TensorSet& inputs, const TensorSet& got,
                                const Declaration& declared) {
  const double plain = CertifiedAgreement(problem, inputs, got, declared);
  if (plain == 1) return {{"conforms", 1, true}};
  std::vector<Diagnosis> all;
  const std::vector<Hypothesis> singles = Hypotheses(problem, inputs);
  for (const Hypothesis& h : singles) {
    const double agreement = CertifiedAgreement(h.problem, h.inputs, got, declared);
    if (agreement > plain) all.push_back({h.explanation, agreement, true});
  }
  Bugs bugs(declared, got, SlackFor(problem, inputs, got, declared));
  bugs.Add({"", problem, inputs}, plain, &all);
  const double number = static_cast<double>(singles.size());
  const bool affordable = number * number * WorkOf(problem) < kMostForPairs;
  if (!AnyExplainsAll(all) && affordable) AddPairs(singles, got, declared, &bugs, &all);
  std::stable_sort(all.begin(), all.end(), [](const Diagnosis& a, const Diagnosis& b) {
    return a.agreement > b.agreement || (a.agreement == b.agreement && a.certified > b.certified);
  });
  // A change of the inputs and a bug may be the same mistake.
  std::set<std::string> seen;
  all.erase(
      std::remove_if(all.begin(), all.end(), [&](const Diagnosis& d) { return !seen.insert(d.explanation).second; }),
      all.end());
  const auto full =
      static_cast<size_t>(std::count_if(all.begin(), all.end(), [](const Diagnosis& d) { return d.agreement == 1; }));
  all.resize(std::min<size_t>(all.size(), full > 0 ? full : 3));
  return all;
}

std::vector<ProblemSpec> LargerProblems(const ProblemSpec& given) {
  ProblemSpec spec = given;
  ResolveDims(&spec);
  std::vector<ProblemSpec> larger;
  // Sizes that were equal stay equal, and others different.
  for (Dim* dim : {&spec.sic, &spec.slc, &spec.dhc, &spec.dic}) *dim += 8;
  larger.push_back(spec);
  spec.t = std::max<Dim>(spec.t, 4);
  larger.push_back(spec);
  spec.mb = std::max<Dim>(spec.mb, 3);
  larger.push_back(spec);
  spec.absent = 0;
  spec.data = DataKind::kDense;
  spec.gain = 1;
  larger.push_back(spec);
  return larger;
}

std::vector<Diagnosis> Common(const std::vector<Diagnosis>& causes, const std::vector<Diagnosis>& others) {
  std::vector<Diagnosis> common;
  std::copy_if(causes.begin(), causes.end(), std::back_inserter(common), [&](const Diagnosis& cause) {
    return std::any_of(others.begin(), others.end(), [&](const Diagnosis& other) {
      return other.agreement == 1 && other.explanation == cause.explanation;
    });
  });
  return common;
}

}  // namespace tandem::conformance
