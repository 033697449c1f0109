// An encoder and a decoder of stacked LSTM primitives hand their states on, without attention. The primitives read and write
// windows of shared tensors: each is made from a submemory_desc and is given the whole tensor.
//
//   encoder_decoder f32|u8 [unrolled]
//
// `unrolled` computes the same network one layer, direction and step at a time, with tensors of their own and copies between
// them. The one source serves both generations of the API, as clients have it that support both. A test compiles it against
// Tandem for either, and against the system's oneDNN 2.6, and compares the numbers.
#include <cstdio>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

using dnnl::memory;
using tag = memory::format_tag;
using dt = memory::data_type;
using direction = dnnl::rnn_direction;
using Arguments = std::unordered_map<int, memory>;

namespace {

const memory::dim kSource = 5, kTarget = 4, kBatch = 2, kChannels = 4, kDecoderLayers = 3;

// These are the weights of a stack of layers: f32, ldigo; bias ldgo.
struct Weights {
  memory::dim layers, directions, inputs;
  std::vector<float> layer, iter, bias;
};

std::vector<float> Ramp(memory::dim count, float scale, size_t begin) {
  std::vector<float> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = scale * (static_cast<float>((i + begin) * 7 % 13) - 6.f) / 6.f;
  return values;
}

Weights MakeWeights(memory::dim layers, memory::dim directions, memory::dim inputs, size_t begin) {
  const memory::dim cells = layers * directions, outputs = 4 * kChannels;
  return {layers,
          directions,
          inputs,
          Ramp(cells * inputs * outputs, 0.6f, begin),
          Ramp(cells * kChannels * outputs, 0.5f, begin + 3),
          Ramp(cells * outputs, 0.4f, begin + 5)};
}

// Returns the weights of one layer and one direction.
Weights CellOf(const Weights& all, memory::dim layer, memory::dim dir) {
  const auto part = [&](const std::vector<float>& values) {
    const auto size = static_cast<std::ptrdiff_t>(values.size()) / (all.layers * all.directions);
    const auto begin = values.begin() + (layer * all.directions + dir) * size;
    return std::vector<float>(begin, begin + size);
  };
  return {1, 1, all.inputs, part(all.layer), part(all.iter), part(all.bias)};
}

class Network {
 public:
  explicit Network(dt type) : type_(type) {
    if (type == dt::f32) return;
    attr_.set_rnn_data_qparams(64.f, 1.f);
    attr_.set_rnn_weights_qparams(0, {127.f});
  }

  memory::desc Sequence(memory::dim steps, memory::dim channels) const {
    return {{steps, kBatch, channels}, type_, tag::tnc};
  }
  memory::desc State(memory::dim layers, memory::dim channels) const {
    return {{layers, 1, kBatch, channels}, type_, tag::ldnc};
  }
  static memory::desc CellState(memory::dim layers) { return {{layers, 1, kBatch, kChannels}, dt::f32, tag::ldnc}; }

  memory Zeros(const memory::desc& md) {
    memory result(md, engine_);
    std::memset(result.get_data_handle(), 0, md.get_size());
    return result;
  }
  // Returns the tensor, quantized as the network is.
  memory Filled(const memory::desc& md, std::vector<float> values) {
    memory result(md, engine_);
    Copy(memory({md.dims(), dt::f32, memory::dims()}, engine_, values.data()), result);
    return result;
  }
  void Copy(memory from, memory to) {
    const bool is_quantized = from.get_desc().data_type() != to.get_desc().data_type();
    dnnl::reorder(from, to, is_quantized ? attr_ : dnnl::primitive_attr()).execute(stream_, from, to);
    stream_.wait();
  }
  // Returns a memory of the window `part` in the tensor's buffer.
  memory View(const memory::desc& part, const memory& whole) { return {part, engine_, whole.get_data_handle()}; }

  // `states` are src_iter, src_iter_c, dst_iter, dst_iter_c; each may be a zero descriptor.
  void Run(direction where, const Weights& weights, const memory::desc& src_md, const memory::desc& dst_md,
           const std::vector<memory::desc>& states, Arguments arguments) {
    const memory::dim l = weights.layers, d = weights.directions;
    const dt weights_type = type_ == dt::f32 ? dt::f32 : dt::s8;
    const memory::dims layer_dims = {l, d, weights.inputs, 4, kChannels}, iter_dims = {l, d, kChannels, 4, kChannels};
    const memory::desc layer_md(layer_dims, weights_type, tag::any), iter_md(iter_dims, weights_type, tag::any);
    const memory::desc bias_md({l, d, 4, kChannels}, dt::f32, tag::ldgo);
    const auto inference = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::lstm_forward::primitive_desc pd(engine_, inference, where, src_md, states[0], states[1], layer_md,
                                                iter_md, bias_md, dst_md, states[2], states[3], attr_);
#else
    const dnnl::lstm_forward::desc op(inference, where, src_md, states[0], states[1], layer_md, iter_md, bias_md,
                                      dst_md, states[2], states[3]);
    const dnnl::lstm_forward::primitive_desc pd(op, attr_, engine_);
#endif
    arguments[DNNL_ARG_WEIGHTS_LAYER] = WeightsIn(pd.weights_layer_desc(), layer_dims, weights.layer);
    arguments[DNNL_ARG_WEIGHTS_ITER] = WeightsIn(pd.weights_iter_desc(), iter_dims, weights.iter);
    arguments[DNNL_ARG_BIAS] = Filled(bias_md, weights.bias);
    dnnl::lstm_forward(pd).execute(stream_, arguments);
    stream_.wait();
  }

  // Computes one layer and direction, step by step. `h` and `c` are updated; `dst` is filled from channel `to` on.
  void Unroll(const Weights& cell, bool is_reversed, const memory& src, const memory& dst, memory::dim to, memory h,
              memory c) {
    const memory::desc src_md = src.get_desc(), dst_md = dst.get_desc();
    const memory::dim steps = src_md.dims()[0];
    for (memory::dim i = 0; i < steps; ++i) {
      const memory::dim t = is_reversed ? steps - 1 - i : i;
      memory x(Sequence(1, cell.inputs), engine_), y(Sequence(1, kChannels), engine_);
      Copy(View(src_md.submemory_desc({1, kBatch, cell.inputs}, {t, 0, 0}), src), x);
      memory next_h(h.get_desc(), engine_), next_c(c.get_desc(), engine_);
      Run(direction::unidirectional_left2right, cell, x.get_desc(), y.get_desc(),
          {h.get_desc(), c.get_desc(), h.get_desc(), c.get_desc()},
          {{DNNL_ARG_SRC_LAYER, x},
           {DNNL_ARG_SRC_ITER, h},
           {DNNL_ARG_SRC_ITER_C, c},
           {DNNL_ARG_DST_LAYER, y},
           {DNNL_ARG_DST_ITER, next_h},
           {DNNL_ARG_DST_ITER_C, next_c}});
      Copy(y, View(dst_md.submemory_desc({1, kBatch, kChannels}, {t, 0, to}), dst));
      Copy(next_h, h);
      Copy(next_c, c);
    }
  }

 private:
  memory WeightsIn(const memory::desc& md, const memory::dims& dims, std::vector<float> values) {
    memory result(md, engine_);
    Copy(memory({dims, dt::f32, tag::ldigo}, engine_, values.data()), result);
    return result;
  }

  const dt type_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::primitive_attr attr_;
};

void Print(const memory& tensor) {
  const memory::desc md = tensor.get_desc();
  const void* values = tensor.get_data_handle();
  if (md.data_type() == dt::f32) {
    for (size_t i = 0; i < md.get_size() / sizeof(float); ++i)
      std::printf("%.9g\n", static_cast<double>(static_cast<const float*>(values)[i]));
  } else {
    for (size_t i = 0; i < md.get_size(); ++i) std::printf("%d\n", static_cast<const uint8_t*>(values)[i]);
  }
}

struct Model {
  Weights bottom = MakeWeights(1, 2, kChannels, 0), middle = MakeWeights(1, 1, 2 * kChannels, 1),
          top = MakeWeights(2, 1, kChannels, 2), decoder = MakeWeights(kDecoderLayers, 1, kChannels, 4);
};

// The results are the target sequence and the decoder's states in rows [h | summary of the encoder]. Step 0 of the sequence is
// given; each further step is the decoder's answer to the one before.
struct Results {
  memory target, states, cells;
};

void Windowed(Network* net, const Model& model, const memory& source, const Results& results) {
  const auto left2right = direction::unidirectional_left2right;
  const memory::desc none, seq = net->Sequence(kSource, kChannels), both = net->Sequence(kSource, 2 * kChannels);
  const memory low = net->Zeros(both), high = net->Zeros(seq), out = net->Zeros(seq);
  net->Run(direction::bidirectional_concat, model.bottom, seq, both, {none, none, none, none},
           {{DNNL_ARG_SRC_LAYER, source}, {DNNL_ARG_DST_LAYER, low}});

  // The first layer's state goes to row 0 of the decoder's states, the others' to rows 1 and 2.
  const memory::desc wide = results.states.get_desc(), cells = results.cells.get_desc();
  const auto rows = [&](const memory::desc& md, memory::dim first, memory::dim count) {
    return md.submemory_desc({count, 1, kBatch, kChannels}, {first, 0, 0, 0});
  };
  const Arguments states = {{DNNL_ARG_DST_ITER, results.states}, {DNNL_ARG_DST_ITER_C, results.cells}};
  Arguments arguments = states;
  arguments[DNNL_ARG_SRC_LAYER] = low;
  arguments[DNNL_ARG_DST_LAYER] = high;
  net->Run(left2right, model.middle, both, seq, {none, none, rows(wide, 0, 1), rows(cells, 0, 1)}, arguments);
  arguments[DNNL_ARG_SRC_LAYER] = high;
  arguments[DNNL_ARG_DST_LAYER] = out;
  net->Run(left2right, model.top, seq, seq, {none, none, rows(wide, 1, 2), rows(cells, 1, 2)}, arguments);
  const memory::dims state = {kDecoderLayers, 1, kBatch, kChannels};
  const memory::desc h = wide.submemory_desc(state, {0, 0, 0, 0}),
                     summary = wide.submemory_desc(state, {0, 0, 0, kChannels});
  net->Copy(net->View(h, results.states), net->View(summary, results.states));

  const memory::desc target = results.target.get_desc();
  arguments = {{DNNL_ARG_SRC_LAYER, results.target}, {DNNL_ARG_DST_LAYER, results.target},
               {DNNL_ARG_SRC_ITER, results.states},  {DNNL_ARG_SRC_ITER_C, results.cells},
               {DNNL_ARG_DST_ITER, results.states},  {DNNL_ARG_DST_ITER_C, results.cells}};
  for (memory::dim t = 0; t < kTarget; ++t) {
    const memory::dims slice = {1, kBatch, kChannels};
    net->Run(left2right, model.decoder, target.submemory_desc(slice, {t, 0, 0}),
             target.submemory_desc(slice, {t + 1, 0, 0}), {h, cells, h, cells}, arguments);
  }
}

void Unrolled(Network* net, const Model& model, const memory& source, const Results& results) {
  const std::vector<float> zeros(kBatch * kChannels);
  const memory::desc state = net->State(1, kChannels), cell = Network::CellState(1);
  std::vector<memory> h, c;
  for (memory::dim i = 0; i < 2 + kDecoderLayers; ++i) {
    h.push_back(net->Filled(state, zeros));
    c.push_back(net->Zeros(cell));
  }
  const memory low = net->Zeros(net->Sequence(kSource, 2 * kChannels));
  for (const memory::dim dir : {0, 1}) {
    net->Unroll(CellOf(model.bottom, 0, dir), dir == 1, source, low, dir * kChannels, h[3 + dir], c[3 + dir]);
  }
  memory input = low;
  for (memory::dim layer = 0; layer < kDecoderLayers; ++layer) {
    const memory output = net->Zeros(net->Sequence(kSource, kChannels));
    const Weights weights = layer == 0 ? model.middle : CellOf(model.top, layer - 1, 0);
    net->Unroll(weights, false, input, output, 0, h[layer], c[layer]);
    input = output;
  }
  const auto put = [&](memory::dim layer, const memory& from, const memory& to, memory::dim channel) {
    const memory::dims dims = {1, 1, kBatch, kChannels};
    net->Copy(from, net->View(to.get_desc().submemory_desc(dims, {layer, 0, 0, channel}), to));
  };
  for (memory::dim layer = 0; layer < kDecoderLayers; ++layer) put(layer, h[layer], results.states, kChannels);

  const memory::desc target = results.target.get_desc(), step = net->Sequence(1, kChannels);
  const auto slice = [&](memory::dim t) {
    return net->View(target.submemory_desc({1, kBatch, kChannels}, {t, 0, 0}), results.target);
  };
  for (memory::dim t = 0; t < kTarget; ++t) {
    memory x = net->Zeros(step);
    net->Copy(slice(t), x);
    for (memory::dim layer = 0; layer < kDecoderLayers; ++layer) {
      const memory y = net->Zeros(step);
      net->Unroll(CellOf(model.decoder, layer, 0), false, x, y, 0, h[layer], c[layer]);
      x = y;
    }
    net->Copy(x, slice(t + 1));
  }
  for (memory::dim layer = 0; layer < kDecoderLayers; ++layer) {
    put(layer, h[layer], results.states, 0);
    put(layer, c[layer], results.cells, 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_quantized = argc > 1 && std::strcmp(argv[1], "u8") == 0;
  const bool is_unrolled = argc > 2 && std::strcmp(argv[2], "unrolled") == 0;
  Network net(is_quantized ? dt::u8 : dt::f32);
  const memory source = net.Filled(net.Sequence(kSource, kChannels), Ramp(kSource * kBatch * kChannels, 1.f, 0));
  const memory::desc target_md = net.Sequence(1 + kTarget, kChannels);
  const Results results = {net.Filled(target_md, Ramp((1 + kTarget) * kBatch * kChannels, 0.8f, 6)),
                           net.Zeros(net.State(kDecoderLayers, 2 * kChannels)),
                           net.Zeros(Network::CellState(kDecoderLayers))};
  (is_unrolled ? Unrolled : Windowed)(&net, Model(), source, results);
  for (const memory& tensor : {results.target, results.states, results.cells}) Print(tensor);
  return 0;
}
