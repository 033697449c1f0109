#include "api/core/types.h"

namespace tandem {

const char* ToString(Propagation propagation) {
  constexpr const char* kNames[] = {"forward_inference", "forward_training", "backward"};
  return kNames[static_cast<int>(propagation)];
}

const char* ToString(Direction direction) {
  constexpr const char* kNames[] = {"left2right", "right2left", "bidirectional_concat", "bidirectional_sum"};
  return kNames[static_cast<int>(direction)];
}

const char* ToString(Activation activation) {
  constexpr const char* kNames[] = {"relu", "tanh", "logistic"};
  return kNames[static_cast<int>(activation)];
}

const char* ToString(FpmathMode mode) {
  constexpr const char* kNames[] = {"strict", "bf16", "f16", "tf32", "any"};
  return kNames[static_cast<int>(mode)];
}

}  // namespace tandem
