// Random RNN problems and tensors for properties, and how results are held against each other.
#ifndef TANDEM_API_TESTS_RANDOM_RNN_TESTING_H_
#define TANDEM_API_TESTS_RANDOM_RNN_TESTING_H_

#include <rapidcheck.h>

#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {

// What a property wants fixed; everything else varies.
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
inline RnnCase ArbitraryCase(const RandomOptions& options = {}) {
  RnnCase rnn;
  rnn.cell = *rc::gen::elementOf(options.cells);
  rnn.direction =
      rnn.HasAttention() ? dnnl::rnn_direction::unidirectional_left2right : *rc::gen::elementOf(options.directions);
  rnn.type = *rc::gen::elementOf(options.types);
  rnn.layers = rnn.HasAttention() ? 1 : *rc::gen::inRange(1, 4);
  rnn.steps = *rc::gen::inRange(1, 6);
  rnn.batch = *rc::gen::inRange(1, 10);
  rnn.dhc = *rc::gen::inRange(1, 41);
  if (rnn.IsLstm()) {
    rnn.peephole = *rc::gen::arbitrary<bool>();
    rnn.dic = *rc::gen::arbitrary<bool>() ? *rc::gen::inRange(1, 41) : 0;
  }
  // Stacked layers share one weights tensor, so their inputs have one width.
  rnn.slc = rnn.layers > 1 ? rnn.Sic() : *rc::gen::inRange(1, 41);
  rnn.bias = *rc::gen::arbitrary<bool>();
  rnn.iter = *rc::gen::arbitrary<bool>();
  if (rnn.cell == dnnl::algorithm::vanilla_rnn) {
    rnn.activation = *rc::gen::element(dnnl::algorithm::eltwise_relu, dnnl::algorithm::eltwise_tanh,
                                       dnnl::algorithm::eltwise_logistic);
    rnn.alpha = *rc::gen::element(0.f, 0.25f);
  }
  RC_LOG() << rnn.ToString() << std::endl;
  return rnn;
}

// Numbers in [-1, 1), all exact in every floating type of the table (6 bits), so that storing an
// input never rounds. Weights are divided by a power of two near the square root of what is summed,
// so that gates neither saturate nor vanish.
inline std::vector<float> RandomValues(size_t count, float scale) {
  const uint32_t seed = *rc::gen::noShrink(rc::gen::arbitrary<uint32_t>());
  uint64_t state = seed;
  std::vector<float> values(count);
  for (float& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = scale * (static_cast<int>(state >> 58) - 32) / 32.f;
  }
  return values;
}

inline size_t CountOf(const dnnl::memory::dims& dims) {
  size_t count = dims.empty() ? 0 : 1;
  for (const auto dim : dims) count *= dim;
  return count;
}

inline Tensors RandomInputs(const RnnCase& rnn) {
  Tensors inputs;
  for (const int arg : InputsOf(rnn)) {
    const bool is_weights =
        arg == DNNL_ARG_WEIGHTS_LAYER || arg == DNNL_ARG_WEIGHTS_ITER || arg == DNNL_ARG_WEIGHTS_PROJECTION;
    inputs[arg] = RandomValues(CountOf(rnn.Dims(arg)), is_weights ? 0.25f : 1.f);
  }
  return inputs;
}

// Tests `property` with every implementation that serves the case: at least one.
inline void ForEachForward(const RnnCase& rnn, const std::function<void(const dnnl::primitive_desc&)>& property,
                           dnnl::prop_kind prop = dnnl::prop_kind::forward_inference) {
  const auto all = AllForward(rnn, prop);
  RC_ASSERT(!all.empty());
  for (const auto& pd : all) {
    RC_LOG() << "implementation " << pd.impl_info_str() << std::endl;
    property(pd);
  }
}

// The descriptor of the same implementation for another problem.
inline dnnl::primitive_desc SameImplementation(const dnnl::primitive_desc& pd, const RnnCase& rnn,
                                               dnnl::prop_kind prop) {
  for (const auto& candidate : AllForward(rnn, prop)) {
    if (std::strcmp(candidate.impl_info_str(), pd.impl_info_str()) == 0) return candidate;
  }
  RC_FAIL(std::string(pd.impl_info_str()) + " serves " + rnn.ToString() + " not");
  return {};
}

// Empty if all bits are equal, else where the first difference is.
inline std::string Difference(const std::vector<float>& got, const std::vector<float>& want) {
  if (got.size() != want.size()) return "different sizes";
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &want[i], sizeof(float)) != 0) {
      std::ostringstream text;
      text << "element " << i << ": " << std::hexfloat << got[i] << " and " << want[i];
      return text.str();
    }
  }
  return "";
}

inline void ExpectEqual(const Tensors& got, const Tensors& want) {
  for (const auto& tensor : want) {
    const std::string difference = Difference(got.at(tensor.first), tensor.second);
    if (!difference.empty()) {
      RC_FAIL("argument " + std::to_string(tensor.first) + ", " + difference);
    }
  }
}

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
inline std::vector<float> Gather(const std::vector<float>& values, const dnnl::memory::dims& dims, size_t axis,
                                 const std::vector<size_t>& indices) {
  const Axis a(dims, axis);
  std::vector<float> result;
  for (size_t o = 0; o < a.outer; ++o) {
    for (const size_t index : indices) {
      const auto begin = values.begin() + (o * a.extent + index) * a.inner;
      result.insert(result.end(), begin, begin + a.inner);
    }
  }
  return result;
}

// begin, begin + 1, ..., end - 1.
inline std::vector<size_t> Range(size_t begin, size_t end) {
  std::vector<size_t> indices;
  for (size_t i = begin; i < end; ++i) indices.push_back(i);
  return indices;
}

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_RANDOM_RNN_TESTING_H_
