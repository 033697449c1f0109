#include "conformance/plugins/dnnl_adapter_execution.h"

#include "conformance/plugins/adapter_cells.h"

namespace tandem::conformance::adapter {
namespace {

bool IsOutput(const tandem_problem& problem, int tensor) {
  const AdapterTensor& traits = kAdapterTensors[tensor];
  return problem.propagation == tandem_backward ? traits.is_backward_output : traits.is_forward_output;
}

// These numbers become the given bytes of a tensor when they are quantized, in the tensor's layout.
class RealTensor {
 public:
  RealTensor(const tandem_problem& problem, int i) : problem_(problem), index_(i), tensor_(problem.tensor[i]) {
    int64_t last = 0;
    for (int d = 0; d < tensor_.ndims; ++d) last += (tensor_.dims[d] - 1) * tensor_.strides[d];
    values_.assign(static_cast<size_t>(last + 1), 0.f);
    int64_t at[TANDEM_MAX_NDIMS] = {};
    Fill(0, 0, at);
  }

  Desc md() const {
    tandem_tensor real = tensor_;
    real.data_type = tandem_f32;
    return ConcreteDesc(real);
  }
  float* data() { return values_.data(); }

 private:
  void Fill(int d, int64_t offset, int64_t* at) {
    if (d == tensor_.ndims) {
      const float byte = tensor_.data_type == tandem_u8 ? static_cast<const uint8_t*>(tensor_.data)[offset]
                                                        : static_cast<const int8_t*>(tensor_.data)[offset];
      values_[static_cast<size_t>(offset)] = Real(byte, at);
      return;
    }
    for (at[d] = 0; at[d] < tensor_.dims[d]; ++at[d]) Fill(d + 1, offset + at[d] * tensor_.strides[d], at);
  }
  float Real(float byte, const int64_t* at) const {
    if (!kAdapterTensors[index_].is_weights) return (byte - problem_.data_shift) / problem_.data_scale;
    const bool is_projection = index_ == tandem_weights_projection;
    const tandem_scales& scales = is_projection ? problem_.projection_scales : problem_.weights_scales;
    const int64_t channel = is_projection ? at[3] : at[3] * tensor_.dims[4] + at[4];
    return byte / scales.values[scales.mask == 0 ? 0 : channel];
  }

  const tandem_problem& problem_;
  const int index_;
  const tandem_tensor& tensor_;
  std::vector<float> values_;
};

// Returns a plain descriptor of which only rank and type are known.
Desc KnownAtExecution(int ndims, int data_type) {
  const dnnl::memory::dims unknown(static_cast<size_t>(ndims), DNNL_RUNTIME_DIM_VAL);
  return Desc(unknown, static_cast<dnnl::memory::data_type>(data_type), unknown);
}

}  // namespace

Execution::Execution(const Request& request, const tandem_plugin_memory& memory)
    : request_(request), pd_(CreatePrimitiveDesc(request)), primitive_(pd_), stream_(request.engine) {
  for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
    if (request.problem->tensor[i].ndims != 0) Bind(i);
  }
  AddBytes(DNNL_ARG_WORKSPACE, pd_.workspace_desc(), memory.workspace);
  if (request.problem->user_scratchpad) {
    AddBytes(DNNL_ARG_SCRATCHPAD, pd_.scratchpad_desc(), memory.scratchpad);
  }
}

void Execution::Execute() {
  primitive_.execute(stream_, args_);
  stream_.wait();
}

void Execution::Run() {
  Execute();
  for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
    if (arguments_[i].copied && IsOutput(*request_.problem, i)) {
      Reorder(arguments_[i].own, arguments_[i].user);
    }
  }
  stream_.wait();
}

#ifdef TANDEM_ADAPTER_OWN
std::unordered_map<int, dnnl::memory> Execution::Users() const {
  std::unordered_map<int, dnnl::memory> users;
  for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
    if (request_.problem->tensor[i].ndims != 0) users[kAdapterTensors[i].exec_arg] = arguments_[i].user;
  }
  return users;
}

std::unique_ptr<StreamedRun> Execution::MakeStreamed() { return std::make_unique<StreamedRun>(request_, pd_, args_); }

void Execution::RunBySteps() { MakeStreamed()->Run(Users()); }

void Execution::ExecuteBySteps() {
  if (streamed_ == nullptr) {
    streamed_ = MakeStreamed();
    streamed_->Begin(Users());
  }
  if (!streamed_->StepAgain()) throw dnnl::error(dnnl_runtime_error, "a step failed");
}
#endif

void Execution::Bind(int i) {
  const tandem_tensor& tensor = request_.problem->tensor[i];
  Argument& argument = arguments_[i];
  const Desc user_md = ConcreteDesc(tensor);
  const Desc wanted = pd_.query_md(dnnl::query::exec_arg_md, kAdapterTensors[i].exec_arg);
  argument.user = dnnl::memory(user_md, request_.engine, tensor.data);
  const bool is_byte = tensor.data_type == tandem_u8 || tensor.data_type == tandem_s8;
  if (is_byte && request_.byte_inputs == ByteInputs::kQuantizedByReorders && !IsOutput(*request_.problem, i)) {
    args_[kAdapterTensors[i].exec_arg] = Quantized(i, wanted);
    return;
  }
  argument.copied = wanted != user_md;
  argument.own = argument.copied ? dnnl::memory(wanted, request_.engine) : argument.user;
  // Gradients of weights add to what is there, so outputs are copied in as well.
  if (argument.copied) Reorder(argument.user, argument.own);
  args_[kAdapterTensors[i].exec_arg] = argument.own;
}

dnnl::memory Execution::Quantized(int i, const Desc& wanted) {
  const tandem_tensor& tensor = request_.problem->tensor[i];
  RealTensor real(*request_.problem, i);
  dnnl::memory from(real.md(), request_.engine, real.data()), to(wanted, request_.engine);
  Desc from_md = real.md(), to_md = wanted;
  // The reorder of the states is made before the sizes are known.
  if (i == tandem_src_iter) {
    from_md = KnownAtExecution(tensor.ndims, tandem_f32);
    to_md = KnownAtExecution(tensor.ndims, tensor.data_type);
  }
  const dnnl::reorder::primitive_desc pd(request_.engine, from_md, request_.engine, to_md, request_.attr);
  std::unordered_map<int, dnnl::memory> args = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
  if (pd.scratchpad_desc().get_size() > 0) {
    args[DNNL_ARG_SCRATCHPAD] = dnnl::memory(pd.scratchpad_desc(), request_.engine);
  }
  dnnl::reorder(pd).execute(stream_, args);
  stream_.wait();
  return to;
}

void Execution::AddBytes(int arg, const Desc& md, void* bytes) {
  if (md.get_size() != 0) args_[arg] = dnnl::memory(md, request_.engine, bytes);
}

void Execution::Reorder(dnnl::memory& from, dnnl::memory& to) {
  dnnl::primitive_attr attr;
  // A reorder that quantizes needs a scratchpad of its own; the caller provided only the RNN primitive's.
  if (request_.problem->tensor[tandem_weights_layer].data_type == tandem_s8) {
    attr = request_.attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::library);
  }
  dnnl::reorder(dnnl::reorder::primitive_desc(from, to, attr)).execute(stream_, from, to);
  stream_.wait();
}

}  // namespace tandem::conformance::adapter
