#include "api/tests/rnn_client_testing.h"

#include <cstring>
#include <sstream>

namespace tandem {
namespace testing {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;
using dnnl::rnn_direction;

namespace {

constexpr int kDiff = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;

// A forward descriptor of whatever class the cell needs.
dnnl::detail::rnn_op Op(const RnnCase& rnn, prop_kind prop, dnnl::rnn_flags flags) {
  dnnl::detail::rnn_op op(prop, rnn.cell, rnn.direction, flags);
  op.set(&dnnl_rnn_desc_t::src_layer_desc, rnn.Desc(DNNL_ARG_SRC_LAYER));
  op.set(&dnnl_rnn_desc_t::src_iter_desc, rnn.Desc(DNNL_ARG_SRC_ITER));
  op.set(&dnnl_rnn_desc_t::src_iter_c_desc, rnn.Desc(DNNL_ARG_SRC_ITER_C));
  op.set(&dnnl_rnn_desc_t::augru_attention_desc, rnn.Desc(DNNL_ARG_AUGRU_ATTENTION));
  op.set(&dnnl_rnn_desc_t::weights_layer_desc, rnn.Desc(DNNL_ARG_WEIGHTS_LAYER));
  op.set(&dnnl_rnn_desc_t::weights_iter_desc, rnn.Desc(DNNL_ARG_WEIGHTS_ITER));
  op.set(&dnnl_rnn_desc_t::weights_peephole_desc, rnn.Desc(DNNL_ARG_WEIGHTS_PEEPHOLE));
  op.set(&dnnl_rnn_desc_t::weights_projection_desc, rnn.Desc(DNNL_ARG_WEIGHTS_PROJECTION));
  op.set(&dnnl_rnn_desc_t::bias_desc, rnn.Desc(DNNL_ARG_BIAS));
  op.set(&dnnl_rnn_desc_t::dst_layer_desc, rnn.Desc(DNNL_ARG_DST_LAYER));
  op.set(&dnnl_rnn_desc_t::dst_iter_desc, rnn.Desc(DNNL_ARG_DST_ITER));
  op.set(&dnnl_rnn_desc_t::dst_iter_c_desc, rnn.Desc(DNNL_ARG_DST_ITER_C));
  if (rnn.cell == algorithm::vanilla_rnn) op.activation(rnn.activation, rnn.alpha, 0.f);
  return op;
}

dnnl::detail::rnn_op BackwardOp(const RnnCase& rnn, dnnl::rnn_flags flags) {
  dnnl::detail::rnn_op op = Op(rnn, prop_kind::backward, flags);
  op.backward();
  op.set(&dnnl_rnn_desc_t::diff_src_layer_desc, rnn.Desc(DNNL_ARG_DIFF_SRC_LAYER));
  op.set(&dnnl_rnn_desc_t::diff_src_iter_desc, rnn.Desc(DNNL_ARG_DIFF_SRC_ITER));
  op.set(&dnnl_rnn_desc_t::diff_src_iter_c_desc, rnn.Desc(DNNL_ARG_DIFF_SRC_ITER_C));
  op.set(&dnnl_rnn_desc_t::diff_augru_attention_desc, rnn.Desc(DNNL_ARG_DIFF_AUGRU_ATTENTION));
  op.set(&dnnl_rnn_desc_t::diff_weights_layer_desc, rnn.Desc(DNNL_ARG_DIFF_WEIGHTS_LAYER));
  op.set(&dnnl_rnn_desc_t::diff_weights_iter_desc, rnn.Desc(DNNL_ARG_DIFF_WEIGHTS_ITER));
  op.set(&dnnl_rnn_desc_t::diff_weights_peephole_desc, rnn.Desc(DNNL_ARG_DIFF_WEIGHTS_PEEPHOLE));
  op.set(&dnnl_rnn_desc_t::diff_weights_projection_desc, rnn.Desc(DNNL_ARG_DIFF_WEIGHTS_PROJECTION));
  op.set(&dnnl_rnn_desc_t::diff_bias_desc, rnn.Desc(DNNL_ARG_DIFF_BIAS));
  op.set(&dnnl_rnn_desc_t::diff_dst_layer_desc, rnn.Desc(DNNL_ARG_DIFF_DST_LAYER));
  op.set(&dnnl_rnn_desc_t::diff_dst_iter_desc, rnn.Desc(DNNL_ARG_DIFF_DST_ITER));
  op.set(&dnnl_rnn_desc_t::diff_dst_iter_c_desc, rnn.Desc(DNNL_ARG_DIFF_DST_ITER_C));
  return op;
}

memory::desc Dense(const memory::dims& dims) { return memory::desc(dims, memory::data_type::f32, memory::dims()); }

void Reorder(const memory& from, const memory& to) {
  memory source = from, target = to;
  dnnl::stream stream(Cpu());
  dnnl::reorder(source, target).execute(stream, source, target);
}

// A memory for each tensor in `args`, filled where `values` has it, with NaN elsewhere.
void AddMemories(const RnnCase& rnn, const dnnl::primitive_desc& pd, const std::vector<int>& args,
                 const Tensors& values, std::unordered_map<int, memory>* memories) {
  for (const int arg : args) {
    const memory::desc md = pd.query_md(dnnl::query::exec_arg_md, arg);
    const auto given = values.find(arg);
    if (given != values.end()) {
      memories->emplace(arg, ToMemory(given->second, rnn.Dims(arg), md));
      continue;
    }
    memory poisoned(md, Cpu());
    std::memset(poisoned.get_data_handle(), 0xff, md.get_size());
    memories->emplace(arg, poisoned);
  }
}

void AddValues(const std::unordered_map<int, memory>& memories, const std::vector<int>& args, Tensors* values) {
  for (const int arg : args) (*values)[arg] = ToValues(memories.at(arg));
}

}  // namespace

bool RnnCase::HasAttention() const { return cell == algorithm::vanilla_augru || cell == algorithm::lbr_augru; }

memory::dim RnnCase::Directions() const {
  return direction == rnn_direction::bidirectional_concat || direction == rnn_direction::bidirectional_sum ? 2 : 1;
}

memory::dim RnnCase::Gates() const { return cell == algorithm::vanilla_rnn ? 1 : IsLstm() ? 4 : 3; }

memory::dim RnnCase::Dlc() const { return direction == rnn_direction::bidirectional_concat ? 2 * Sic() : Sic(); }

memory::dims RnnCase::Dims(int arg) const {
  const memory::dim dirs = Directions();
  const bool lbr = cell == algorithm::lbr_gru || cell == algorithm::lbr_augru;
  switch (arg > kDiff ? arg - kDiff : arg) {
    case DNNL_ARG_SRC_LAYER:
      return {steps, batch, slc};
    case DNNL_ARG_DST_LAYER:
      return {steps, batch, Dlc()};
    case DNNL_ARG_SRC_ITER:
    case DNNL_ARG_DST_ITER:
      return iter ? memory::dims{layers, dirs, batch, Sic()} : memory::dims();
    case DNNL_ARG_SRC_ITER_C:
    case DNNL_ARG_DST_ITER_C:
      return iter && IsLstm() ? memory::dims{layers, dirs, batch, dhc} : memory::dims();
    case DNNL_ARG_AUGRU_ATTENTION:
      return HasAttention() ? memory::dims{steps, batch, 1} : memory::dims();
    case DNNL_ARG_WEIGHTS_LAYER:
      return {layers, dirs, slc, Gates(), dhc};
    case DNNL_ARG_WEIGHTS_ITER:
      return {layers, dirs, Sic(), Gates(), dhc};
    case DNNL_ARG_WEIGHTS_PEEPHOLE:
      return peephole ? memory::dims{layers, dirs, 3, dhc} : memory::dims();
    case DNNL_ARG_WEIGHTS_PROJECTION:
      return dic > 0 ? memory::dims{layers, dirs, dhc, dic} : memory::dims();
    case DNNL_ARG_BIAS:
      return bias ? memory::dims{layers, dirs, lbr ? 4 : Gates(), dhc} : memory::dims();
  }
  return {};
}

memory::data_type RnnCase::TypeOf(int arg) const {
  switch (arg) {
    case DNNL_ARG_SRC_ITER_C:
    case DNNL_ARG_DST_ITER_C:
    case DNNL_ARG_WEIGHTS_PEEPHOLE:
    case DNNL_ARG_BIAS:
      return memory::data_type::f32;
  }
  return arg > kDiff ? memory::data_type::f32 : type;
}

memory::desc RnnCase::Desc(int arg) const {
  const memory::dims dims = Dims(arg);
  if (dims.empty()) return memory::desc();
  const auto chosen = layouts.find(arg);
  if (chosen != layouts.end()) return chosen->second;
  return memory::desc(dims, TypeOf(arg), memory::format_tag::any);
}

std::string RnnCase::ToString() const {
  std::ostringstream text;
  text << dnnl_alg_kind2str(convert_to_c(cell)) << ' ' << dnnl_rnn_direction2str(convert_to_c(direction)) << ' '
       << dnnl_dt2str(memory::convert_to_c(type)) << " l" << layers << 't' << steps << "mb" << batch << "slc" << slc
       << "dhc" << dhc << "dic" << dic << (bias ? "" : " without bias") << (iter ? "" : " without states")
       << (peephole ? " with peephole" : "");
  return text.str();
}

std::vector<int> InputsOf(const RnnCase& rnn) {
  std::vector<int> args;
  for (const int arg :
       {DNNL_ARG_SRC_LAYER, DNNL_ARG_SRC_ITER, DNNL_ARG_SRC_ITER_C, DNNL_ARG_AUGRU_ATTENTION, DNNL_ARG_WEIGHTS_LAYER,
        DNNL_ARG_WEIGHTS_ITER, DNNL_ARG_WEIGHTS_PEEPHOLE, DNNL_ARG_WEIGHTS_PROJECTION, DNNL_ARG_BIAS}) {
    if (!rnn.Dims(arg).empty()) args.push_back(arg);
  }
  return args;
}

std::vector<int> OutputsOf(const RnnCase& rnn) {
  std::vector<int> args;
  for (const int arg : {DNNL_ARG_DST_LAYER, DNNL_ARG_DST_ITER, DNNL_ARG_DST_ITER_C}) {
    if (!rnn.Dims(arg).empty()) args.push_back(arg);
  }
  return args;
}

dnnl::engine Cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

std::string DimsToText(const memory::dims& dims) {
  std::string text;
  for (const memory::dim dim : dims) text += (text.empty() ? "{" : ", ") + std::to_string(dim);
  return text + "}";
}

dnnl::primitive_desc Forward(const RnnCase& rnn, prop_kind prop, const_dnnl_primitive_attr_t attr) {
  dnnl_primitive_desc_t pd = nullptr;
  const auto op = Op(rnn, prop, dnnl::rnn_flags::undef);
  dnnl::detail::check(
      tandem_rnn_primitive_desc_create_sized(&pd, &op.data, sizeof op.data, attr, Cpu().get(), nullptr));
  return dnnl::primitive_desc(pd);
}

dnnl::primitive_desc Backward(const RnnCase& rnn, const dnnl::primitive_desc& forward, dnnl::rnn_flags flags,
                              const_dnnl_primitive_attr_t attr) {
  dnnl_primitive_desc_t pd = nullptr;
  const auto op = BackwardOp(rnn, flags);
  dnnl::detail::check(
      tandem_rnn_primitive_desc_create_sized(&pd, &op.data, sizeof op.data, attr, Cpu().get(), forward.get(true)));
  return dnnl::primitive_desc(pd);
}

std::unordered_map<int, memory> ZeroArguments(const RnnCase& rnn, const dnnl::primitive_desc& pd) {
  std::unordered_map<int, memory> arguments;
  std::vector<int> args = InputsOf(rnn);
  for (const int arg : OutputsOf(rnn)) args.push_back(arg);
  for (const int arg : args) {
    for (const int index : {arg, arg + kDiff}) {
      const memory::desc md = pd.query_md(dnnl::query::exec_arg_md, index);
      if (md.is_zero()) continue;
      const memory zeros(md, Cpu());
      std::memset(zeros.get_data_handle(), 0, md.get_size());
      arguments.emplace(index, zeros);
    }
  }
  return arguments;
}

std::vector<dnnl::primitive_desc> AllForward(const RnnCase& rnn, prop_kind prop) {
  return EachImplementation(Forward(rnn, prop));
}

memory ToMemory(const std::vector<float>& values, const memory::dims& dims, const memory::desc& md) {
  memory from(Dense(dims), Cpu(), const_cast<float*>(values.data()));
  memory to(md, Cpu());
  Reorder(from, to);
  return to;
}

std::vector<float> ToValues(const memory& from) {
  const memory::dims dims = from.get_desc().get_dims();
  const memory::desc dense = Dense(dims);
  std::vector<float> values(dense.get_size() / sizeof(float));
  Reorder(from, memory(dense, Cpu(), values.data()));
  return values;
}

Tensors Run(const RnnCase& rnn, const dnnl::primitive_desc& pd, const Tensors& inputs) {
  std::unordered_map<int, memory> memories;
  AddMemories(rnn, pd, InputsOf(rnn), inputs, &memories);
  AddMemories(rnn, pd, OutputsOf(rnn), {}, &memories);
  dnnl::stream stream = rnn.stream ? rnn.stream : dnnl::stream(Cpu());
  dnnl::primitive(pd).execute(stream, memories);
  Tensors outputs;
  AddValues(memories, OutputsOf(rnn), &outputs);
  return outputs;
}

Tensors Train(const RnnCase& rnn, const dnnl::primitive_desc& forward, const Tensors& inputs, dnnl::rnn_flags flags) {
  std::unordered_map<int, memory> memories;
  AddMemories(rnn, forward, InputsOf(rnn), inputs, &memories);
  AddMemories(rnn, forward, OutputsOf(rnn), {}, &memories);
  const memory workspace(forward.workspace_desc(), Cpu());
  memories.emplace(DNNL_ARG_WORKSPACE, workspace);
  dnnl::stream stream = rnn.stream ? rnn.stream : dnnl::stream(Cpu());
  dnnl::primitive(forward).execute(stream, memories);
  Tensors results;
  AddValues(memories, OutputsOf(rnn), &results);

  const dnnl::primitive_desc backward = Backward(rnn, forward, flags);
  Tensors backward_inputs = inputs;
  for (const auto& result : results) backward_inputs.insert(result);
  std::unordered_map<int, memory> arguments = {{DNNL_ARG_WORKSPACE, workspace}};
  std::vector<int> gradients, others = OutputsOf(rnn);
  for (const int arg : InputsOf(rnn)) gradients.push_back(arg + kDiff);
  for (const int arg : OutputsOf(rnn)) others.push_back(arg + kDiff);
  AddMemories(rnn, backward, InputsOf(rnn), backward_inputs, &arguments);
  AddMemories(rnn, backward, others, backward_inputs, &arguments);
  AddMemories(rnn, backward, gradients, backward_inputs, &arguments);
  dnnl::primitive(backward).execute(stream, arguments);
  AddValues(arguments, gradients, &results);
  return results;
}

}  // namespace testing
}  // namespace tandem
