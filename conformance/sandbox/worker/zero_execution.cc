#include "conformance/sandbox/worker/zero_execution.h"

#include <algorithm>
#include <cstring>

namespace tandem::conformance {
namespace {

void CopyScales(tandem_scales* scales, std::vector<float>* copy) {
  if (scales->values == nullptr) return;
  copy->assign(scales->values, scales->values + scales->count);
  scales->values = copy->data();
}

}  // namespace

ZeroExecution::ZeroExecution(const Task& task, const RunMemory& memory, const std::array<StatedProblem, 2>& stated,
                             const int32_t* lengths, const Needs& needs)
    : stated_(stated), workspace_(needs.workspace + 1), needs_(needs) {
  const auto num_steps = static_cast<size_t>(task.num_steps);
  for (size_t step = 0; step < num_steps; ++step) {
    CopyScales(&stated_[step].problem.weights_scales, &weights_scales_[step]);
    CopyScales(&stated_[step].problem.projection_scales, &projection_scales_[step]);
    scratchpad_[step].resize(needs.scratchpad[step] + 1);
    for (size_t i = 0; i < kNumTensors; ++i) {
      if (stated_[step].tensor[i].ndims == 0) continue;
      tensors_[i].resize(memory.span[i].span.size + 1);
      stated_[step].tensor[i].data = tensors_[i].data() + task.step[step].offset[i];
    }
  }
  if (lengths == nullptr) return;
  // A length is not zero, which a plugin may refuse.
  const tandem_problem& problem = stated_[0].problem;
  const auto n_iter = static_cast<int32_t>(problem.n_iter);
  const bool are_full = std::all_of(lengths, lengths + problem.mb, [&](int32_t length) { return length == n_iter; });
  const std::vector<int32_t> other(static_cast<size_t>(problem.mb), are_full ? 1 : n_iter);
  std::memcpy(stated_[0].tensor[kSequenceLengths].data, other.data(), other.size() * sizeof(int32_t));
}

int32_t ZeroExecution::Run(const tandem_plugin* plugin, int step, char* message, size_t message_size) {
  const auto i = static_cast<size_t>(step);
  tandem_plugin_memory memory = {};
  memory.size = sizeof memory;
  memory.workspace = workspace_.data();
  memory.workspace_bytes = needs_.workspace;
  memory.scratchpad = needs_.scratchpad[i] != 0 ? scratchpad_[i].data() : nullptr;
  memory.scratchpad_bytes = needs_.scratchpad[i];
  return plugin->run(plugin, stated_[i].get(), &memory, message, message_size);
}

}  // namespace tandem::conformance
