#include "api/tests/metamorphic/random_rnn_testing.h"

#include <cstring>
#include <sstream>

namespace tandem {
namespace testing {

RnnCase ArbitraryCase(const RandomOptions& options) {
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

std::vector<float> RandomValues(size_t count, float scale) {
  const uint32_t seed = *rc::gen::noShrink(rc::gen::arbitrary<uint32_t>());
  uint64_t state = seed;
  std::vector<float> values(count);
  for (float& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = scale * (static_cast<int>(state >> 58) - 32) / 32.f;
  }
  return values;
}

size_t CountOf(const dnnl::memory::dims& dims) {
  size_t count = dims.empty() ? 0 : 1;
  for (const auto dim : dims) count *= dim;
  return count;
}

Tensors RandomInputs(const RnnCase& rnn) {
  Tensors inputs;
  for (const int arg : InputsOf(rnn)) {
    const bool is_weights =
        arg == DNNL_ARG_WEIGHTS_LAYER || arg == DNNL_ARG_WEIGHTS_ITER || arg == DNNL_ARG_WEIGHTS_PROJECTION;
    inputs[arg] = RandomValues(CountOf(rnn.Dims(arg)), is_weights ? 0.25f : 1.f);
  }
  return inputs;
}

void ForEachForward(const RnnCase& rnn, const std::function<void(const dnnl::primitive_desc&)>& property,
                    dnnl::prop_kind prop) {
  const auto all = AllForward(rnn, prop);
  RC_ASSERT(!all.empty());
  for (const auto& pd : all) {
    RC_LOG() << "implementation " << pd.impl_info_str() << std::endl;
    property(pd);
  }
}

dnnl::primitive_desc SameImplementation(const dnnl::primitive_desc& pd, const RnnCase& rnn, dnnl::prop_kind prop) {
  for (const auto& candidate : AllForward(rnn, prop)) {
    if (std::strcmp(candidate.impl_info_str(), pd.impl_info_str()) == 0) return candidate;
  }
  RC_FAIL(std::string(pd.impl_info_str()) + " serves " + rnn.ToString() + " not");
  return {};
}

std::string Difference(const std::vector<float>& got, const std::vector<float>& want) {
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

void ExpectEqual(const Tensors& got, const Tensors& want) {
  for (const auto& tensor : want) {
    const std::string difference = Difference(got.at(tensor.first), tensor.second);
    if (!difference.empty()) {
      RC_FAIL("argument " + std::to_string(tensor.first) + ", " + difference);
    }
  }
}

std::vector<float> Gather(const std::vector<float>& values, const dnnl::memory::dims& dims, size_t axis,
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

std::vector<size_t> Range(size_t begin, size_t end) {
  std::vector<size_t> indices;
  for (size_t i = begin; i < end; ++i) indices.push_back(i);
  return indices;
}

}  // namespace testing
}  // namespace tandem
