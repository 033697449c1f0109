// Random RNN problems and tensors for properties, and how results are held against each other.
#ifndef TANDEM_API_TESTS_METAMORPHIC_RANDOM_RNN_TESTING_H_
#define TANDEM_API_TESTS_METAMORPHIC_RANDOM_RNN_TESTING_H_

#include <rapidcheck.h>

#include <functional>
#include <string>
#include <vector>

#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {

// The values from which a problem is drawn. A property shortens a list where it needs a value fixed.
struct RandomOptions {
  std::vector<dnnl::algorithm> cells = {dnnl::algorithm::vanilla_rnn,   dnnl::algorithm::vanilla_lstm,
                                        dnnl::algorithm::vanilla_gru,   dnnl::algorithm::lbr_gru,
                                        dnnl::algorithm::vanilla_augru, dnnl::algorithm::lbr_augru};
  std::vector<dnnl::rnn_direction> directions = {
      dnnl::rnn_direction::unidirectional_left2right, dnnl::rnn_direction::unidirectional_right2left,
      dnnl::rnn_direction::bidirectional_concat, dnnl::rnn_direction::bidirectional_sum};
  std::vector<dnnl::memory::data_type> types = {dnnl::memory::data_type::f32, dnnl::memory::data_type::bf16,
                                                dnnl::memory::data_type::f16};
};

// Channels up to 40 pass one and two vectors of 16 and leave tails.
RnnCase ArbitraryCase(const RandomOptions& options = {});

// Numbers in [-1, 1), all exact in every floating type of the table (6 bits), so that storing an
// input never rounds. Weights are divided by a power of two near the square root of what is summed,
// so that gates neither saturate nor vanish.
std::vector<float> RandomValues(size_t count, float scale);

size_t CountOf(const dnnl::memory::dims& dims);

Tensors RandomInputs(const RnnCase& rnn);

// Tests `property` with every implementation that serves the case: at least one.
void ForEachForward(const RnnCase& rnn, const std::function<void(const dnnl::primitive_desc&)>& property,
                    dnnl::prop_kind prop = dnnl::prop_kind::forward_inference);

// The descriptor of the same implementation for another problem.
dnnl::primitive_desc SameImplementation(const dnnl::primitive_desc& pd, const RnnCase& rnn, dnnl::prop_kind prop);

// Empty if all bits are equal, else where the first difference is.
std::string Difference(const std::vector<float>& got, const std::vector<float>& want);

void ExpectEqual(const Tensors& got, const Tensors& want);

// A row-major tensor seen as [outer][extent][inner] around one of its dims.
struct Axis {
  size_t outer = 1, extent = 1, inner = 1;
  Axis(const dnnl::memory::dims& dims, size_t axis) {
    for (size_t i = 0; i < dims.size(); ++i) {
      (i < axis ? outer : i == axis ? extent : inner) *= dims[i];
    }
  }
};

// The slices `indices` of dim `axis`, in that order.
std::vector<float> Gather(const std::vector<float>& values, const dnnl::memory::dims& dims, size_t axis,
                          const std::vector<size_t>& indices);

// begin, begin + 1, ..., end - 1.
std::vector<size_t> Range(size_t begin, size_t end);

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_METAMORPHIC_RANDOM_RNN_TESTING_H_
