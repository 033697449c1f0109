// Measures how far states are from the exact ones after many steps, beside a plain f32 loop that takes expf and tanhf from the
// C library. It is run by hand:
//
//     accuracy [T UNITS]
//
// A run takes T steps (200) of one row of UNITS channels and units (512). src_layer is uniform in [-1, 1], weights and bias are
// in [-1, 1] / sqrt(UNITS). The bias of the gate that keeps the state (f, u) is larger by a constant, as a trained one often
// is. The "exact" states come from the same loop in double, states included.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dnnl.hpp>
#include <random>
#include <vector>

namespace {

using dnnl::memory;
using Tag = memory::format_tag;

enum class Cell { kLstm, kGru, kLbrGru };

struct Network {
  Cell cell;
  size_t steps, units, gates, biases;
  std::vector<float> src_layer, weights_layer, weights_iter, bias;
};

Network MakeNetwork(Cell cell, size_t steps, size_t units, float kept) {
  Network net = {cell, steps, units, cell == Cell::kLstm ? size_t{4} : 3, cell == Cell::kGru ? size_t{3} : 4, {},
                 {},   {},    {}};
  std::mt19937 random(1);
  const auto fill = [&](size_t count, float limit, std::vector<float>* to) {
    for (size_t i = 0; i < count; ++i) {
      to->push_back(limit * (static_cast<float>(random() >> 8) * 0x1p-23f - 1.f));
    }
  };
  const float limit = 1 / std::sqrt(static_cast<float>(units));
  fill(steps * units, 1.f, &net.src_layer);
  fill(units * net.gates * units, limit, &net.weights_layer);
  fill(units * net.gates * units, limit, &net.weights_iter);
  fill(net.biases * units, limit, &net.bias);
  const size_t keeping = cell == Cell::kLstm ? 1 : 0;
  for (size_t j = 0; j < units; ++j) net.bias[keeping * units + j] += kept;
  return net;
}

// to[j] += sum over k of a[k] * weights[k][first + j], in this order.
template <class N>
void AddProduct(const Network& net, const std::vector<float>& weights, const N* a, size_t first, std::vector<N>* to) {
  for (size_t k = 0; k < net.units; ++k) {
    const float* row = weights.data() + k * net.gates * net.units + first;
    for (size_t j = 0; j < to->size(); ++j) (*to)[j] += a[k] * static_cast<N>(row[j]);
  }
}

template <class N>
N Sigmoid(N x) {
  return 1 / (1 + std::exp(-x));
}

// These functions take one step of each cell in the arithmetic of N. `a` holds W x, to which U h is added and then the bias.
template <class N>
void AddBias(const Network& net, size_t first, std::vector<N>* to) {
  for (size_t j = 0; j < to->size(); ++j) (*to)[j] += net.bias[first + j];
}

template <class N>
void StepLstm(const Network& net, std::vector<N> a, std::vector<N>* h, std::vector<N>* c) {
  AddProduct(net, net.weights_iter, h->data(), 0, &a);
  AddBias(net, 0, &a);
  for (size_t j = 0; j < net.units; ++j) {
    const N *i = &a[j], *f = i + net.units, *g = f + net.units, *o = g + net.units;
    (*c)[j] = Sigmoid(*f) * (*c)[j] + Sigmoid(*i) * std::tanh(*g);
    (*h)[j] = Sigmoid(*o) * std::tanh((*c)[j]);
  }
}

template <class N>
void StepGru(const Network& net, const std::vector<N>& a, std::vector<N>* h) {
  const size_t units = net.units;
  std::vector<N> gates(a.begin(), a.begin() + 2 * units), candidate(a.begin() + 2 * units, a.end());
  AddProduct(net, net.weights_iter, h->data(), 0, &gates);
  AddBias(net, 0, &gates);
  std::vector<N> linear(units), reset(units);
  for (size_t j = 0; j < units; ++j) reset[j] = Sigmoid(gates[units + j]);
  if (net.cell == Cell::kLbrGru) {
    AddProduct(net, net.weights_iter, h->data(), 2 * units, &linear);
    AddBias(net, 3 * units, &linear);
    for (size_t j = 0; j < units; ++j) candidate[j] += reset[j] * linear[j];
  } else {
    for (size_t j = 0; j < units; ++j) reset[j] *= (*h)[j];
    AddProduct(net, net.weights_iter, reset.data(), 2 * units, &candidate);
  }
  AddBias(net, 2 * units, &candidate);
  for (size_t j = 0; j < units; ++j) {
    const N u = Sigmoid(gates[j]);
    (*h)[j] = u * (*h)[j] + (1 - u) * std::tanh(candidate[j]);
  }
}

// Returns dst_layer.
template <class N>
std::vector<N> Run(const Network& net) {
  std::vector<N> h(net.units), c(net.units), all;
  for (size_t t = 0; t < net.steps; ++t) {
    const std::vector<N> x(net.src_layer.begin() + t * net.units, net.src_layer.begin() + (t + 1) * net.units);
    std::vector<N> a(net.gates * net.units);
    AddProduct(net, net.weights_layer, x.data(), 0, &a);
    net.cell == Cell::kLstm ? StepLstm(net, a, &h, &c) : StepGru(net, a, &h);
    all.insert(all.end(), h.begin(), h.end());
  }
  return all;
}

class Library {
 public:
  std::vector<float> Run(Network net) {
    const memory::dim steps = net.steps, units = net.units, gates = net.gates, biases = net.biases;
    const memory::desc layer = Plain({steps, 1, units}, Tag::tnc),
                       weights = Plain({1, 1, units, gates, units}, Tag::ldigo);
    const memory::desc bias = Plain({1, 1, biases, units}, Tag::ldgo);
    const auto inference = dnnl::prop_kind::forward_inference;
    const auto direction = dnnl::rnn_direction::unidirectional_left2right;
    const memory::desc none;
    std::vector<float> dst(net.steps * net.units);
    std::unordered_map<int, memory> arguments = {
        {DNNL_ARG_SRC_LAYER, {layer, engine_, net.src_layer.data()}},
        {DNNL_ARG_WEIGHTS_LAYER, {weights, engine_, net.weights_layer.data()}},
        {DNNL_ARG_WEIGHTS_ITER, {weights, engine_, net.weights_iter.data()}},
        {DNNL_ARG_BIAS, {bias, engine_, net.bias.data()}},
        {DNNL_ARG_DST_LAYER, {layer, engine_, dst.data()}},
    };
    switch (net.cell) {
      case Cell::kLstm:
        Execute(dnnl::lstm_forward(
                    {engine_, inference, direction, layer, none, none, weights, weights, bias, layer, none, none}),
                arguments);
        break;
      case Cell::kGru:
        Execute(dnnl::gru_forward({engine_, inference, direction, layer, none, weights, weights, bias, layer, none}),
                arguments);
        break;
      case Cell::kLbrGru:
        Execute(
            dnnl::lbr_gru_forward({engine_, inference, direction, layer, none, weights, weights, bias, layer, none}),
            arguments);
        break;
    }
    return dst;
  }

 private:
  static memory::desc Plain(const memory::dims& dims, Tag tag) {
    return memory::desc(dims, memory::data_type::f32, tag);
  }
  void Execute(dnnl::primitive primitive, const std::unordered_map<int, memory>& arguments) {
    primitive.execute(stream_, arguments);
    stream_.wait();
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
};

double RmsError(const std::vector<float>& got, const std::vector<double>& exact) {
  double sum = 0;
  for (size_t i = 0; i < got.size(); ++i) sum += (got[i] - exact[i]) * (got[i] - exact[i]);
  return std::sqrt(sum / static_cast<double>(got.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const size_t steps = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200;
  const size_t units = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 512;
  const struct {
    const char* name;
    Cell cell;
  } cells[] = {{"LSTM", Cell::kLstm}, {"GRU", Cell::kGru}, {"LBR-GRU", Cell::kLbrGru}};
  Library library;
  for (const auto& row : cells) {
    for (const float kept : {0.f, 1.f, 3.f, 5.f}) {
      const Network net = MakeNetwork(row.cell, steps, units, kept);
      const std::vector<double> exact = Run<double>(net);
      const double ours = RmsError(library.Run(net), exact), plain = RmsError(Run<float>(net), exact);
      std::printf("%-8s bias of the keeping gate + %.0f: library %.3g, plain loop %.3g, ratio %.2f\n", row.name, kept,
                  ours, plain, ours / plain);
    }
  }
  return 0;
}
