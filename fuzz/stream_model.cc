#include "fuzz/stream_model.h"

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "api/core/float16.h"
#include "fuzz/outcome.h"

namespace tandem {
namespace fuzz {
namespace {

using dnnl::memory;
using dt = memory::data_type;

const dnnl::engine& Cpu() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

memory::desc Dense(const memory::dims& dims, dt type) { return memory::desc(dims, type, memory::dims()); }

memory::desc Query(const ModelLayers& layers, Tensor tensor) {
  return layers.pd.query_md(dnnl::query::exec_arg_md, ExecArg(tensor));
}

// Returns the problem of `steps` steps of one row, by the implementation that `layers` has.
dnnl::rnn_primitive_desc_base Whole(const ModelLayers& layers, int steps, RnnCase* rnn) {
  *rnn = layers.rnn;
  for (const Tensor tensor : kTensors) {
    if (IsParameter(tensor)) rnn->md[tensor] = Query(layers, tensor);
  }
  const dt x = Query(layers, kSrcLayer).get_data_type();
  const memory::dims weights = Query(layers, kWeightsLayer).get_dims();
  const memory::dim n_layer = weights[0], dhc = weights[4], dic = Query(layers, kDstLayer).get_dims()[2];
  rnn->md[kSrcLayer] = Dense({steps, 1, weights[2]}, x);
  rnn->md[kDstLayer] = Dense({steps, 1, dic}, Query(layers, kDstLayer).get_data_type());
  if (HasAttention(rnn->cell)) rnn->md[kAugruAttention] = Dense({steps, 1, 1}, x);
  const bool bytes = x == dt::u8 || x == dt::s8;
  rnn->md[kSrcIter] = rnn->md[kDstIter] = Dense({n_layer, 1, 1, dic}, bytes ? dt::f32 : x);
  rnn->md[kSrcIterC] = rnn->md[kDstIterC] = memory::desc();
  if (HasCellState(rnn->cell)) {
    memory::desc c = Query(layers, kSrcIterC);
    if (c.is_zero()) c = Query(layers, kDstIterC);
    rnn->md[kSrcIterC] = rnn->md[kDstIterC] = Dense({n_layer, 1, 1, dhc}, c.is_zero() ? dt::f32 : c.get_data_type());
  }
  dnnl::primitive_attr attr = layers.attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::library);
  auto pd = MakeForward(*rnn, Generation::kV3, attr);
  while (std::string(pd.impl_info_str()) != layers.pd.impl_info_str()) {
    Require(pd.next_impl(), "an execution of all steps has the implementation of the stream");
  }
  return pd;
}

void Copy(memory from, memory to) {
  dnnl::stream stream(Cpu());
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
}

memory Floats(const memory::desc& md, float* values) { return memory(Dense(md.get_dims(), dt::f32), Cpu(), values); }

float ToFloat(const uint8_t* at, dt type) {
  uint16_t half = 0;
  float value = 0;
  if (type == dt::f32) {
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  std::memcpy(&half, at, sizeof half);
  return type == dt::bf16 ? Bf16ToFloat(half) : Fp16ToFloat(half);
}

void RequireSame(const std::vector<uint8_t>& got, const std::vector<uint8_t>& want, dt type) {
  Require(got.size() == want.size(), "a stream gives dlc elements in each step");
  const size_t size = memory::data_type_size(type);
  for (size_t i = 0; i < got.size(); i += size) {
    if (std::memcmp(&got[i], &want[i], size) == 0) continue;
    const bool both_nan = size > 1 && std::isnan(ToFloat(&got[i], type)) && std::isnan(ToFloat(&want[i], type));
    if (both_nan) continue;
    std::fprintf(stderr, "element %zu of %zu\n", i / size, got.size() / size);
    Fail("a stream has other bits than one execution");
  }
}

// Runs all steps from the states at `h` and `c`, which become the last ones. Returns dst_layer.
std::vector<uint8_t> Execute(const ModelLayers& layers, const History& history, const std::vector<uint8_t>& x, float* h,
                             float* c) {
  RnnCase rnn;
  const auto pd = Whole(layers, history.steps, &rnn);
  std::unordered_map<int, memory> args = layers.weights;
  std::vector<uint8_t> y(rnn.md[kDstLayer].get_size());
  args[DNNL_ARG_SRC_LAYER] = memory(rnn.md[kSrcLayer], Cpu(), const_cast<uint8_t*>(x.data()));
  args[DNNL_ARG_DST_LAYER] = memory(rnn.md[kDstLayer], Cpu(), y.data());
  if (HasAttention(rnn.cell)) {
    args[DNNL_ARG_AUGRU_ATTENTION] =
        memory(rnn.md[kAugruAttention], Cpu(), const_cast<uint8_t*>(history.attention.data()));
  }
  std::vector<std::pair<memory, memory>> last;
  for (const Tensor tensor : {kSrcIter, kSrcIterC}) {
    if (rnn.md[tensor].is_zero()) continue;
    const memory given(rnn.md[tensor], Cpu()), result(rnn.md[tensor], Cpu());
    const memory users = Floats(rnn.md[tensor], tensor == kSrcIter ? h : c);
    Copy(users, given);
    args[ExecArg(tensor)] = given;
    args[ExecArg(tensor == kSrcIter ? kDstIter : kDstIterC)] = result;
    last.emplace_back(result, users);
  }
  dnnl::stream stream(Cpu());
  dnnl::primitive(pd).execute(stream, args);
  stream.wait();
  for (const auto& [result, users] : last) Copy(result, users);
  return y;
}

}  // namespace

void Replay(const std::vector<ModelLayers>& stack, History* history) {
  if (history->steps == 0) return;
  std::vector<uint8_t> x = history->x;
  float *h = history->h.data(), *c = history->c.data();
  for (const ModelLayers& layers : stack) {
    x = Execute(layers, *history, x, h, c);
    const memory::dims weights = Query(layers, kWeightsLayer).get_dims();
    h += weights[0] * Query(layers, kDstLayer).get_dims()[2];
    if (HasCellState(layers.rnn.cell)) c += weights[0] * weights[4];
  }
  RequireSame(history->y, x, Query(stack.back(), kDstLayer).get_data_type());
  history->steps = 0;
  for (std::vector<uint8_t>* const bytes : {&history->x, &history->attention, &history->y}) bytes->clear();
}

bool AreSame(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::memcmp(&a[i], &b[i], sizeof a[i]) != 0 && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  }
  return true;
}

}  // namespace fuzz
}  // namespace tandem
