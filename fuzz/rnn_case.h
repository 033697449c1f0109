// A fuzzer's bytes make an RNN problem, and either generation of the API its primitive descriptor.
#ifndef TANDEM_FUZZ_RNN_CASE_H_
#define TANDEM_FUZZ_RNN_CASE_H_

#include <array>

#include "api/core/types.h"
#include "dnnl.hpp"
#include "fuzz/byte_source.h"

namespace tandem {
namespace fuzz {

struct RnnCase {
  Cell cell = Cell::kLstm;
  dnnl::prop_kind prop = dnnl::prop_kind::forward_inference;
  dnnl::rnn_direction direction = dnnl::rnn_direction::left2right;
  dnnl::algorithm activation = dnnl::algorithm::eltwise_tanh;
  float alpha = 0.f, beta = 0.f;
  std::array<dnnl::memory::desc, kNumTensors> md;
};

// kStepped is forward_inference from left to right, which streams serve.
enum class Problems { kAll, kStepped };

// Returns a valid problem of at most a few hundred elements. With some probability it is then changed in up to three places.
RnnCase DecodeRnn(ByteSource* bytes, Problems problems = Problems::kAll);

// v2 makes an operation descriptor, then its primitive descriptor; v3 makes the primitive descriptor at once.
enum class Generation { kV2, kV3 };
enum class OnError { kThrow, kGiveEmpty };

// Throws dnnl::error, or returns an empty descriptor by kGiveEmpty, which only v3's constructors have.
dnnl::rnn_primitive_desc_base MakeForward(const RnnCase& rnn, Generation generation, const dnnl::primitive_attr& attr,
                                          OnError on_error = OnError::kThrow);
// `hint` is a forward descriptor of the same cell, or empty.
dnnl::rnn_primitive_desc_base MakeBackward(const RnnCase& rnn, Generation generation, const dnnl::primitive_attr& attr,
                                           const dnnl::rnn_primitive_desc_base& hint,
                                           OnError on_error = OnError::kThrow);

}  // namespace fuzz
}  // namespace tandem

#endif  // TANDEM_FUZZ_RNN_CASE_H_
