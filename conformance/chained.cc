#include <map>

#include "conformance/compare.h"
#include "conformance/step_problem.h"
#include "conformance/tiers.h"

namespace tandem::conformance {
namespace {

class Chain {
 public:
  explicit Chain(const TierInput& in) : in_(in), p_(in.problem), whole_(in.problem) {}

  ChainReport Run() {
    for (Dim d = 0; d < p_.n_dir; ++d) {
      std::vector<std::vector<double>> sequence;  // [t] of [n][width]
      for (Dim t = 0; t < p_.n_iter; ++t) sequence.push_back(Read(in_.inputs[kSrcLayer], {{0, t}}));
      for (Dim l = 0; l < p_.n_layer; ++l) {
        if (!Layer(l, d, &sequence)) return Finish();
      }
      last_.push_back(std::move(sequence));
    }
    chain_.complete = true;
    Combine();
    return Finish();
  }

 private:
  static std::vector<double> Read(const TensorBuffer& buffer, const std::vector<Fixed>& fixed) {
    std::vector<double> values;
    for (const size_t i : IndicesOf(buffer.md(), fixed)) values.push_back(buffer.Get(i));
    return values;
  }
  static void Write(const std::vector<double>& values, const std::vector<Fixed>& fixed, TensorBuffer* buffer) {
    if (buffer->empty()) return;
    const std::vector<size_t> indices = IndicesOf(buffer->md(), fixed);
    for (size_t i = 0; i < indices.size(); ++i) buffer->Set(indices[i], values[i]);
  }

  bool Layer(Dim l, Dim d, std::vector<std::vector<double>>* sequence) {
    const bool reversed = p_.direction == Direction::kRight2Left || d == 1;
    Part part = {l, d, true, p_.Has(kSrcIter)};
    std::vector<double> h, c;
    for (Dim s = 0; s < p_.n_iter; ++s) {
      const Dim t = reversed ? p_.n_iter - 1 - s : s;
      if (s > 0) part.with_src_iter = true;
      const RnnProblem step = PartProblem(p_, part);
      TensorSet tensors(step);
      CopyParameters(p_, in_.inputs, part, &tensors);
      tensors[kSrcLayer].FromDoubles((*sequence)[static_cast<size_t>(t)]);
      if (p_.Has(kAugruAttention)) tensors[kAugruAttention].FromDoubles(Read(in_.inputs[kAugruAttention], {{0, t}}));
      if (s > 0) tensors[kSrcIter].FromDoubles(h);
      if (s > 0 && !c.empty()) tensors[kSrcIterC].FromDoubles(c);
      if (!Step(step, {t, l, d}, &tensors)) return false;
      h = tensors[kDstIter].ToDoubles();
      if (p_.cell == Cell::kLstm) c = tensors[kDstIterC].ToDoubles();
      (*sequence)[static_cast<size_t>(t)] = tensors[kDstLayer].ToDoubles();
    }
    Write(h, {{0, l}, {1, d}}, &whole_[kDstIter]);
    Write(c, {{0, l}, {1, d}}, &whole_[kDstIterC]);
    return true;
  }

  struct At {
    Dim t, l, d;
  };
  bool Step(const RnnProblem& step, const At& at, TensorSet* tensors) {
    const TensorSet before = *tensors;
    const RunResult run = in_.implementation(step, tensors);
    if (run.status != RunStatus::kOk) {
      TensorReport row;
      row.tier = Tier::kChained;
      row.outcome.Worsen(run.status == RunStatus::kNotSupported ? Verdict::kVacuous
                         : run.status == RunStatus::kTimeout    ? Verdict::kTimeout
                         : run.status == RunStatus::kCrash      ? Verdict::kCrash
                                                                : Verdict::kFail);
      row.note = "one step alone: " + run.message;
      chain_.report.Add(row);
      return false;
    }
    OracleOptions options;
    options.profile = in_.profile;
    CompareOptions compare;
    compare.tier = Tier::kChained;
    compare.nan = in_.profile.nan;
    for (TensorReport& row : CompareAll(step, RunOracle(step, before, options), *tensors, compare).rows) {
      row.first.t = at.t;
      row.first.l = at.l;
      row.first.d = at.d;
      Merge(row);
    }
    return true;
  }

  // One row for each tensor over all steps; the first departure stays.
  void Merge(const TensorReport& row) {
    const auto found = rows_.find(row.tensor);
    if (found == rows_.end()) {
      rows_[row.tensor] = row;
      return;
    }
    TensorReport& sum = found->second;
    sum.outcome.Join(row.outcome);
    sum.stats.Merge(row.stats);
    sum.failures += row.failures;
    if (!sum.has_departure && row.has_departure) {
      sum.has_departure = true;
      sum.first = row.first;
      sum.got = row.got, sum.want = row.want, sum.lo = row.lo, sum.hi = row.hi;
    }
  }

  void Combine() {
    if (p_.direction == Direction::kBidirectionalSum) return;
    for (Dim t = 0; t < p_.n_iter; ++t) {
      for (Dim n = 0; n < p_.mb; ++n) {
        for (Dim c = 0; c < p_.dlc; ++c) {
          const std::vector<double>& h = last_[static_cast<size_t>(c / p_.dic)][static_cast<size_t>(t)];
          whole_[kDstLayer].Set(static_cast<size_t>((t * p_.mb + n) * p_.dlc + c),
                                h[static_cast<size_t>(n * p_.dic + c % p_.dic)]);
        }
      }
    }
  }

  ChainReport Finish() {
    for (auto& [tensor, row] : rows_) chain_.report.Add(row);
    chain_.same_bits = chain_.complete;
    for (const Tensor t : Outputs(p_)) {
      // A sum may be formed from halves before they are stored; its bits say nothing about the halves.
      if (t == kDstLayer && p_.direction == Direction::kBidirectionalSum) chain_.same_bits = false;
      if (whole_[t].FirstDifference(in_.outputs[t]) != whole_[t].size()) chain_.same_bits = false;
    }
    return std::move(chain_);
  }

  const TierInput& in_;
  const RnnProblem& p_;
  TensorSet whole_;
  std::vector<std::vector<std::vector<double>>> last_;  // [d][t]
  std::map<Tensor, TensorReport> rows_;
  ChainReport chain_;
};

}  // namespace

ChainReport CheckChained(const TierInput& in) { return Chain(in).Run(); }

bool StatesAreVisible(const RnnProblem& problem) {
  const bool sum = problem.direction == Direction::kBidirectionalSum;
  return problem.n_layer == 1 && (!sum || problem.n_iter == 1) && !problem.IsBackward();
}

ProblemReport CheckBounds(const TierInput& in) {
  OracleOptions options;
  options.profile = in.profile;
  options.forced = &in.outputs;
  CompareOptions compare;
  compare.tier = StatesAreVisible(in.problem) ? Tier::kTeacherForced : Tier::kFreeRunning;
  compare.nan = in.profile.nan;
  return CompareAll(in.problem, RunOracle(in.problem, in.inputs, options), in.outputs, compare);
}

ProblemReport JudgeWithTiers(const TierInput& in) {
  const ProblemReport bounds = CheckBounds(in);
  if (bounds.outcome.verdict() != Verdict::kVacuous || in.problem.IsBackward()) return bounds;
  const ChainReport chain = CheckChained(in);
  ProblemReport report;
  for (TensorReport row : bounds.rows) {
    if (chain.same_bits) {
      // Not a pass of this row, which says nothing, but of the chain's rows below: each step has been judged.
      row.outcome = Outcome();
      row.note += "; judged step by step instead, with the same bits";
    }
    report.Add(std::move(row));
  }
  for (const TensorReport& row : chain.report.rows) report.Add(row);
  return report;
}

}  // namespace tandem::conformance
