// The layers of tandem/network.hpp, read from a file. Clients do not include this.
#ifndef TANDEM_NETWORK_FILE_HPP
#define TANDEM_NETWORK_FILE_HPP

#include <cstdint>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"
#include "tandem/layer.hpp"
#include "tandem/safetensors.hpp"

namespace tandem {
namespace detail {

inline std::vector<float> values_of(const memory& tensor) {
  const float* values = static_cast<const float*>(tensor.get_data_handle());
  return std::vector<float>(values, values + tensor.get_desc().get_size() / sizeof(float));
}

// Layers of one kind. read_stack() gives them plain weights.
struct stack {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::algorithm cell = dnnl::algorithm::undef, activation = dnnl::algorithm::undef;
  dnnl::rnn_direction direction = dnnl::rnn_direction::unidirectional_left2right;
  detail::quantization quantization = detail::quantization::none;
  float alpha = 0.f, beta = 0.f;
  bool batch_first = false;
  dnnl::fpmath_mode precision = dnnl::fpmath_mode::strict;
  int64_t directions = 1;
  std::vector<layer> layers;

  bool is_lstm() const { return cell == dnnl::algorithm::vanilla_lstm; }
  bool has_bytes() const { return quantization != detail::quantization::none; }
};

class network_file_reader {
 public:
  network_file_reader(const std::string& path, const std::string& cell) : path_(path) {
    const safetensors file = read_safetensors(path);
    read_kind(file, cell);
    for (size_t number = 0; file.tensors.count(std::to_string(number) + ".weights_layer") != 0; ++number) {
      read_layer(file, std::to_string(number) + ".");
    }
    const std::string next = std::to_string(read_.layers.size()) + ".weights_layer";
    if (read_.layers.size() != count_layers(file)) refuse("has no tensor " + next + ", but a later layer");
    if (read_.layers.empty()) refuse("has no tensor " + next);
  }
  const stack& result() const { return read_; }

 private:
  [[noreturn]] void refuse(const std::string& reason) const { throw std::runtime_error(path_ + ": " + reason); }

  static size_t count_layers(const safetensors& file) {
    const std::string end = ".weights_layer";
    size_t count = 0;
    for (const auto& each : file.tensors) {
      const std::string& name = each.first;
      if (name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0) ++count;
    }
    return count;
  }

  static std::string said(const safetensors& file, const char* key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? "" : found->second;
  }

  template <typename Value>
  Value choose(const std::string& word, const std::vector<std::pair<const char*, Value>>& known) {
    for (const auto& each : known) {
      if (word == each.first) return each.second;
    }
    refuse(word.empty() ? "does not say which cell it has" : "has unknown " + word);
  }

  // In any locale. "" is 0.
  float number_of(const safetensors& file, const char* key) {
    const std::string word = said(file, key);
    std::istringstream text(word);
    text.imbue(std::locale::classic());
    float number = 0;
    if (!word.empty() && (!(text >> number) || text.peek() != std::istringstream::traits_type::eof())) {
      refuse(std::string(key) + " is " + word + ", which is no number");
    }
    return number;
  }

  void read_kind(const safetensors& file, const std::string& cell) {
    using dnnl::algorithm;
    read_.cell = choose<algorithm>(cell.empty() ? said(file, "cell") : cell, {{"lstm", algorithm::vanilla_lstm},
                                                                              {"gru", algorithm::vanilla_gru},
                                                                              {"lbr_gru", algorithm::lbr_gru},
                                                                              {"vanilla_rnn", algorithm::vanilla_rnn}});
    if (read_.cell == algorithm::vanilla_rnn) {
      const std::string activation = said(file, "activation");
      read_.activation = choose<algorithm>(activation.empty() ? "tanh" : activation,
                                           {
                                               // api/schema: network_activations
                                               {"relu", algorithm::eltwise_relu},
                                               {"tanh", algorithm::eltwise_tanh},
                                               {"logistic", algorithm::eltwise_logistic},
                                               {"thresholded_relu", algorithm::eltwise_thresholded_relu},
                                               {"hard_sigmoid", algorithm::eltwise_hardsigmoid},
                                               {"softsign", algorithm::eltwise_softsign},
                                               {"softplus", algorithm::eltwise_soft_relu},
                                               {"elu", algorithm::eltwise_elu},
                                               {"affine", algorithm::eltwise_linear},
                                               {"scaled_tanh", algorithm::eltwise_scaled_tanh},
                                               // api/schema: end
                                           });
      read_.alpha = number_of(file, "alpha");
      read_.beta = number_of(file, "beta");
    }
    const std::string precision = said(file, "precision"), batch_first = said(file, "batch_first");
    if (!precision.empty()) {
      read_.precision = choose<dnnl::fpmath_mode>(precision, {{"float32", dnnl::fpmath_mode::strict},
                                                              {"bfloat16", dnnl::fpmath_mode::bf16},
                                                              {"float16", dnnl::fpmath_mode::f16}});
    }
    const std::string bytes = said(file, "quantization");
    if (!bytes.empty()) {
      read_.quantization = choose<detail::quantization>(bytes, {{"dynamic", detail::quantization::dynamic},
                                                                {"weights_only", detail::quantization::weights_only},
                                                                {"samples", detail::quantization::samples}});
      read_.precision = dnnl::fpmath_mode::strict;
    }
    read_.batch_first = !batch_first.empty() && choose<bool>(batch_first, {{"True", true}, {"False", false}});
    read_direction(file);
  }

  void read_direction(const safetensors& file) {
    const std::string direction = said(file, "direction");
    if (!direction.empty()) {
      read_.direction =
          choose<dnnl::rnn_direction>(direction, {{"left2right", dnnl::rnn_direction::unidirectional_left2right},
                                                  {"right2left", dnnl::rnn_direction::unidirectional_right2left},
                                                  {"concat", dnnl::rnn_direction::bidirectional_concat},
                                                  {"sum", dnnl::rnn_direction::bidirectional_sum}});
    } else {
      const auto found = file.tensors.find("0.weights_layer");
      const bool is_pair = found != file.tensors.end() && found->second.dims.size() > 1 && found->second.dims[1] == 2;
      read_.direction =
          is_pair ? dnnl::rnn_direction::bidirectional_concat : dnnl::rnn_direction::unidirectional_left2right;
    }
  }

  void read_layer(const safetensors& file, const std::string& prefix) {
    layer read;
    for (const weights_tensor& tensor : weights_tensors()) {
      const auto found = file.tensors.find(prefix + tensor.name);
      if (found == file.tensors.end()) continue;
      // l, d, slc or sic, gates, dhc; l, d, dhc, dic.
      const std::vector<int64_t>& dims = found->second.dims;
      if (dims.size() != tensor.rank) {
        refuse(prefix + tensor.name + " has " + std::to_string(dims.size()) + " dims, but must have " +
               std::to_string(tensor.rank));
      }
      if (found->second.is_bytes != (tensor.is_packed && read_.has_bytes())) {
        refuse(prefix + tensor.name + " must be " + (found->second.is_bytes ? "F32" : "I8"));
      }
      if (read_.precision == dnnl::fpmath_mode::f16 && tensor.is_packed) {
        check_float16(path_, prefix + tensor.name, found->second.values);
      }
      const memory held(dense(dims), read_.engine);
      copy(found->second.values, held);
      read.weights[tensor.argument] = held;
      if (tensor.argument == DNNL_ARG_WEIGHTS_LAYER) {
        read.slc = dims[2];
        read.dic = read.dhc = dims[4];
        read_.directions = dims[1];
      }
      if (tensor.argument == DNNL_ARG_WEIGHTS_PROJECTION) read.dic = dims[3];
    }
    if (read_.has_bytes()) read_bytes(file, prefix, &read);
    read_.layers.push_back(read);
  }

  // Makes numbers of the bytes in a layer's weights.
  void read_bytes(const safetensors& file, const std::string& prefix, layer* read) {
    read->bytes = read_coding(path_, file, prefix, *read, read_.quantization);
    for (const weights_tensor& tensor : weights_tensors()) {
      if (!tensor.is_packed || read->weights.count(tensor.argument) == 0) continue;
      std::vector<float> values = values_of(read->weights[tensor.argument]);
      read->bytes.to_numbers(tensor.argument, &values);
      copy(values, read->weights[tensor.argument]);
    }
  }

  const std::string path_;
  stack read_;
};

}  // namespace detail
}  // namespace tandem

#endif
