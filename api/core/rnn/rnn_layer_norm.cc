// What layer normalization is defined for (docs/layer_normalization.md).
#include <cmath>
#include <string>

#include "api/core/error.h"
#include "api/core/names.h"
#include "api/core/rnn/rnn_checks.h"
#include "api/core/text/text.h"

namespace tandem {
namespace {

[[noreturn]] void Refuse(const std::string& why) { ThrowUnimplemented("rnn_layer_normalization: " + why); }

void CheckEpsilon(float epsilon) {
  if (std::isnormal(epsilon) && epsilon > 0) return;
  ThrowInvalid("rnn_layer_normalization: epsilon is " + NumberText(epsilon) +
               ", but must be positive, finite and not subnormal: a row of equal numbers has the variance 0");
}

// GRU multiplies U_o by r * h', the other gates by h'; the linear-before-reset cells never add W_o x and U_o h' alone.
void CheckGates(Cell cell, const LayerNorm& norm) {
  const std::string name = ToString(cell);
  if (norm.scope == NormScope::kRow && WaitsForReset(cell)) {
    Refuse("the scope is row, but " + name + " takes gate: its candidate is not known together with its other gates");
  }
  if (norm.kind == NormKind::kSum && IsLinearBeforeReset(cell)) {
    Refuse("the kind is sum, but " + name + " takes parts: its reset gate multiplies one of both products");
  }
}

}  // namespace

void CheckLayerNorm(const RnnProblem& problem) {
  const LayerNorm& norm = problem.attr.rnn_layer_norm;
  if (!norm.given()) return;
  const std::string name = ToString(problem.cell);
  CheckEpsilon(norm.epsilon);
  if (HasAttention(problem.cell)) Refuse("is set, but no publication defines it for " + name);
  if (norm.cell != CellNorm::kNone && !HasCellState(problem.cell)) {
    Refuse(std::string("c is normalized (") + ToString(norm.cell) + "), but " + name + " has no c");
  }
  if (norm.kind != NormKind::kNone) CheckGates(problem.cell, norm);
  if (!problem.HasByteWeights()) return;
  Refuse(std::string("is set, but src_layer is ") + ToString(problem.SrcType()) + " and the weights are " +
         ToString(TypeOf(problem.md[kWeightsLayer])) + ": it takes f32, bf16 and f16");
}

}  // namespace tandem
