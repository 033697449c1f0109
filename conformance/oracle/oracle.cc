#include "conformance/oracle/oracle.h"

#include "conformance/oracle/bounded_dynamic.h"
#include "conformance/oracle/oracle_backward.h"
#include "conformance/oracle/oracle_forward.h"
#include "conformance/oracle/oracle_outputs.h"

namespace tandem::conformance {
namespace {

// How a policy's states become elements of an output of `type`.
struct FloatRule {
  Subnormals subnormals;
  Admissible One(DataType type, const Bounded& h) const { return AdmissibleFloat(type, h, subnormals); }
  Admissible Sum(DataType type, const Bounded& a, const Bounded& b) const {
    return AdmissibleSum(type, a, b, subnormals);
  }
};
struct Int8Rule {
  const BoundedQuantization& data;
  Admissible One(DataType type, const Bounded& h) const { return AdmissibleQuantized(type, data, h); }
  Admissible Sum(DataType type, const Bounded& a, const Bounded& b) const {
    return AdmissibleQuantizedSum(type, data, a, b);
  }
};

// What makes the outputs of a forward problem.
template <class Rule>
class ForwardOutputs {
 public:
  ForwardOutputs(const RnnProblem& p, const TensorSet& inputs, const Rule& rule, const Declaration& declared)
      : p_(p), inputs_(inputs), lengths_(p, BuffersOf(inputs)), rule_(rule), declared_(declared) {}

  OracleResult Make(const ForwardStates& states) const {
    OracleResult result;
    result.outputs.push_back(LayerOutput(states));
    if (p_.Has(kDstIter)) {
      const DataType type = TypeOf(p_.md[kDstIter]);
      result.outputs.push_back(
          StateOutput(kDstIter, states.final_h, [&](const Bounded& h) { return rule_.One(type, h); }));
    }
    if (p_.Has(kDstIterC)) {
      const DataType type = TypeOf(p_.md[kDstIterC]);
      result.outputs.push_back(StateOutput(
          kDstIterC, states.final_c, [&](const Bounded& c) { return AdmissibleFloat(type, c, declared_.subnormals); }));
    }
    return result;
  }

 private:
  // 0.0, of bytes what stands for it.
  Admissible Zero(Tensor tensor) const {
    const DataType type = TypeOf(p_.md[tensor]);
    return IsByte(type) ? rule_.One(type, Bounded(0.0)) : Exactly(0.0);
  }

  OracleTensor LayerOutput(const ForwardStates& states) const {
    const DataType type = TypeOf(p_.md[kDstLayer]);
    const bool sum = p_.direction == Direction::kBidirectionalSum;
    OracleTensorBuilder builder(p_, declared_, kDstLayer);
    size_t index = 0;
    for (Dim t = 0; t < p_.n_iter; ++t) {
      for (Dim n = 0; n < p_.mb; ++n) {
        for (Dim c = 0; c < p_.dlc; ++c) {
          const BoundedMat& h = states.sequence[sum ? 0 : c / p_.dic][t];
          const Dim unit = sum ? c : c % p_.dic;
          builder.Set(index++, !lengths_.IsLive(t, n) ? Zero(kDstLayer)
                               : sum                  ? rule_.Sum(type, h(unit, n), states.sequence[1][t](unit, n))
                                                      : rule_.One(type, h(unit, n)));
        }
      }
    }
    return builder.Finish();
  }

  // A row without steps leaves the state that it was given.
  template <class Element>
  OracleTensor StateOutput(Tensor tensor, const std::vector<BoundedMat>& states, const Element& element) const {
    const Tensor given = tensor == kDstIter ? kSrcIter : kSrcIterC;
    OracleTensorBuilder builder(p_, declared_, tensor);
    size_t index = 0;
    for (const BoundedMat& state : states) {
      for (Eigen::Index n = 0; n < state.cols(); ++n) {
        const bool empty = !lengths_.IsLive(0, n);
        for (Eigen::Index j = 0; j < state.rows(); ++j, ++index) {
          builder.Set(index, !empty          ? element(state(j, n))
                             : p_.Has(given) ? Exactly(inputs_[given].Get(index))
                                             : Zero(tensor));
        }
      }
    }
    return builder.Finish();
  }

  const RnnProblem& p_;
  const TensorSet& inputs_;
  const SequenceLengths lengths_;
  const Rule& rule_;
  const Declaration& declared_;
};

template <class Num>
OracleResult RunFloats(const RnnProblem& problem, const TensorSet& inputs, const OracleOptions& options) {
  const Num num(problem, options.declared);
  const ForwardStates states = RunForwardStates(num, problem, inputs, options.forced);
  const FloatRule rule{options.declared.subnormals};
  return ForwardOutputs<FloatRule>(problem, inputs, rule, options.declared).Make(states);
}

}  // namespace

OracleResult RunOracle(const RnnProblem& problem, const TensorSet& inputs, const OracleOptions& options) {
  if (problem.IsBackward()) return RunBackwardOracle(problem, inputs, options);
  if (problem.IsInt8()) {
    const BoundedInt8Numerics num(problem, options.declared);
    const ForwardStates states = RunForwardStates(num, problem, inputs, options.forced);
    const Int8Rule rule{num.data()};
    return ForwardOutputs<Int8Rule>(problem, inputs, rule, options.declared).Make(states);
  }
  if (problem.IsDynamic()) return RunFloats<BoundedDynamicNumerics>(problem, inputs, options);
  if (problem.HasByteWeights()) return RunFloats<BoundedByteWeightsNumerics>(problem, inputs, options);
  return RunFloats<BoundedNumerics>(problem, inputs, options);
}

}  // namespace tandem::conformance
