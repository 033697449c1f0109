// Measures single executions and the slowest ones among them, which a mean hides. Run by hand, e.g. while another process keeps a
// core busy:
//
//     latency_bench CELL T N SLC DHC THREADS [normal|decay] [SECONDS]
//
// CELL is lstm or gru. With decay, src_layer, the bias and the states before the first step are subnormal numbers.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dnnl.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using dnnl::memory;
using Arguments = std::unordered_map<int, memory>;

enum class Data { kNormal, kDecay };

struct Problem {
  std::string cell;
  memory::dim steps, rows, channels, units;
};

memory::desc Plain(const memory::dims& dims, memory::format_tag tag) {
  return memory::desc(dims, memory::data_type::f32, tag);
}

// Reproducible values in [-scale, scale).
void Fill(memory* to, float scale) {
  float* values = static_cast<float*>(to->get_data_handle());
  uint32_t random = 1;
  for (size_t i = 0; i < to->get_desc().get_size() / sizeof(float); ++i) {
    random = random * 1664525u + 1013904223u;
    values[i] = scale * (static_cast<float>(random >> 8) / 8388608.f - 1.f);
  }
}

class Execution {
 public:
  Execution(const Problem& p, Data data) : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    using Tag = memory::format_tag;
    const bool lstm = p.cell == "lstm";
    const memory::dim gates = lstm ? 4 : 3;
    const memory::desc src = Plain({p.steps, p.rows, p.channels}, Tag::tnc);
    const memory::desc dst = Plain({p.steps, p.rows, p.units}, Tag::tnc);
    const memory::desc state = Plain({1, 1, p.rows, p.units}, Tag::ldnc);
    const memory::desc layer = Plain({1, 1, p.channels, gates, p.units}, Tag::any);
    const memory::desc iter = Plain({1, 1, p.units, gates, p.units}, Tag::any);
    const memory::desc bias = Plain({1, 1, gates, p.units}, Tag::ldgo);
    const auto inference = dnnl::prop_kind::forward_inference;
    const auto direction = dnnl::rnn_direction::unidirectional_left2right;
    const float small = data == Data::kDecay ? 1e-39f : 0.1f;
    const float weights = 1.f / static_cast<float>(std::max(p.channels, p.units));
    if (lstm) {
      dnnl::lstm_forward::primitive_desc pd(engine_, inference, direction, src, state, state, layer, iter, bias, dst,
                                            state, state);
      AddWeights(pd.weights_layer_desc(), pd.weights_iter_desc(), weights);
      Add(DNNL_ARG_SRC_ITER_C, state, small);
      Add(DNNL_ARG_DST_ITER_C, state, 0);
      primitive_ = dnnl::lstm_forward(pd);
    } else {
      dnnl::gru_forward::primitive_desc pd(engine_, inference, direction, src, state, layer, iter, bias, dst, state);
      AddWeights(pd.weights_layer_desc(), pd.weights_iter_desc(), weights);
      primitive_ = dnnl::gru_forward(pd);
    }
    Add(DNNL_ARG_SRC_LAYER, src, small);
    Add(DNNL_ARG_SRC_ITER, state, small);
    Add(DNNL_ARG_BIAS, bias, small);
    Add(DNNL_ARG_DST_LAYER, dst, 0);
    Add(DNNL_ARG_DST_ITER, state, 0);
  }
  void Run() { primitive_.execute(stream_, arguments_); }

 private:
  void Add(int argument, const memory::desc& md, float scale) {
    memory& added = arguments_[argument] = memory(md, engine_);
    Fill(&added, scale);
  }
  // The values do not matter, so that they are written as if they were plain.
  void AddWeights(const memory::desc& layer, const memory::desc& iter, float scale) {
    Add(DNNL_ARG_WEIGHTS_LAYER, layer, scale);
    Add(DNNL_ARG_WEIGHTS_ITER, iter, scale);
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::primitive primitive_;
  Arguments arguments_;
};

std::vector<double> Microseconds(Execution* execution, double seconds) {
  using Clock = std::chrono::steady_clock;
  for (int i = 0; i < 5; ++i) execution->Run();
  std::vector<double> samples;
  const Clock::time_point start = Clock::now();
  for (Clock::time_point last = start; std::chrono::duration<double>(last - start).count() < seconds;) {
    execution->Run();
    const Clock::time_point now = Clock::now();
    samples.push_back(std::chrono::duration<double, std::micro>(now - last).count());
    last = now;
  }
  std::sort(samples.begin(), samples.end());
  return samples;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) {
    std::fprintf(stderr, "usage: latency_bench lstm|gru T N SLC DHC THREADS [normal|decay] [SECONDS]\n");
    return 2;
  }
  const Problem problem = {argv[1], std::atol(argv[2]), std::atol(argv[3]), std::atol(argv[4]), std::atol(argv[5])};
  omp_set_num_threads(std::atoi(argv[6]));
  Execution execution(problem, argc > 7 && std::string(argv[7]) == "decay" ? Data::kDecay : Data::kNormal);
  const std::vector<double> us = Microseconds(&execution, argc > 8 ? std::atof(argv[8]) : 1.0);
  const auto stalled = us.end() - std::upper_bound(us.begin(), us.end(), 10 * us.front());
  std::printf("min %.2f us  median %.2f us  99th percentile %.2f us  max %.2f us  executions %zu, %td over 10 x min\n",
              us.front(), us[us.size() / 2], us[us.size() * 99 / 100], us.back(), us.size(), stalled);
  return 0;
}
