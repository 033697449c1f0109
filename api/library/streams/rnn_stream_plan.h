// Plans of streams: a stack of layers whose weights are packed.
#ifndef TANDEM_API_LIBRARY_STREAMS_RNN_STREAM_PLAN_H_
#define TANDEM_API_LIBRARY_STREAMS_RNN_STREAM_PLAN_H_

#include <memory>
#include <vector>

#include "api/core/rnn/stepper.h"
#include "api/library/aligned_buffer.h"
#include "api/library/memory.h"
#include "api/library/primitives/rnn_primitive_desc.h"
#include "dnnl/rnn_stream.h"

namespace tandem {

// The layers of one primitive descriptor.
class StreamLayers {
 public:
  explicit StreamLayers(const tandem_rnn_stream_layers_t& given);

  // Its weights have the layouts that steps read.
  const RnnProblem& problem() const { return problem_; }
  std::unique_ptr<Stepper> MakeStepper(Dim rows) const;

 private:
  void TakeWeights(const RnnPrimitiveDesc& pd, const tandem_rnn_stream_layers_t& given);
  void Pack();

  RnnProblem problem_;
  StepWeights weights_{};
  int implementation_;
  std::vector<Ref<const tandem_memory>> memories_;
  std::vector<AlignedBuffer> packed_;
};

}  // namespace tandem

struct tandem_rnn_stream_plan final : tandem_object {
  explicit tandem_rnn_stream_plan(std::vector<tandem::StreamLayers> its_stack);
  const std::vector<tandem::StreamLayers> stack;
  tandem_rnn_stream_sizes_t sizes = {};
};

#endif  // TANDEM_API_LIBRARY_STREAMS_RNN_STREAM_PLAN_H_
