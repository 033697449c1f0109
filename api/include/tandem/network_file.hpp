// The layers of tandem/network.hpp, read from a file. Clients do not include this.
#ifndef TANDEM_NETWORK_FILE_HPP
#define TANDEM_NETWORK_FILE_HPP

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"
#include "tandem/gates.hpp"
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
  gate_functions gates;
  bool batch_first = false;
  dnnl::fpmath_mode precision = dnnl::fpmath_mode::strict;
  int64_t directions = 1;
  std::vector<layer> layers;
  std::vector<float> first_h,
      first_c;  // of one row, before its first step: layers * directions, dic or dhc; empty: zeros

  bool is_lstm() const { return cell == dnnl::algorithm::vanilla_lstm; }
  bool is_augru() const { return cell == dnnl::algorithm::vanilla_augru || cell == dnnl::algorithm::lbr_augru; }
  bool has_bytes() const { return quantization != detail::quantization::none; }
};

class network_file_reader {
 public:
  network_file_reader(const std::string& path, const std::string& cell) : path_(path) {
    const safetensors file = read_safetensors(path);
    check_form(file);
    read_kind(file, cell);
    for (size_t number = 0; file.tensors.count(std::to_string(number) + ".weights_layer") != 0; ++number) {
      read_layer(file, std::to_string(number) + ".");
    }
    const std::string next = std::to_string(read_.layers.size()) + ".weights_layer";
    if (read_.layers.size() != count_layers(file)) refuse("has no tensor " + next + ", but a later layer");
    if (read_.layers.empty()) refuse("has no tensor " + next);
    if (read_.is_augru() && read_.layers.size() > 1) refuse("has an augru of several layers; it has one");
    read_first_state(file);
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

  template <typename Names>
  static bool is_one_of(const std::string& word, const Names& names) {
    return std::find(std::begin(names), std::end(names), word) != std::end(names);
  }

  // Refuses a newer form than that of docs/saved_networks.md, and what this one does not have. Older files do not say their form.
  void check_form(const safetensors& file) const {
    static const char* const keys[] = {"tandem_network", "cell",      "direction",   "activation",
                                       "alpha",          "beta",      "activations", "clip",
                                       "input_forget",   "precision", "batch_first", "quantization"};
    static const char* const tensors[] = {"weights_layer", "weights_iter", "weights_peephole", "weights_projection",
                                          "bias",          "factor",       "scales",           "projection_scales",
                                          "data"};
    static const char* const states[] = {"h", "c"};
    const std::string form = said(file, "tandem_network");
    if (form.empty()) return;
    if (form != "1")
      refuse("has tandem_network " + form + ", but this library reads 1; a newer one may have written it");
    for (const auto& each : file.metadata) {
      if (!is_one_of(each.first, keys) && each.first.compare(0, 5, "user.") != 0) {
        refuse("has the unknown key " + each.first + " in its metadata; keys of your own begin with user.");
      }
    }
    for (const auto& each : file.tensors) {
      const std::string& name = each.first;
      const size_t dot = name.find('.');
      if (dot == std::string::npos) continue;
      const std::string end = name.substr(dot + 1);
      const bool is_layer = dot > 0 && name.find_first_not_of("0123456789") == dot;
      const bool is_state = name.compare(0, dot, "first_state") == 0;
      if ((is_layer && !is_one_of(end, tensors)) || (is_state && !is_one_of(end, states))) {
        refuse("has the unknown tensor " + name);
      }
    }
  }

  void read_first_state(const safetensors& file) {
    const auto h = file.tensors.find("first_state.h"), c = file.tensors.find("first_state.c"),
               none = file.tensors.end();
    if (h == none && c == none) return;
    if (h == none || (c == none) == read_.is_lstm()) refuse("first_state must have h, of an lstm also c, else none");
    const layer& first = read_.layers.front();
    const int64_t rows = read_.directions * static_cast<int64_t>(read_.layers.size());
    take_state(*h, {rows, first.dic}, &read_.first_h);
    if (c != none) take_state(*c, {rows, first.dhc}, &read_.first_c);
  }
  void take_state(const std::pair<const std::string, array>& from, const std::vector<int64_t>& dims,
                  std::vector<float>* to) const {
    if (from.second.dims != dims) {
      refuse(from.first + " must have " + std::to_string(dims[0]) + " rows of " + std::to_string(dims[1]) + " numbers");
    }
    *to = from.second.values;
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

  // Returns a number of the metadata, 0 if it is not there.
  float number_of(const safetensors& file, const char* key) const {
    const std::string word = said(file, key);
    float number = 0;
    if (!word.empty() && !to_number(word, &number)) refuse(std::string(key) + " is " + word + ", which is no number");
    return number;
  }

  dnnl::algorithm activation_of(const std::string& word) const {
    for (const activation_row& row : activations()) {
      if (word == row.name) return row.kind;
    }
    refuse("has unknown " + word);
  }

  void read_gates(const safetensors& file) {
    const std::string words = said(file, "activations"), forget = said(file, "input_forget");
    const bool is_gru = read_.cell == dnnl::algorithm::vanilla_gru || read_.cell == dnnl::algorithm::lbr_gru;
    if (!words.empty()) {
      try {
        for (const std::string& word : split(words, '+')) read_.gates.functions.push_back(read_function(word));
      } catch (const std::invalid_argument& mistake) {
        refuse(mistake.what());
      }
      const size_t count = read_.is_lstm() ? 3 : is_gru ? 2 : 0;
      if (read_.gates.functions.size() != count) {
        refuse("activations are " + words + ", but this cell has " + std::to_string(count));
      }
    }
    read_.gates.clip = number_of(file, "clip");
    read_.gates.input_forget = !forget.empty() && choose<bool>(forget, {{"True", true}, {"False", false}});
  }

  void read_kind(const safetensors& file, const std::string& cell) {
    using dnnl::algorithm;
    read_.cell = choose<algorithm>(cell.empty() ? said(file, "cell") : cell, {{"lstm", algorithm::vanilla_lstm},
                                                                              {"gru", algorithm::vanilla_gru},
                                                                              {"lbr_gru", algorithm::lbr_gru},
                                                                              {"vanilla_rnn", algorithm::vanilla_rnn},
                                                                              {"augru", algorithm::vanilla_augru},
                                                                              {"lbr_augru", algorithm::lbr_augru}});
    if (read_.cell == algorithm::vanilla_rnn) {
      const std::string activation = said(file, "activation");
      read_.activation = activation_of(activation.empty() ? "tanh" : activation);
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
    read_gates(file);
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
