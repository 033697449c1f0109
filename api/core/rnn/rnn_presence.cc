#include <array>
#include <string>

#include "api/core/error.h"
#include "api/core/memory/memory_desc_checks.h"
#include "api/core/rnn/rnn_checks.h"

namespace tandem {
namespace {

// A value that was cast from an integer may be none of the enumerators.
template <class Enum>
void CheckRange(Enum value, const char* what) {
  const int number = static_cast<int>(value), limit = static_cast<int>(LastOf<Enum>());
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

void CheckBelongs(const RnnProblem& problem) {
  const std::string cell = ToString(problem.cell);
  for (const Tensor tensor : kForwardTensors) {
    const bool belongs = PresenceOf(tensor, problem.cell) != Presence::kAbsent;
    if (problem.Has(tensor) && !belongs) {
      ThrowInvalid(std::string(ToString(tensor)) + ": is " + DimsToString(problem.md[tensor]) + ", but a " + cell +
                   " has no such tensor");
    }
    const Tensor diff = Diff(tensor);
    if (HasDiff(tensor) && problem.Has(diff) && !(belongs && problem.IsBackward())) {
      ThrowInvalid(std::string(ToString(diff)) + ": is " + DimsToString(problem.md[diff]) + ", but a " + cell + " " +
                   ToString(problem.propagation) + " has no such tensor");
    }
  }
}

}  // namespace

void CheckEnumerators(const RnnProblem& problem) {
  CheckRange(problem.cell, "cell kind");
  CheckRange(problem.propagation, "propagation kind");
  CheckRange(problem.direction, "direction");
  if (HasActivation(problem.cell)) CheckRange(problem.activation, "activation");
  const unsigned unknown = problem.flags & ~unsigned{dnnl_rnn_flags_diff_weights_overwrite};
  if (unknown != 0) {
    ThrowInvalid("flags: are " + std::to_string(problem.flags) + ", but the only rnn_flags are " +
                 "diff_weights_overwrite (" + std::to_string(dnnl_rnn_flags_diff_weights_overwrite) + ")");
  }
  CheckRange(problem.attr.fpmath_mode, "fpmath mode");
  CheckRange(problem.attr.scratchpad_mode, "scratchpad mode");
  CheckRange(problem.attr.reading, "reading");
  CheckRange(problem.attr.rnn_layer_norm.kind, "layer normalization");
  CheckRange(problem.attr.rnn_layer_norm.scope, "scope of layer normalization");
  CheckRange(problem.attr.rnn_layer_norm.cell, "normalization of the cell state");
}

void CheckDescriptors(const RnnProblem& problem) {
  for (const Tensor tensor : kTensors) CheckWellFormed(problem.md[tensor], ToString(tensor));
}

void CheckKnown(const RnnProblem& problem) {
  for (const Tensor tensor : kTensors) {
    if (!HasRuntimeValues(problem.md[tensor])) continue;
    ThrowUnimplemented(std::string(ToString(tensor)) + ": " + DimsToString(problem.md[tensor]) +
                       " or its strides have a runtime value, but RNN needs them at creation");
  }
}

void CheckPresence(const RnnProblem& problem) {
  for (const Tensor tensor : kForwardTensors) {
    if (PresenceOf(tensor, problem.cell) != Presence::kRequired) continue;
    CheckRequired(problem, tensor);
    if (problem.IsBackward() && HasDiff(tensor)) CheckRequired(problem, Diff(tensor));
  }
  CheckBelongs(problem);
  for (const Tensor tensor : kForwardTensors) {
    const Tensor companion = TraitsOf(tensor).companion;
    if (companion > tensor && companion != kNoTensor && PresenceOf(companion, problem.cell) != Presence::kAbsent) {
      CheckPair(problem, tensor, companion);
    }
  }
  if (!problem.IsBackward()) return;
  for (const Tensor tensor : kForwardTensors) {
    if (HasDiff(tensor) && !IsByAttribute(tensor)) CheckPair(problem, tensor, Diff(tensor));
  }
}

void CheckAttentionCell(const RnnProblem& problem) {
  if (!HasAttention(problem.cell)) return;
  const std::string cell = ToString(problem.cell);
  if (problem.direction != Direction::kLeft2Right) {
    ThrowInvalid(cell + ": direction is " + ToString(problem.direction) + ", but must be left2right");
  }
  const Dim n_layer = problem.md[kWeightsLayer].dims[0];
  if (n_layer != 1 && n_layer != DNNL_RUNTIME_DIM_VAL) {
    ThrowInvalid("weights_layer: dim 0 (n_layer) is " + std::to_string(n_layer) + ", but " + cell + " has 1 layer");
  }
}

}  // namespace tandem
