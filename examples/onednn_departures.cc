// oneDNN 3.13.1 computes these problems otherwise (docs/verdicts/README.md). Each function is a program of its own over the API
// that both libraries have. With Tandem nothing is wrong. With oneDNN run them one after the other, because layouts crashes:
//
//   c++ -std=c++17 -I$ONEDNN/include examples/onednn_departures.cc -L$ONEDNN/lib -ldnnl -o departures
//   for name in attention projection signed saturation bias slope state layouts scratchpad zero; do ./departures $name; done
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "dnnl.hpp"
using namespace dnnl;
using md = memory::desc;
using dims = memory::dims;
using dt = memory::data_type;
using floats = std::vector<float>;
const auto L2R = rnn_direction::unidirectional_left2right;
const auto INFER = prop_kind::forward_inference, TRAIN = prop_kind::forward_training, BACK = prop_kind::backward;
engine cpu(engine::kind::cpu, 0);
stream s(cpu);

// Returns the descriptor of a dense tensor. Any() leaves the layout of weights to the library.
md Plain(const dims& d, dt type = dt::f32) {
  dims strides(d.size(), 1);
  for (size_t i = d.size(); i-- > 1;) strides[i - 1] = strides[i] * d[i];
  return md(d, type, strides);
}
md Any(const dims& d, dt type = dt::f32) { return md(d, type, memory::format_tag::any); }
// Of() returns numbers in the layout and type that a primitive wants; attr says how they become bytes. Read() undoes it.
memory Of(const floats& values, const dims& d, const md& wanted, const primitive_attr& attr = {}) {
  memory from(Plain(d), cpu), to(wanted, cpu);
  std::memcpy(from.get_data_handle(), values.data(), values.size() * 4);
  reorder(reorder::primitive_desc(from, to, attr)).execute(s, from, to);
  s.wait();
  return to;
}
floats Read(memory from, const dims& d) {
  memory to(Plain(d), cpu);
  reorder(from, to).execute(s, from, to);
  s.wait();
  const float* p = static_cast<float*>(to.get_data_handle());
  return floats(p, p + to.get_desc().get_size() / 4);
}
void Run(const primitive& p, const std::unordered_map<int, memory>& args) {
  p.execute(s, args);
  s.wait();
}
int wrong = 0;

void Check(const char* what, const floats& got, const floats& want) {
  std::printf("%s:", what);
  bool same = got.size() == want.size();
  for (size_t i = 0; i < got.size(); ++i) {
    std::printf(" %g", got[i]);
    same = same && std::abs(got[i] - want[i]) < 0.01f;
  }
  std::printf(same ? "\n" : "; should be");
  for (size_t i = 0; !same && i < want.size(); ++i) std::printf(i + 1 < want.size() ? " %g" : " %g\n", want[i]);
  wrong += same ? 0 : 1;
}
floats Times(int n, float x) { return floats(n, x); }

void Attention() {    // h is (1 - a) / 2: weights are 0, the state is 1
  const int n = 256;  // n is enough for 16 threads
  const dims x = {1, n, 1}, h = {1, 1, n, 1}, w = {1, 1, 1, 3, 1}, b = {1, 1, 4, 1};
  lbr_augru_forward::primitive_desc pd(cpu, INFER, L2R, Plain(x), Plain(h), Plain(x), Any(w), Any(w), Plain(b),
                                       Plain(x), md());
  floats a(n);
  for (int i = 0; i < n; ++i) a[i] = i / float(n);
  memory y(pd.dst_layer_desc(), cpu);
  Run(lbr_augru_forward(pd), {{DNNL_ARG_SRC_LAYER, Of(Times(n, 0), x, Plain(x))},
                              {DNNL_ARG_SRC_ITER, Of(Times(n, 1), h, Plain(h))},
                              {DNNL_ARG_AUGRU_ATTENTION, Of(a, x, Plain(x))},
                              {DNNL_ARG_WEIGHTS_LAYER, Of(Times(3, 0), w, pd.weights_layer_desc())},
                              {DNNL_ARG_WEIGHTS_ITER, Of(Times(3, 0), w, pd.weights_iter_desc())},
                              {DNNL_ARG_BIAS, Of(Times(4, 0), b, Plain(b))},
                              {DNNL_ARG_DST_LAYER, y}});
  const floats got = Read(y, x);
  Check("LBR-AUGRU with an attention for each row, rows 0, 128, 255", {got[0], got[128], got[255]}, {0.5f, 0.25f, 0});
}

void Projection() {  // the projection is the identity
  const dt type = dt::bf16;
  const dims x = {1, 1, 2}, w = {1, 1, 2, 4, 2}, b = {1, 1, 4, 2}, p = {1, 1, 2, 2};
  lstm_forward::primitive_desc pd(cpu, INFER, L2R, Plain(x, type), md(), md(), Any(w, type), Any(w, type), md(),
                                  Any(p, type), Plain(b), Plain(x, type), md(), md());
  memory y(pd.dst_layer_desc(), cpu);
  Run(lstm_forward(pd), {{DNNL_ARG_SRC_LAYER, Of({0, 0}, x, Plain(x, type))},
                         {DNNL_ARG_WEIGHTS_LAYER, Of(Times(16, 0), w, pd.weights_layer_desc())},
                         {DNNL_ARG_WEIGHTS_ITER, Of(Times(16, 0), w, pd.weights_iter_desc())},
                         {DNNL_ARG_WEIGHTS_PROJECTION, Of({1, 0, 0, 1}, p, pd.weights_projection_desc())},
                         {DNNL_ARG_BIAS, Of({9, 9, 9, 9, 1, -1, 9, 9}, b, Plain(b))},
                         {DNNL_ARG_DST_LAYER, y}});
  Check("LSTM with projection in bf16", Read(y, x), {0.64f, -0.64f});
}

void Signed() {  // h is tanh(-1) in bytes of 64 a unit
  const dims x = {1, 1, 1}, w = {1, 1, 1, 4, 1}, b = {1, 1, 4, 1};
  primitive_attr attr;
  attr.set_rnn_data_qparams(64, 0);
  attr.set_rnn_weights_qparams(0, {1.f});
  lstm_forward::primitive_desc pd(cpu, INFER, L2R, Plain(x, dt::s8), md(), md(), Any(w, dt::s8), Any(w, dt::s8),
                                  Plain(b), Plain(x), md(), md(), attr);
  memory y(pd.dst_layer_desc(), cpu);
  Run(lstm_forward(pd), {{DNNL_ARG_SRC_LAYER, Of({0}, x, Plain(x, dt::s8), attr)},
                         {DNNL_ARG_WEIGHTS_LAYER, Of(Times(4, 0), w, pd.weights_layer_desc(), attr)},
                         {DNNL_ARG_WEIGHTS_ITER, Of(Times(4, 0), w, pd.weights_iter_desc(), attr)},
                         {DNNL_ARG_BIAS, Of({9, 9, -1, 9}, b, Plain(b))},
                         {DNNL_ARG_DST_LAYER, y}});
  Check("LSTM with s8 states", Read(y, x), {-0.64f});
}

void Saturation() {  // 32 products 255 * 127, of which two do not fit 16 bits; the candidate is tanh(32 - 31)
  const dims x = {1, 1, 32}, w = {1, 1, 32, 4, 1}, u = {1, 1, 1, 4, 1}, b = {1, 1, 4, 1};
  floats ones(32, 1.f), weights(32 * 4, 0.f);
  for (int i = 0; i < 32; ++i) weights[4 * i + 2] = 1;
  primitive_attr attr;
  attr.set_rnn_data_qparams(255, 0);
  attr.set_rnn_weights_qparams(0, {127.f});
  lstm_forward::primitive_desc pd(cpu, INFER, L2R, Plain(x, dt::u8), md(), md(), Any(w, dt::s8), Any(u, dt::s8),
                                  Plain(b), Plain({1, 1, 1}), md(), md(), attr);
  memory y(pd.dst_layer_desc(), cpu);
  Run(lstm_forward(pd), {{DNNL_ARG_SRC_LAYER, Of(ones, x, Plain(x, dt::u8), attr)},
                         {DNNL_ARG_WEIGHTS_LAYER, Of(weights, w, pd.weights_layer_desc(), attr)},
                         {DNNL_ARG_WEIGHTS_ITER, Of(Times(4, 0), u, pd.weights_iter_desc(), attr)},
                         {DNNL_ARG_BIAS, Of({9, 9, -31, 9}, b, Plain(b))},
                         {DNNL_ARG_DST_LAYER, y}});
  Check("LSTM with u8 activations (on instructions without VNNI)", Read(y, {1, 1, 1}), {0.64f});
}

void Bias() {  // the bias of the update gate closes unit 16 and opens the others; candidates are 0, the state is 1
  const int n = 32;
  const dims x = {1, 1, n}, h = {1, 1, 1, n}, w = {1, 1, n, 3, n}, b = {1, 1, 3, n};
  gru_forward::primitive_desc pd(cpu, TRAIN, L2R, Plain(x, dt::bf16), Plain(h, dt::bf16), Any(w, dt::bf16),
                                 Any(w, dt::bf16), Plain(b, dt::bf16), Plain(x, dt::bf16), md());
  memory y(pd.dst_layer_desc(), cpu);
  floats bias(3 * n, 0.f);
  for (int i = 0; i < n; ++i) bias[i] = i == 16 ? 9 : -9;
  Run(gru_forward(pd), {{DNNL_ARG_SRC_LAYER, Of(Times(n, 0), x, Plain(x, dt::bf16))},
                        {DNNL_ARG_SRC_ITER, Of(Times(n, 1), h, Plain(h, dt::bf16))},
                        {DNNL_ARG_WEIGHTS_LAYER, Of(Times(3 * n * n, 0), w, pd.weights_layer_desc())},
                        {DNNL_ARG_WEIGHTS_ITER, Of(Times(3 * n * n, 0), w, pd.weights_iter_desc())},
                        {DNNL_ARG_BIAS, Of(bias, b, Plain(b, dt::bf16))},
                        {DNNL_ARG_DST_LAYER, y},
                        {DNNL_ARG_WORKSPACE, memory(pd.workspace_desc(), cpu)}});
  const floats got = Read(y, x);
  Check("GRU with a bias in bf16, units 0, 16, 31", {got[0], got[16], got[31]}, {0, 1, 0});
}

struct Rnn {  // this is a vanilla RNN of one unit, forward and backward
  float alpha = 0.f, x0 = 1.f;
  bool with_state = true;
  floats DiffWeights(dims strides_x = {1, 1, 1}, int t = 1, int n = 1, void* source = nullptr) const {
    const dims x = {t, n, 1}, h = {1, 1, n, 1}, w = {1, 1, 1, 1, 1}, b = {1, 1, 1, 1};
    const md source_md(x, dt::f32, strides_x), state = with_state ? Plain(h) : md();
    const auto relu = algorithm::eltwise_relu;
    vanilla_rnn_forward::primitive_desc f(cpu, TRAIN, relu, L2R, source_md, state, Any(w), Any(w), Plain(b), Plain(x),
                                          md(), alpha);
    vanilla_rnn_backward::primitive_desc g(cpu, BACK, relu, L2R, source_md, state, Any(w), Any(w), Plain(b), Plain(x),
                                           md(), source_md, state, Any(w), Any(w), Plain(b), Plain(x), md(), alpha, f);
    memory workspace(f.workspace_desc(), cpu), y(f.dst_layer_desc(), cpu), dx(source_md, cpu),
        dw(g.diff_weights_layer_desc(), cpu), du(g.diff_weights_iter_desc(), cpu), db(Plain(b), cpu);
    for (memory* m : {&dw, &du, &db}) std::memset(m->get_data_handle(), 0, m->get_desc().get_size());
    memory dh = with_state ? memory(state, cpu) : memory();
    std::unordered_map<int, memory> args = {
        {DNNL_ARG_SRC_LAYER, source ? memory(source_md, cpu, source) : Of(Times(t * n, x0), x, source_md)},
        {DNNL_ARG_BIAS, Of({0}, b, Plain(b))},
        {DNNL_ARG_WEIGHTS_LAYER, Of({1}, w, f.weights_layer_desc())},
        {DNNL_ARG_WEIGHTS_ITER, Of({1}, w, f.weights_iter_desc())},
        {DNNL_ARG_DST_LAYER, y},
        {DNNL_ARG_WORKSPACE, workspace}};
    if (with_state) args[DNNL_ARG_SRC_ITER] = Of(Times(n, 0), h, state);
    Run(vanilla_rnn_forward(f), args);
    args[DNNL_ARG_WEIGHTS_LAYER] = Of({1}, w, g.weights_layer_desc());
    args[DNNL_ARG_WEIGHTS_ITER] = Of({1}, w, g.weights_iter_desc());
    args.insert({{DNNL_ARG_DIFF_SRC_LAYER, dx},
                 {DNNL_ARG_DIFF_SRC_ITER, dh},
                 {DNNL_ARG_DIFF_WEIGHTS_LAYER, dw},
                 {DNNL_ARG_DIFF_WEIGHTS_ITER, du},
                 {DNNL_ARG_DIFF_BIAS, db},
                 {DNNL_ARG_DIFF_DST_LAYER, Of(Times(t * n, 1), x, Plain(x))}});
    if (!with_state) args.erase(DNNL_ARG_DIFF_SRC_ITER);
    Run(vanilla_rnn_backward(g), args);
    return {Read(dw, w)[0], Read(du, w)[0]};
  }
};

void Layouts() {  // src_layer is in ntc in front of an unreadable page, dst_layer in tnc
  const int t = 2, n = 1025;
  char* const pages =
      static_cast<char*>(mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + (1 << 15), 1 << 15, PROT_NONE);
  std::printf("src_layer in ntc before an unreadable page, dst_layer in tnc: ");
  std::fflush(stdout);
  Rnn().DiffWeights({1, t, 1}, t, n, pages + (1 << 15) - t * n * 4);
  std::printf("not touched\n");
}

void Scratchpad() {  // the client's scratchpad begins 4 bytes after the beginning of a page; all numbers are 0
  const int n = 3, slc = 60, dhc = 9;
  const dims x = {1, n, slc}, y = {1, n, dhc}, w = {1, 1, slc, 3, dhc}, u = {1, 1, dhc, 3, dhc}, b = {1, 1, 3, dhc};
  primitive_attr attr;
  attr.set_scratchpad_mode(scratchpad_mode::user);
  gru_forward::primitive_desc f(cpu, TRAIN, L2R, Plain(x), md(), Any(w), Any(u), Plain(b), Plain(y), md(), attr);
  gru_backward::primitive_desc g(cpu, BACK, L2R, Plain(x), md(), Any(w), Any(u), Plain(b), Plain(y), md(), Plain(x),
                                 md(), Any(w), Any(u), Plain(b), Plain(y), md(), f, attr);
  const auto zeros = [](const md& desc) {
    memory m(desc, cpu);
    if (desc.get_size() > 0) std::memset(m.get_data_handle(), 0, desc.get_size());
    return m;
  };
  std::unordered_map<int, memory> args = {{DNNL_ARG_SRC_LAYER, zeros(Plain(x))},
                                          {DNNL_ARG_WEIGHTS_LAYER, zeros(f.weights_layer_desc())},
                                          {DNNL_ARG_WEIGHTS_ITER, zeros(f.weights_iter_desc())},
                                          {DNNL_ARG_BIAS, zeros(Plain(b))},
                                          {DNNL_ARG_DST_LAYER, zeros(Plain(y))},
                                          {DNNL_ARG_WORKSPACE, zeros(f.workspace_desc())},
                                          {DNNL_ARG_SCRATCHPAD, zeros(f.scratchpad_desc())}};
  Run(gru_forward(f), args);
  const size_t page = 4096;
  std::vector<char> bytes(g.scratchpad_desc().get_size() + 2 * page);
  char* const begin = bytes.data() + (page - reinterpret_cast<uintptr_t>(bytes.data()) % page) + 4;
  args[DNNL_ARG_SCRATCHPAD] = memory(g.scratchpad_desc(), cpu, begin);
  args[DNNL_ARG_WEIGHTS_LAYER] = zeros(g.weights_layer_desc());
  args[DNNL_ARG_WEIGHTS_ITER] = zeros(g.weights_iter_desc());
  args.insert({{DNNL_ARG_DIFF_SRC_LAYER, zeros(Plain(x))},
               {DNNL_ARG_DIFF_WEIGHTS_LAYER, zeros(g.diff_weights_layer_desc())},
               {DNNL_ARG_DIFF_WEIGHTS_ITER, zeros(g.diff_weights_iter_desc())},
               {DNNL_ARG_DIFF_BIAS, zeros(Plain(b))},
               {DNNL_ARG_DIFF_DST_LAYER, zeros(Plain(y))}});
  std::printf("GRU backward, scratchpad 4 bytes after the beginning of a page: ");
  std::fflush(stdout);
  Run(gru_backward(g), args);
  std::printf("it ran\n");
}

// A minibatch of no rows may be made or refused. It runs in a process of its own, because oneDNN divides by zero.
void Zero() {
  const dims x = {1, 0, 1}, h = {1, 1, 0, 1}, w = {1, 1, 1, 4, 1}, b = {1, 1, 4, 1};
  const pid_t child = fork();
  if (child == 0) {
    try {
      lstm_forward::primitive_desc(cpu, INFER, L2R, Plain(x), Plain(h), Plain(h), Any(w), Any(w), Plain(b), Plain(x),
                                   md(), md());
    } catch (const dnnl::error&) {
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Check("mb 0, signal of the process", {WIFSIGNALED(status) ? float(WTERMSIG(status)) : 0}, {0});
}

int main(int argc, char** argv) {
  const std::pair<const char*, void (*)()> programs[] = {
      {"attention", Attention},
      {"projection", Projection},
      {"signed", Signed},
      {"saturation", Saturation},
      {"bias", Bias},
      {"slope",
       [] {
         Check("relu of slope -0.25 at -1, diff_weights", Rnn{-0.25f, -1.f}.DiffWeights(), {0.25f, 0});
       }},
      {"state",
       [] {
         Check("without src_iter, diff_weights", Rnn{0.f, 1.f, false}.DiffWeights(), {1, 0});
       }},
      {"layouts", Layouts},
      {"scratchpad", Scratchpad},
      {"zero", Zero}};
  for (const auto& [name, program] : programs) {
    try {
      if (argc < 2 || std::string(argv[1]) == name) program();
    } catch (const dnnl::error& failure) {
      std::printf("%s: %s\n", name, failure.message);
      ++wrong;
    }
  }
  return wrong;
}
