// A stack of RNN layers from a file of weights: what the converters of the package for Python write (docs/python.md).
//
//   tandem::network net("weights.safetensors");
//   tandem::state state;                              // zeros
//   std::vector<float> y = net.run(x, rows, &state);  // x: T, N = rows, slc; y: T, N, dlc; N first if the file says so
//
// C++11, over dnnl.hpp; link with libtandem. Mistakes in a file are std::runtime_error, those of a call std::logic_error or
// dnnl::error.
#ifndef TANDEM_NETWORK_HPP
#define TANDEM_NETWORK_HPP

#include <cstdint>
#include <cstring>
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

// h: layers * directions, N, dic; c, for LSTM: layers * directions, N, dhc. The direction is faster. Empty stands for zeros.
struct state {
  std::vector<float> h, c;
};

// One thread at a time may run a network; another one may run a copy, which has buffers of its own and shares the weights. Of
// one that was moved away every call but an assignment and the destructor throws std::logic_error.
class network {
 public:
  // cell: lstm, gru, lbr_gru or vanilla_rnn, for a file that does not say which one it has; "" takes what it says.
  explicit network(const std::string& path, const std::string& cell = "") : engine_(dnnl::engine::kind::cpu, 0) {
    try {
      read(path, cell);
    } catch (const dnnl::error& refusal) {
      throw std::runtime_error(path + ": " + refusal.what());  // shapes that do not fit each other
    }
  }

  network(const network& other)
      : engine_(other.engine_),
        stream_(engine_.get(true) != nullptr ? dnnl::stream(engine_) : dnnl::stream()),
        cell_(other.cell_),
        activation_(other.activation_),
        direction_(other.direction_),
        quantization_(other.quantization_),
        alpha_(other.alpha_),
        batch_first_(other.batch_first_),
        precision_(other.precision_),
        directions_(other.directions_),
        layers_(other.layers_) {
    for (detail::layer& each : layers_) each.arguments.clear();  // run() makes new ones
  }
  network(network&&) = default;
  network& operator=(const network& other) { return *this = network(other); }
  network& operator=(network&&) = default;
  ~network() = default;

  // Channels of x and of y, how many directions, and of the states the rows of each row of the minibatch: layers * directions.
  int64_t slc() const { return layers().front().slc; }
  int64_t dlc() const { return last().dic * (direction_ == dnnl::rnn_direction::bidirectional_concat ? 2 : 1); }
  int64_t directions() const { return directions_; }
  int64_t state_rows() const { return directions_ * static_cast<int64_t>(layers().size()); }
  // True if the file says that x and y are N, T, channels. Else they are T, N, channels.
  bool batch_first() const { return batch_first_; }

  // Returns the outputs of all steps. x: T, N, slc, or N, T, slc if batch_first(). states: those before the first step, then those
  // after the last; null: zeros, and not wanted. lengths: how many steps each row has, empty for all; outputs of later ones are 0,
  // and states those at a row's end.
  std::vector<float> run(const std::vector<float>& x, int64_t rows, state* states = nullptr,
                         const std::vector<int32_t>& lengths = std::vector<int32_t>()) {
    const int64_t steps = steps_of(x, rows);
    if (!lengths.empty() && static_cast<int64_t>(lengths.size()) != rows) {
      throw std::invalid_argument("lengths: there must be one for each row");
    }
    prepare(steps, rows, !lengths.empty());
    detail::copy(x, layers_.front().source);
    if (!lengths.empty()) std::memcpy(lengths_.get_data_handle(), lengths.data(), lengths.size() * sizeof(int32_t));
    load(states != nullptr ? states->h : std::vector<float>(), DNNL_ARG_SRC_ITER);
    if (is_lstm()) load(states != nullptr ? states->c : std::vector<float>(), DNNL_ARG_SRC_ITER_C);
    for (const detail::layer& each : layers_) {
      if (quantization_ != detail::quantization::none) {
        stream_.wait();  // for the layer below
        each.bytes.encode(each.source, each.arguments.at(DNNL_ARG_SRC_LAYER));
      }
      each.primitive.execute(stream_, each.arguments);
    }
    stream_.wait();
    if (states != nullptr) {
      states->h = gather(DNNL_ARG_DST_ITER);
      if (is_lstm()) states->c = gather(DNNL_ARG_DST_ITER_C);
    }
    return values_of(last().arguments.at(DNNL_ARG_DST_LAYER));
  }

 private:
  using memory = dnnl::memory;

  void read(const std::string& path, const std::string& cell) {
    stream_ = dnnl::stream(engine_);
    const safetensors file = read_safetensors(path);
    read_kind(path, file, cell);
    for (size_t number = 0; file.tensors.count(std::to_string(number) + ".weights_layer") != 0; ++number) {
      read_layer(path, file, std::to_string(number) + ".");
    }
    const std::string next = std::to_string(layers_.size()) + ".weights_layer";
    if (layers_.size() != count_layers(file))
      throw std::runtime_error(path + ": has no tensor " + next + ", but a later layer");
    if (layers_.empty()) throw std::runtime_error(path + ": has no tensor " + next);
    prepare(1, 1, false);
  }

  static size_t count_layers(const safetensors& file) {
    const std::string end = ".weights_layer";
    size_t count = 0;
    for (const auto& each : file.tensors) {
      const std::string& name = each.first;
      if (name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0) ++count;
    }
    return count;
  }

  bool is_lstm() const { return cell_ == dnnl::algorithm::vanilla_lstm; }
  const std::vector<detail::layer>& layers() const {
    if (layers_.empty()) throw std::logic_error("network: it was moved away");
    return layers_;
  }
  const detail::layer& last() const { return layers().back(); }

  int64_t steps_of(const std::vector<float>& x, int64_t rows) const {
    const int64_t channels = slc(), size = static_cast<int64_t>(x.size());
    if (rows <= 0 || rows > size / channels || size % (rows * channels) != 0) {
      throw std::invalid_argument("x: its size is no multiple of rows * slc");
    }
    return size / (rows * channels);
  }

  static std::string said(const safetensors& file, const char* key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? "" : found->second;
  }

  template <typename Value>
  static Value choose(const std::string& path, const std::string& word,
                      const std::vector<std::pair<const char*, Value>>& known) {
    for (const auto& each : known) {
      if (word == each.first) return each.second;
    }
    throw std::runtime_error(path + ": " + (word.empty() ? "does not say which cell it has" : "has unknown " + word));
  }

  // In any locale. "" is 0.
  static float number_of(const std::string& path, const std::string& word) {
    std::istringstream text(word);
    text.imbue(std::locale::classic());
    float number = 0;
    if (!word.empty() && (!(text >> number) || text.peek() != std::istringstream::traits_type::eof())) {
      throw std::runtime_error(path + ": alpha is " + word + ", which is no number");
    }
    return number;
  }

  void read_kind(const std::string& path, const safetensors& file, const std::string& cell) {
    using dnnl::algorithm;
    cell_ = choose<algorithm>(path, cell.empty() ? said(file, "cell") : cell,
                              {{"lstm", algorithm::vanilla_lstm},
                               {"gru", algorithm::vanilla_gru},
                               {"lbr_gru", algorithm::lbr_gru},
                               {"vanilla_rnn", algorithm::vanilla_rnn}});
    if (cell_ == algorithm::vanilla_rnn) {
      const std::string activation = said(file, "activation");
      activation_ = choose<algorithm>(path, activation.empty() ? "tanh" : activation,
                                      {
                                          // api/schema: network_activations
                                          {"relu", algorithm::eltwise_relu},
                                          {"tanh", algorithm::eltwise_tanh},
                                          {"logistic", algorithm::eltwise_logistic},
                                          // api/schema: end
                                      });
      alpha_ = number_of(path, said(file, "alpha"));
    }
    const std::string precision = said(file, "precision"), batch_first = said(file, "batch_first");
    if (!precision.empty()) {
      precision_ = choose<dnnl::fpmath_mode>(path, precision,
                                             {{"float32", dnnl::fpmath_mode::strict},
                                              {"bfloat16", dnnl::fpmath_mode::bf16},
                                              {"float16", dnnl::fpmath_mode::f16}});
    }
    const std::string bytes = said(file, "quantization");
    if (!bytes.empty()) {
      quantization_ = choose<detail::quantization>(path, bytes,
                                                   {{"dynamic", detail::quantization::dynamic},
                                                    {"weights_only", detail::quantization::weights_only},
                                                    {"samples", detail::quantization::samples}});
      precision_ = dnnl::fpmath_mode::strict;
    }
    batch_first_ = !batch_first.empty() && choose<bool>(path, batch_first, {{"True", true}, {"False", false}});
    read_direction(path, file);
  }

  void read_direction(const std::string& path, const safetensors& file) {
    const std::string direction = said(file, "direction");
    if (!direction.empty()) {
      direction_ = choose<dnnl::rnn_direction>(path, direction,
                                               {{"left2right", dnnl::rnn_direction::unidirectional_left2right},
                                                {"right2left", dnnl::rnn_direction::unidirectional_right2left},
                                                {"concat", dnnl::rnn_direction::bidirectional_concat},
                                                {"sum", dnnl::rnn_direction::bidirectional_sum}});
    } else {
      const auto found = file.tensors.find("0.weights_layer");
      const bool is_pair = found != file.tensors.end() && found->second.dims.size() > 1 && found->second.dims[1] == 2;
      direction_ = is_pair ? dnnl::rnn_direction::bidirectional_concat : dnnl::rnn_direction::unidirectional_left2right;
    }
  }

  void read_layer(const std::string& path, const safetensors& file, const std::string& prefix) {
    detail::layer read;
    for (const detail::weights_tensor& tensor : detail::weights_tensors()) {
      const auto found = file.tensors.find(prefix + tensor.name);
      if (found == file.tensors.end()) continue;
      // l, d, slc or sic, gates, dhc; l, d, dhc, dic.
      const std::vector<int64_t>& dims = found->second.dims;
      if (dims.size() != tensor.rank) {
        throw std::runtime_error(path + ": " + prefix + tensor.name + " has " + std::to_string(dims.size()) +
                                 " dims, but must have " + std::to_string(tensor.rank));
      }
      if (found->second.is_bytes != (tensor.is_packed && quantization_ != detail::quantization::none)) {
        throw std::runtime_error(path + ": " + prefix + tensor.name + " must be " +
                                 (found->second.is_bytes ? "F32" : "I8"));
      }
      if (precision_ == dnnl::fpmath_mode::f16 && tensor.is_packed) {
        detail::check_float16(path, prefix + tensor.name, found->second.values);
      }
      const memory held(detail::dense(dims), engine_);
      detail::copy(found->second.values, held);
      read.weights[tensor.argument] = held;
      if (tensor.argument == DNNL_ARG_WEIGHTS_LAYER) {
        read.slc = dims[2];
        read.dic = read.dhc = dims[4];
        directions_ = dims[1];
      }
      if (tensor.argument == DNNL_ARG_WEIGHTS_PROJECTION) read.dic = dims[3];
    }
    if (quantization_ != detail::quantization::none) read_bytes(path, file, prefix, &read);
    layers_.push_back(read);
  }

  // Makes numbers of the bytes in a layer's weights.
  void read_bytes(const std::string& path, const safetensors& file, const std::string& prefix, detail::layer* read) {
    read->bytes = detail::read_coding(path, file, prefix, *read, quantization_);
    for (const detail::weights_tensor& tensor : detail::weights_tensors()) {
      if (!tensor.is_packed || read->weights.count(tensor.argument) == 0) continue;
      std::vector<float> values = values_of(read->weights[tensor.argument]);
      read->bytes.to_numbers(tensor.argument, &values);
      detail::copy(values, read->weights[tensor.argument]);
    }
  }

  // Makes primitives and buffers for this shape, unless they are those of the last call.
  void prepare(int64_t steps, int64_t rows, bool has_lengths) {
    if (steps == steps_ && rows == rows_ && has_lengths == has_lengths_) return;
    steps_ = 0;  // until all is made
    if (has_lengths) lengths_ = memory(detail::dense({rows}, memory::data_type::s32), engine_);
    memory source(detail::sequence({steps, rows, slc()}, batch_first_), engine_);
    for (detail::layer& each : layers_) {
      each.arguments.clear();
      each.source = each.arguments[DNNL_ARG_SRC_LAYER] = source;
      if (quantization_ == detail::quantization::samples) {
        const bool is_turned = batch_first_ && &each == &layers_.front();
        const memory::desc bytes = detail::sequence({steps, rows, each.slc}, is_turned, memory::data_type::u8);
        each.arguments[DNNL_ARG_SRC_LAYER] = memory(bytes, engine_);
      }
      prepare_layer(&each, steps, rows, has_lengths);
      source = each.arguments[DNNL_ARG_DST_LAYER];
    }
    steps_ = steps;
    rows_ = rows;
    has_lengths_ = has_lengths;
  }

  void prepare_layer(detail::layer* each, int64_t steps, int64_t rows, bool has_lengths) {
    const bool is_concat = direction_ == dnnl::rnn_direction::bidirectional_concat;
    const memory::desc h = detail::dense({1, directions_, rows, each->dic});
    const memory::desc c = detail::dense({1, directions_, rows, each->dhc});
    const bool is_turned = batch_first_ && each == &layers_.back();
    const memory::desc y = detail::sequence({steps, rows, each->dic * (is_concat ? 2 : 1)}, is_turned);
    dnnl::detail::rnn_op op(dnnl::prop_kind::forward_inference, cell_, direction_, dnnl::rnn_flags::undef);
    if (cell_ == dnnl::algorithm::vanilla_rnn) op.activation(activation_, alpha_, 0.f);
    op.set(&dnnl_rnn_desc_t::src_layer_desc, each->arguments[DNNL_ARG_SRC_LAYER].get_desc())
        .set(&dnnl_rnn_desc_t::src_iter_desc, h)
        .set(&dnnl_rnn_desc_t::dst_layer_desc, y)
        .set(&dnnl_rnn_desc_t::dst_iter_desc, h);
    if (is_lstm()) op.set(&dnnl_rnn_desc_t::src_iter_c_desc, c).set(&dnnl_rnn_desc_t::dst_iter_c_desc, c);
    const bool has_bytes = quantization_ != detail::quantization::none;
    for (const detail::weights_tensor& tensor : detail::weights_tensors()) {
      if (each->weights.count(tensor.argument) == 0) continue;
      const memory::desc plain = each->weights[tensor.argument].get_desc();
      const memory::data_type type = has_bytes ? memory::data_type::s8 : memory::data_type::f32;
      const memory::desc any(plain.get_dims(), type, memory::format_tag::any);
      op.set(tensor.member, tensor.is_packed ? any : plain);
    }
    dnnl::primitive_attr attributes;
    attributes.set_fpmath_mode(precision_);
    attributes.set_rnn_sequence_lengths(has_lengths);
    if (has_bytes) each->bytes.add_to(&attributes, quantization_);
    const dnnl::primitive_desc made(op, attributes, engine_);
    each->primitive = dnnl::primitive(made);
    pack(made, each);
    for (const int argument : {DNNL_ARG_SRC_ITER, DNNL_ARG_DST_ITER}) each->arguments[argument] = memory(h, engine_);
    if (is_lstm()) {
      for (const int argument : {DNNL_ARG_SRC_ITER_C, DNNL_ARG_DST_ITER_C}) {
        each->arguments[argument] = memory(c, engine_);
      }
    }
    each->arguments[DNNL_ARG_DST_LAYER] = memory(y, engine_);
    if (has_lengths) each->arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = lengths_;
  }

  // Gives weights the layouts that a primitive asks for, once for each.
  void pack(const dnnl::primitive_desc& made, detail::layer* each) {
    dnnl::primitive_attr coded;
    if (quantization_ != detail::quantization::none) each->bytes.add_to(&coded, quantization_);
    for (auto& held : each->weights) {
      const memory::desc wanted = made.query_md(dnnl::query::exec_arg_md, held.first);
      memory& packed = each->packed[held.first];
      if (packed.get(true) == nullptr || packed.get_desc() != wanted) {
        packed = memory(wanted, engine_);
        const bool is_plain = held.second.get_desc().get_data_type() == wanted.get_data_type();
        dnnl::reorder(held.second, packed, is_plain ? dnnl::primitive_attr() : coded)
            .execute(stream_, held.second, packed);
      }
      each->arguments[held.first] = packed;
    }
  }

  // A state's values to the layers' tensors; zeros if there are none.
  void load(const std::vector<float>& values, int argument) {
    size_t needed = 0;
    for (const detail::layer& each : layers_)
      needed += each.arguments.at(argument).get_desc().get_size() / sizeof(float);
    if (!values.empty() && values.size() != needed) {
      throw std::invalid_argument("state: its size is not that of this network and of so many rows");
    }
    const float* from = values.data();
    for (const detail::layer& each : layers_) {
      const memory& to = each.arguments.at(argument);
      const size_t size = to.get_desc().get_size();
      if (values.empty()) {
        std::memset(to.get_data_handle(), 0, size);
      } else {
        std::memcpy(to.get_data_handle(), from, size);
        from += size / sizeof(float);
      }
    }
  }

  std::vector<float> gather(int argument) const {
    std::vector<float> result;
    for (const detail::layer& each : layers_) {
      const std::vector<float> part = values_of(each.arguments.at(argument));
      result.insert(result.end(), part.begin(), part.end());
    }
    return result;
  }

  static std::vector<float> values_of(const memory& tensor) {
    const float* values = static_cast<const float*>(tensor.get_data_handle());
    return std::vector<float>(values, values + tensor.get_desc().get_size() / sizeof(float));
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::algorithm cell_ = dnnl::algorithm::undef, activation_ = dnnl::algorithm::undef;
  dnnl::rnn_direction direction_ = dnnl::rnn_direction::unidirectional_left2right;
  detail::quantization quantization_ = detail::quantization::none;
  float alpha_ = 0.f;
  bool batch_first_ = false;
  dnnl::fpmath_mode precision_ = dnnl::fpmath_mode::strict;
  int64_t directions_ = 1, steps_ = 0, rows_ = 0;
  bool has_lengths_ = false;
  memory lengths_;
  std::vector<detail::layer> layers_;
};

}  // namespace tandem

#endif
