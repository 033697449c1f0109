#include "conformance/oracle/oracle.h"

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

template <class Rule>
OracleTensor LayerOutput(OracleTensorBuilder builder, const RnnProblem& p, const ForwardStates& states,
                         const Rule& rule) {
  const DataType type = TypeOf(p.md[kDstLayer]);
  const bool sum = p.direction == Direction::kBidirectionalSum;
  size_t index = 0;
  for (Dim t = 0; t < p.n_iter; ++t) {
    for (Dim n = 0; n < p.mb; ++n) {
      for (Dim c = 0; c < p.dlc; ++c) {
        const BoundedMat& h = states.sequence[sum ? 0 : c / p.dic][t];
        const Dim unit = sum ? c : c % p.dic;
        builder.Set(index++,
                    sum ? rule.Sum(type, h(unit, n), states.sequence[1][t](unit, n)) : rule.One(type, h(unit, n)));
      }
    }
  }
  return builder.Finish();
}

template <class Element>
OracleTensor StateOutput(OracleTensorBuilder builder, const std::vector<BoundedMat>& states, const Element& element) {
  size_t index = 0;
  for (const BoundedMat& state : states) {
    for (Eigen::Index n = 0; n < state.cols(); ++n) {
      for (Eigen::Index j = 0; j < state.rows(); ++j) builder.Set(index++, element(state(j, n)));
    }
  }
  return builder.Finish();
}

template <class Rule>
OracleResult ForwardOutputs(const RnnProblem& p, const ForwardStates& states, const Rule& rule,
                            const Declaration& declared) {
  const auto builder = [&](Tensor tensor) { return OracleTensorBuilder(p, declared, tensor); };
  OracleResult result;
  result.outputs.push_back(LayerOutput(builder(kDstLayer), p, states, rule));
  if (p.Has(kDstIter)) {
    const DataType type = TypeOf(p.md[kDstIter]);
    result.outputs.push_back(
        StateOutput(builder(kDstIter), states.final_h, [&](const Bounded& h) { return rule.One(type, h); }));
  }
  if (p.Has(kDstIterC)) {
    const DataType type = TypeOf(p.md[kDstIterC]);
    result.outputs.push_back(StateOutput(builder(kDstIterC), states.final_c, [&](const Bounded& c) {
      return AdmissibleFloat(type, c, declared.subnormals);
    }));
  }
  return result;
}

}  // namespace

OracleResult RunOracle(const RnnProblem& problem, const TensorSet& inputs, const OracleOptions& options) {
  if (problem.IsBackward()) return RunBackwardOracle(problem, inputs, options);
  if (problem.IsInt8()) {
    const BoundedInt8Numerics num(problem, options.declared);
    const ForwardStates states = RunForwardStates(num, problem, inputs, options.forced);
    return ForwardOutputs(problem, states, Int8Rule{num.data()}, options.declared);
  }
  const BoundedNumerics num(problem, options.declared);
  const ForwardStates states = RunForwardStates(num, problem, inputs, options.forced);
  return ForwardOutputs(problem, states, FloatRule{options.declared.subnormals}, options.declared);
}

}  // namespace tandem::conformance
