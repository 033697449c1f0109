#include "conformance/mutants/diagnose.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <numeric>

#include "conformance/faulty/faulty.h"
#include "conformance/faulty/mutation.h"
#include "conformance/host/runner.h"
#include "conformance/judgement/compare.h"

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

std::string OrderText(Cell cell, const std::vector<int>& order) {
  // The gate that the implementation reads at place g of the memory.
  std::vector<std::string> at(order.size());
  for (size_t g = 0; g < order.size(); ++g) at[static_cast<size_t>(order[g])] = TraitsOf(cell).gate_names[g];
  std::string text;
  for (const std::string& name : at) text += (text.empty() ? "" : ",") + name;
  return text;
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
  static const char* const kNames[] = {"i", "f", "o"};
  std::vector<int> order = {0, 1, 2};
  while (std::next_permutation(order.begin(), order.end())) {
    std::string at[3];
    for (size_t g = 0; g < 3; ++g) at[static_cast<size_t>(order[g])] = kNames[g];
    Hypothesis h = {"matches peephole order " + at[0] + "," + at[1] + "," + at[2], p, inputs};
    PermuteGates(order, 2, &h.inputs[kWeightsPeephole]);
    all->push_back(std::move(h));
  }
}

void AddComplement(const RnnProblem& p, const TensorSet& inputs, std::vector<Hypothesis>* all) {
  if (!IsGruFamily(p.cell) || HasAttention(p.cell) || p.IsInt8()) return;
  Hypothesis h = {"u and 1 - u are exchanged", p, inputs};
  for (const Tensor t : {kWeightsLayer, kWeightsIter, kBias}) {
    TensorBuffer& buffer = h.inputs[t];
    for (size_t i = 0; i < buffer.size(); ++i) {
      if (Locate(p, t, i).gate == 0) buffer.Set(i, -buffer.Get(i));
    }
  }
  all->push_back(std::move(h));
}

void AddMissing(const RnnProblem& p, const TensorSet& inputs, std::vector<Hypothesis>* all) {
  for (const Tensor t : {kBias, kSrcIter, kSrcIterC, kWeightsPeephole, kAugruAttention}) {
    if (!p.Has(t)) continue;
    Hypothesis h = {std::string(ToString(t)) + " is ignored", p, inputs};
    h.inputs[t].Fill([](size_t) { return 0.; });
    all->push_back(std::move(h));
  }
  if (p.Has(kSrcIter) && p.Has(kSrcIterC)) {
    Hypothesis h = {"src_iter and src_iter_c are ignored", p, inputs};
    for (const Tensor t : {kSrcIter, kSrcIterC}) h.inputs[t].Fill([](size_t) { return 0.; });
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
  return all;
}

// Share of elements within the oracle's intervals.
double CertifiedAgreement(const RnnProblem& problem, const TensorSet& inputs, const TensorSet& got,
                          const Profile& profile) {
  OracleOptions options;
  options.profile = profile;
  options.forced = &got;
  double elements = 0, failures = 0;
  for (const TensorReport& row : CompareAll(problem, RunOracle(problem, inputs, options), got).rows) {
    elements += static_cast<double>(row.stats.elements);
    failures += static_cast<double>(row.failures);
  }
  return elements == 0 ? 0 : 1 - failures / elements;
}

// Share of elements that a run with the bug meets within twice the free-running bound: each side may be off by one.
double BugAgreement(const OracleResult& oracle, const TensorSet& with_bug, const TensorSet& got) {
  double elements = 0, agree = 0;
  for (const OracleTensor& tensor : oracle.outputs) {
    const TensorBuffer& a = with_bug[tensor.tensor];
    const TensorBuffer& b = got[tensor.tensor];
    for (size_t i = 0; i < a.size(); ++i) {
      const double x = a.Get(i), y = b.Get(i);
      const double unit = NextUp(std::fabs(x), tensor.type) - std::fabs(x);
      const double bound = 2 * tensor.bound[i] + (std::isfinite(unit) ? unit : 0);
      ++elements;
      agree += (std::isnan(x) && std::isnan(y)) || x == y || std::fabs(x - y) <= bound;
    }
  }
  return elements == 0 ? 0 : agree / elements;
}

void AddBugs(const RnnProblem& problem, const TensorSet& inputs, const TensorSet& got, const Profile& profile,
             std::vector<Diagnosis>* all) {
  OracleOptions options;
  options.profile = profile;
  const OracleResult oracle = RunOracle(problem, inputs, options);
  // Bugs that crash or hang explain no output. They run in child processes, so that this one survives.
  RunOptions run;
  run.timeout_seconds = 1;
  TensorSet sound = inputs;
  MakeFaulty(Mutation::kNoBug)(problem, &sound);
  for (const MutationInfo& info : Mutations()) {
    if (info.mutation == Mutation::kNoBug || !info.applies(problem)) continue;
    TensorSet with_bug = inputs;
    if (RunIsolated(MutantPlugin(info.mutation), problem, run, &with_bug).status != RunStatus::kOk) continue;
    // A bug that does not show on this problem explains nothing.
    if (BugAgreement(oracle, sound, with_bug) == 1) continue;
    all->push_back({info.text, BugAgreement(oracle, with_bug, got), false});
  }
}

}  // namespace

std::vector<Diagnosis> Diagnose(const RnnProblem& problem, const TensorSet& inputs, const TensorSet& got,
                                const Profile& profile) {
  const double plain = CertifiedAgreement(problem, inputs, got, profile);
  if (plain == 1) return {{"conforms", 1, true}};
  std::vector<Diagnosis> all;
  for (const Hypothesis& h : Hypotheses(problem, inputs)) {
    all.push_back({h.explanation, CertifiedAgreement(h.problem, h.inputs, got, profile), true});
  }
  AddBugs(problem, inputs, got, profile, &all);
  std::stable_sort(all.begin(), all.end(), [](const Diagnosis& a, const Diagnosis& b) {
    return a.agreement > b.agreement || (a.agreement == b.agreement && a.certified > b.certified);
  });
  const auto full =
      static_cast<size_t>(std::count_if(all.begin(), all.end(), [](const Diagnosis& d) { return d.agreement == 1; }));
  all.resize(std::min(all.size(), full > 0 ? full : 3));
  return all;
}

}  // namespace tandem::conformance
