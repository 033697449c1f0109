// Primitives and buffers of tandem/network.hpp for sequences of one shape. Clients do not include this.
#ifndef TANDEM_NETWORK_RUN_HPP
#define TANDEM_NETWORK_RUN_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"
#include "tandem/network_file.hpp"

namespace tandem {

// h: layers * directions, N, dic; c, for LSTM: layers * directions, N, dhc. The direction is faster. Empty stands for the first
// state of the file, or zeros.
struct state {
  std::vector<float> h, c;
};

namespace detail {

struct run_shape {
  int64_t steps, rows;
  bool has_lengths;
  bool operator==(const run_shape& other) const {
    return steps == other.steps && rows == other.rows && has_lengths == other.has_lengths;
  }
};

// The layouts of weights: as they are held, or those that a primitive chooses.
enum class layouts { held, chosen };

// The descriptor of one layer's primitive. The first and the last layer have x and y with rows outermost if the file says so.
inline dnnl::primitive_desc describe(const stack& of, const layer& each, const run_shape& shape,
                                     layouts weights = layouts::held) {
  const bool is_concat = of.direction == dnnl::rnn_direction::bidirectional_concat;
  const bool is_first = &each == &of.layers.front(), is_last = &each == &of.layers.back();
  const memory::desc h = dense({1, of.directions, shape.rows, each.dic});
  const memory::desc c = dense({1, of.directions, shape.rows, each.dhc});
  const memory::data_type source =
      of.quantization == quantization::samples ? memory::data_type::u8 : memory::data_type::f32;
  dnnl::detail::rnn_op op(dnnl::prop_kind::forward_inference, of.cell, of.direction, dnnl::rnn_flags::undef);
  if (of.cell == dnnl::algorithm::vanilla_rnn) op.activation(of.activation, of.alpha, of.beta);
  op.set(&dnnl_rnn_desc_t::src_layer_desc,
         sequence({shape.steps, shape.rows, each.slc}, of.batch_first && is_first, source))
      .set(&dnnl_rnn_desc_t::src_iter_desc, h)
      .set(&dnnl_rnn_desc_t::dst_layer_desc,
           sequence({shape.steps, shape.rows, each.dic * (is_concat ? 2 : 1)}, of.batch_first && is_last))
      .set(&dnnl_rnn_desc_t::dst_iter_desc, h);
  if (of.is_augru()) {
    op.set(&dnnl_rnn_desc_t::augru_attention_desc, sequence({shape.steps, shape.rows, 1}, of.batch_first));
  }
  if (of.is_lstm()) op.set(&dnnl_rnn_desc_t::src_iter_c_desc, c).set(&dnnl_rnn_desc_t::dst_iter_c_desc, c);
  for (const weights_tensor& tensor : weights_tensors()) {
    const auto held = each.weights.find(tensor.argument);
    if (held == each.weights.end()) continue;
    const memory::desc desc = held->second.get_desc();
    const memory::data_type type = of.has_bytes() ? memory::data_type::s8 : memory::data_type::f32;
    const bool is_open = tensor.is_packed && weights == layouts::chosen;
    op.set(tensor.member, is_open ? memory::desc(desc.get_dims(), type, memory::format_tag::any) : desc);
  }
  dnnl::primitive_attr attributes;
  attributes.set_fpmath_mode(of.precision);
  attributes.set_rnn_sequence_lengths(shape.has_lengths);
  of.gates.add_to(&attributes);
  if (of.has_bytes()) each.bytes.add_to(&attributes, of.quantization);
  return dnnl::primitive_desc(op, attributes, of.engine);
}

// The same stack with weights in the layouts that the primitives choose, in place of the plain ones.
inline stack packed(stack read) {
  dnnl::stream stream(read.engine);
  for (layer& each : read.layers) {
    const dnnl::primitive_desc made = describe(read, each, {1, 1, false}, layouts::chosen);
    dnnl::primitive_attr coded;
    if (read.has_bytes()) each.bytes.add_to(&coded, read.quantization);
    for (auto& held : each.weights) {
      const memory::desc wanted = made.query_md(dnnl::query::exec_arg_md, held.first);
      const bool is_plain = held.second.get_desc().get_data_type() == wanted.get_data_type();
      memory to(wanted, read.engine);
      dnnl::reorder(held.second, to, is_plain ? dnnl::primitive_attr() : coded).execute(stream, held.second, to);
      held.second = to;
    }
  }
  stream.wait();
  return read;
}

// One thread at a time.
class network_run {
 public:
  network_run(const stack& of, const run_shape& shape) : stack_(of), shape_(shape), stream_(of.engine) {
    if (shape.has_lengths) lengths_ = memory(dense({shape.rows}, memory::data_type::s32), of.engine);
    for (const layer& each : of.layers) add(each);
  }

  const run_shape& shape() const { return shape_; }

  std::vector<float> execute(const std::vector<float>& x, state* states, const std::vector<int32_t>& lengths,
                             const std::vector<float>& attention) {
    copy(x, layers_.front().source);
    if (stack_.is_augru()) copy(attention, layers_.front().arguments.at(DNNL_ARG_AUGRU_ATTENTION));
    if (shape_.has_lengths) std::memcpy(lengths_.get_data_handle(), lengths.data(), lengths.size() * sizeof(int32_t));
    load(states != nullptr ? states->h : std::vector<float>(), DNNL_ARG_SRC_ITER);
    if (stack_.is_lstm()) load(states != nullptr ? states->c : std::vector<float>(), DNNL_ARG_SRC_ITER_C);
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (stack_.has_bytes()) {
        stream_.wait();  // for the layer below
        encode(stack_.layers[i].bytes, layers_[i]);
      }
      layers_[i].primitive.execute(stream_, layers_[i].arguments);
    }
    stream_.wait();
    if (states != nullptr) {
      states->h = gather(DNNL_ARG_DST_ITER);
      if (stack_.is_lstm()) states->c = gather(DNNL_ARG_DST_ITER_C);
    }
    return values_of(layers_.back().arguments.at(DNNL_ARG_DST_LAYER));
  }

 private:
  struct run_layer {
    dnnl::primitive primitive;
    std::unordered_map<int, memory> arguments;
    memory source;  // x as floats; the primitive's src_layer is the same, or has bytes
  };

  void add(const layer& each) {
    const dnnl::primitive_desc made = describe(stack_, each, shape_);
    run_layer made_layer;
    made_layer.primitive = dnnl::primitive(made);
    made_layer.arguments = each.weights;
    for (const int argument : {DNNL_ARG_SRC_ITER, DNNL_ARG_DST_ITER, DNNL_ARG_SRC_ITER_C, DNNL_ARG_DST_ITER_C,
                               DNNL_ARG_DST_LAYER, DNNL_ARG_SRC_LAYER, DNNL_ARG_AUGRU_ATTENTION}) {
      const memory::desc wanted = made.query_md(dnnl::query::exec_arg_md, argument);
      if (wanted.get_size() != 0) made_layer.arguments[argument] = memory(wanted, stack_.engine);
    }
    const bool has_u8 = stack_.quantization == quantization::samples;
    if (!layers_.empty()) {
      made_layer.source = layers_.back().arguments[DNNL_ARG_DST_LAYER];
    } else {
      const bool is_turned = stack_.batch_first;
      made_layer.source = memory(sequence({shape_.steps, shape_.rows, each.slc}, is_turned), stack_.engine);
    }
    if (!has_u8) made_layer.arguments[DNNL_ARG_SRC_LAYER] = made_layer.source;
    if (shape_.has_lengths) made_layer.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = lengths_;
    layers_.push_back(made_layer);
  }

  static void encode(const coding& bytes, const run_layer& each) {
    const float* x = static_cast<const float*>(each.source.get_data_handle());
    void* to = each.arguments.at(DNNL_ARG_SRC_LAYER).get_data_handle();
    bytes.encode(x, each.source.get_desc().get_size() / sizeof(float), to);
  }

  // The first state of the file for all rows.
  std::vector<float> first_state(const std::vector<float>& row, int64_t channels) const {
    std::vector<float> result;
    for (size_t at = 0; at < row.size(); at += static_cast<size_t>(channels)) {
      for (int64_t i = 0; i < shape_.rows; ++i) {
        const auto begin = row.begin() + static_cast<std::ptrdiff_t>(at);
        result.insert(result.end(), begin, begin + channels);
      }
    }
    return result;
  }

  // A state's values to the layers' tensors; the first ones or zeros if there are none.
  void load(const std::vector<float>& given, int argument) {
    const layer& first = stack_.layers.front();
    const std::vector<float> values = !given.empty()                  ? given
                                      : argument == DNNL_ARG_SRC_ITER ? first_state(stack_.first_h, first.dic)
                                                                      : first_state(stack_.first_c, first.dhc);
    size_t needed = 0;
    for (const run_layer& each : layers_) {
      needed += each.arguments.at(argument).get_desc().get_size() / sizeof(float);
    }
    if (!values.empty() && values.size() != needed) {
      throw std::invalid_argument("state: its size is not that of this network and of so many rows");
    }
    const float* from = values.data();
    for (const run_layer& each : layers_) {
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
    for (const run_layer& each : layers_) {
      const std::vector<float> part = values_of(each.arguments.at(argument));
      result.insert(result.end(), part.begin(), part.end());
    }
    return result;
  }

  const stack& stack_;
  const run_shape shape_;
  dnnl::stream stream_;
  memory lengths_;
  std::vector<run_layer> layers_;
};

}  // namespace detail
}  // namespace tandem

#endif
