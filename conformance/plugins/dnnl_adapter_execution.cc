#include "conformance/plugins/dnnl_adapter_execution.h"

#include "conformance/plugins/adapter_cells.h"

namespace tandem::conformance::adapter {
namespace {

bool IsOutput(const tandem_problem& problem, int tensor) {
  const AdapterTensor& traits = kAdapterTensors[tensor];
  return problem.propagation == tandem_backward ? traits.is_backward_output : traits.is_forward_output;
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

void Execution::Bind(int i) {
  const tandem_tensor& tensor = request_.problem->tensor[i];
  Argument& argument = arguments_[i];
  const Desc user_md = ConcreteDesc(tensor);
  const Desc wanted = pd_.query_md(dnnl::query::exec_arg_md, kAdapterTensors[i].exec_arg);
  argument.user = dnnl::memory(user_md, request_.engine, tensor.data);
  argument.copied = wanted != user_md;
  argument.own = argument.copied ? dnnl::memory(wanted, request_.engine) : argument.user;
  // Gradients of weights add to what is there, so outputs are copied in as well.
  if (argument.copied) Reorder(argument.user, argument.own);
  args_[kAdapterTensors[i].exec_arg] = argument.own;
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
