#include <array>
#include <string>

#include "api/core/error.h"
#include "api/core/memory/memory_desc_checks.h"
#include "api/core/rnn/rnn_checks.h"

namespace tandem {
namespace {

// A value that was cast from an integer may be none of the enumerators.
template <class Enum>
void CheckRange(Enum value, Enum last, const char* what) {
  const int number = static_cast<int>(value), limit = static_cast<int>(last);
  if (number < 0 || number > limit) {
    ThrowInvalid(std::string(what) + " is " + std::to_string(number) + ", but must be one of its enumerators 0 to " +
                 std::to_string(limit));
  }
}

std::string DimsOrAbsent(const MemoryDesc& md) { return IsZero(md) ? "absent" : DimsToString(md); }

// Both present or both absent.
void CheckPair(const RnnProblem& problem, Tensor a, Tensor b) {
  if (problem.Has(a) == problem.Has(b)) return;
  ThrowInvalid(std::string(ToString(a)) + ": is " + DimsOrAbsent(problem.md[a]) + ", but " + ToString(b) + " is " +
               DimsOrAbsent(problem.md[b]) + "; both must be given or both absent");
}

void CheckRequired(const RnnProblem& problem, Tensor tensor) {
  if (problem.Has(tensor)) return;
  ThrowInvalid(std::string(ToString(tensor)) + ": is a zero descriptor, but every " + ToString(problem.cell) + " " +
               ToString(problem.propagation) + " needs it");
}

// Tensors that only some cells have.
bool BelongsToCell(Cell cell, Tensor tensor) {
  if (tensor == kAugruAttention) return HasAttention(cell);
  if (tensor == kWeightsIter) return HasIterProduct(cell);
  const bool goes_with_c =
      tensor == kSrcIterC || tensor == kDstIterC || tensor == kWeightsPeephole || tensor == kWeightsProjection;
  return !goes_with_c || HasCellState(cell);
}

void CheckBelongs(const RnnProblem& problem) {
  for (int i = 0; i < kNumForwardTensors; ++i) {
    const Tensor tensor = static_cast<Tensor>(i);
    const Tensor diff = Diff(tensor);
    const bool belongs = BelongsToCell(problem.cell, tensor);
    if (problem.Has(tensor) && !belongs) {
      ThrowInvalid(std::string(ToString(tensor)) + ": is " + DimsToString(problem.md[tensor]) + ", but a " +
                   ToString(problem.cell) + " has no such tensor");
    }
    if (problem.Has(diff) && !(belongs && problem.IsBackward())) {
      ThrowInvalid(std::string(ToString(diff)) + ": is " + DimsToString(problem.md[diff]) + ", but a " +
                   ToString(problem.cell) + " " + ToString(problem.propagation) + " has no such tensor");
    }
  }
}

}  // namespace

void CheckEnumerators(const RnnProblem& problem) {
  CheckRange(problem.cell, kCells[kNumCells - 1], "cell kind");
  CheckRange(problem.propagation, Propagation::kBackward, "propagation kind");
  CheckRange(problem.direction, Direction::kBidirectionalSum, "direction");
  if (HasActivation(problem.cell)) CheckRange(problem.activation, Activation::kLogistic, "activation");
  CheckRange(problem.attr.fpmath_mode, FpmathMode::kAny, "fpmath mode");
  CheckRange(problem.attr.scratchpad_mode, ScratchpadMode::kUser, "scratchpad mode");
  CheckRange(problem.attr.reading, Reading::kOnednn, "reading");
}

void CheckDescriptors(const RnnProblem& problem) {
  for (int i = 0; i < kNumTensors; ++i) {
    CheckWellFormed(problem.md[i], ToString(static_cast<Tensor>(i)));
  }
}

void CheckKnown(const RnnProblem& problem) {
  for (int i = 0; i < kNumTensors; ++i) {
    if (!HasRuntimeValues(problem.md[i])) continue;
    ThrowUnimplemented(std::string(ToString(static_cast<Tensor>(i))) + ": " + DimsToString(problem.md[i]) +
                       " or its strides have a runtime value, but RNN needs them at creation");
  }
}

void CheckPresence(const RnnProblem& problem) {
  for (const Tensor tensor : {kSrcLayer, kWeightsLayer, kWeightsIter, kDstLayer}) {
    if (!BelongsToCell(problem.cell, tensor)) continue;
    CheckRequired(problem, tensor);
    if (problem.IsBackward()) CheckRequired(problem, Diff(tensor));
  }
  CheckBelongs(problem);
  if (HasCellState(problem.cell)) {
    CheckPair(problem, kSrcIter, kSrcIterC);
    CheckPair(problem, kDstIter, kDstIterC);
  }
  if (!problem.IsBackward()) return;
  for (const Tensor tensor :
       {kBias, kWeightsPeephole, kWeightsProjection, kSrcIter, kSrcIterC, kAugruAttention, kDstIter, kDstIterC}) {
    CheckPair(problem, tensor, Diff(tensor));
  }
}

void CheckAttentionCell(const RnnProblem& problem) {
  if (!HasAttention(problem.cell)) return;
  const std::string cell = ToString(problem.cell);
  CheckRequired(problem, kAugruAttention);
  if (problem.direction != Direction::kLeft2Right) {
    ThrowInvalid(cell + ": direction is " + ToString(problem.direction) + ", but must be left2right");
  }
  const Dim n_layer = problem.md[kWeightsLayer].dims[0];
  if (n_layer != 1 && n_layer != DNNL_RUNTIME_DIM_VAL) {
    ThrowInvalid("weights_layer: dim 0 (n_layer) is " + std::to_string(n_layer) + ", but " + cell + " has 1 layer");
  }
}

}  // namespace tandem
