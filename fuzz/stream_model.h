// The model of a stream is one execution of all steps of a row: the steps must give its outputs.
#ifndef TANDEM_FUZZ_STREAM_MODEL_H_
#define TANDEM_FUZZ_STREAM_MODEL_H_

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "dnnl.hpp"
#include "fuzz/rnn_case.h"

namespace tandem {
namespace fuzz {

// This is a primitive descriptor of a stack, and its weights.
struct ModelLayers {
  RnnCase rnn;
  dnnl::primitive_attr attr;
  dnnl::rnn_primitive_desc_base pd;
  std::unordered_map<int, dnnl::memory> weights;
  std::vector<std::shared_ptr<std::vector<uint8_t>>> buffers;  // the weights' buffers; copies share them
};

// The history has the steps of one row since its states were `h` and `c`: inputs, and the outputs that the stream gave. States
// are layer by layer, as tandem_rnn_stream_save() gives them.
struct History {
  std::vector<float> h, c;
  int steps = 0;
  std::vector<uint8_t> x, attention, y;
};

// Fails unless one execution of all steps gives the outputs of `history`, bit by bit; any NaN equals any other. Then `history`
// has no steps, and the states after the last one.
void Replay(const std::vector<ModelLayers>& stack, History* history);

// Returns true if floats have the same bits, or are both NaN.
bool AreSame(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace fuzz
}  // namespace tandem

#endif  // TANDEM_FUZZ_STREAM_MODEL_H_
