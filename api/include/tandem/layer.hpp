// Parts of a layer of tandem/network.hpp, and how bytes stand for its numbers. Clients do not include this.
#ifndef TANDEM_LAYER_HPP
#define TANDEM_LAYER_HPP

#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"
#include "tandem/safetensors.hpp"

namespace tandem {
namespace detail {

using dnnl::memory;

// The tensors of weights by their names in a file.
struct weights_tensor {
  const char* name;
  int argument;
  ::dnnl_memory_desc dnnl_rnn_desc_t::*member;
  size_t rank;
  bool is_packed;  // the implementation chooses the layout; the type is s8 in 8 bits
};

inline const std::vector<weights_tensor>& weights_tensors() {
  static const std::vector<weights_tensor> all = {
      {"weights_layer", DNNL_ARG_WEIGHTS_LAYER, &dnnl_rnn_desc_t::weights_layer_desc, 5, true},
      {"weights_iter", DNNL_ARG_WEIGHTS_ITER, &dnnl_rnn_desc_t::weights_iter_desc, 5, true},
      {"weights_peephole", DNNL_ARG_WEIGHTS_PEEPHOLE, &dnnl_rnn_desc_t::weights_peephole_desc, 4, false},
      {"weights_projection", DNNL_ARG_WEIGHTS_PROJECTION, &dnnl_rnn_desc_t::weights_projection_desc, 4, true},
      {"bias", DNNL_ARG_BIAS, &dnnl_rnn_desc_t::bias_desc, 4, false},
  };
  return all;
}

inline memory::desc dense(const memory::dims& dims, memory::data_type type = memory::data_type::f32) {
  memory::dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * dims[i - 1];
  return memory::desc(dims, type, strides);
}

// steps, rows, channels; the rows are outermost in memory if batch_first.
inline memory::desc sequence(const memory::dims& dims, bool batch_first,
                             memory::data_type type = memory::data_type::f32) {
  if (!batch_first) return dense(dims, type);
  return memory::desc(dims, type, memory::dims{dims[2], dims[0] * dims[2], 1});
}

inline void copy(const std::vector<float>& values, const memory& to) {
  std::memcpy(to.get_data_handle(), values.data(), values.size() * sizeof(float));
}

// The package for Python has saved the numbers of a network in one of these forms (docs/python.md#in-8-bits).
enum class quantization { none, dynamic, weights_only, samples };

// Bytes of a layer stand for numbers in this way. x is divided by factor, a power of two for each channel. weights_layer, times
// factor, and weights_iter share a scale for each gate and unit; the projection has one for each output. data has the scale and
// the shift of u8 data: byte = scale * (x / factor + shift).
struct coding {
  std::vector<float> factor, scales, projection_scales, data;

  void add_to(dnnl::primitive_attr* attributes, quantization kind) const {
    attributes->set_reading(dnnl::reading::spec);
    if (!data.empty()) attributes->set_rnn_data_qparams(data[0], data[1]);
    if (kind == quantization::dynamic) attributes->set_rnn_dynamic_quantization(true);
    attributes->set_rnn_weights_qparams(1 << 3 | 1 << 4, scales);
    if (!projection_scales.empty()) attributes->set_rnn_weights_projection_qparams(1 << 3, projection_scales);
  }

  // The numbers that bytes of weights stand for.
  void to_numbers(int argument, std::vector<float>* values) const {
    const std::vector<float>& own = argument == DNNL_ARG_WEIGHTS_PROJECTION ? projection_scales : scales;
    for (size_t i = 0; i < values->size(); ++i) (*values)[i] /= own[i % own.size()];
  }

  // Makes of `size` numbers what the primitive reads: bytes, or floats where `data` is empty; `to` may be x then. A NaN becomes
  // the byte 0.
  void encode(const float* x, size_t size, void* to) const noexcept {
    float* numbers = static_cast<float*>(to);
    uint8_t* bytes = static_cast<uint8_t*>(to);
    for (size_t i = 0; i < size; ++i) {
      const float scaled = x[i] / factor[i % factor.size()];
      if (data.empty()) {
        numbers[i] = scaled;
      } else {
        const float byte = std::nearbyint(data[0] * (scaled + data[1]));
        bytes[i] = static_cast<uint8_t>(byte > 0.f ? std::fmin(byte, 255.f) : 0.f);
      }
    }
  }
};

struct layer {
  std::unordered_map<int, memory> weights;  // plain numbers while the file is read, then as the primitives want them
  coding bytes;
  int64_t slc = 0, dhc = 0, dic = 0;
};

// Reads a tensor of `size` numbers, the first `positive` of which must be above 0.
inline std::vector<float> read_numbers(const std::string& path, const safetensors& file, const std::string& name,
                                       size_t size, size_t positive) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) throw std::runtime_error(path + ": has no tensor " + name);
  const std::vector<float>& values = found->second.values;
  if (values.size() != size) {
    throw std::runtime_error(path + ": " + name + " has " + std::to_string(values.size()) + " numbers, but must have " +
                             std::to_string(size));
  }
  for (size_t i = 0; i < size; ++i) {
    if (!std::isfinite(values[i]) || (i < positive && !(values[i] > 0.f))) {
      throw std::runtime_error(path + ": " + name + " has a number that is not above 0 and finite");
    }
  }
  return values;
}

// float16 would make infinities of larger weights, and NaN of their sums.
inline void check_float16(const std::string& path, const std::string& name, const std::vector<float>& values) {
  for (const float value : values) {
    if (std::isfinite(value) && std::fabs(value) >= 65520.f) {
      throw std::runtime_error(path + ": " + name + " has " + std::to_string(value) + ", but float16 ends at 65504");
    }
  }
}

// The coding of a layer whose weights are read already, but are bytes yet.
inline coding read_coding(const std::string& path, const safetensors& file, const std::string& prefix,
                          const layer& read, quantization kind) {
  coding result;
  const size_t slc = static_cast<size_t>(read.slc);
  const memory::dims dims = read.weights.at(DNNL_ARG_WEIGHTS_LAYER).get_desc().get_dims();
  const size_t columns = static_cast<size_t>(dims[3] * dims[4]);
  result.factor = read_numbers(path, file, prefix + "factor", slc, slc);
  result.scales = read_numbers(path, file, prefix + "scales", columns, columns);
  if (read.weights.count(DNNL_ARG_WEIGHTS_PROJECTION) != 0) {
    const size_t dic = static_cast<size_t>(read.dic);
    result.projection_scales = read_numbers(path, file, prefix + "projection_scales", dic, dic);
  }
  if (kind == quantization::samples) result.data = read_numbers(path, file, prefix + "data", 2, 1);
  return result;
}

}  // namespace detail
}  // namespace tandem

#endif
