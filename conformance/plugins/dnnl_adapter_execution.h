// Runs a primitive of the dnnl C++ API on the tensors of a plugin problem.
#ifndef TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_EXECUTION_H_
#define TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_EXECUTION_H_

#include <array>
#include <memory>
#include <unordered_map>

#include "conformance/plugins/dnnl_adapter_request.h"
#include "conformance/plugins/dnnl_adapter_streams.h"

namespace tandem::conformance::adapter {

// This is a tensor in the layout that the primitive chose: the caller's memory, or a copy.
struct Argument {
  dnnl::memory user, own;
  bool copied = false;
};

// An execution is a primitive and its arguments in the memory of one run.
class Execution {
 public:
  // Keeps a reference to the request.
  Execution(const Request& request, const tandem_plugin_memory& memory);

  // Runs the primitive alone, as it is timed.
  void Execute();
  // Runs the primitive and copies outputs to the caller's memory.
  void Run();
#ifdef TANDEM_ADAPTER_OWN
  // Runs the problem by a stream, step by step, and copies outputs to the caller's memory.
  void RunBySteps();
  // Makes the steps alone, as they are timed.
  void ExecuteBySteps();
#endif

 private:
  void Bind(int i);
  // Returns the bytes of tensor `i` in the layout `wanted`, which a reorder makes from f32 numbers.
  dnnl::memory Quantized(int i, const Desc& wanted);
  void AddBytes(int arg, const Desc& md, void* bytes);
  void Reorder(dnnl::memory& from, dnnl::memory& to);

  const Request& request_;
  dnnl::primitive_desc pd_;
  dnnl::primitive primitive_;
  dnnl::stream stream_;
  std::array<Argument, TANDEM_NUM_TENSORS> arguments_;
  std::unordered_map<int, dnnl::memory> args_;
#ifdef TANDEM_ADAPTER_OWN
  std::unordered_map<int, dnnl::memory> Users() const;
  std::unique_ptr<StreamedRun> MakeStreamed();
  std::unique_ptr<StreamedRun> streamed_;
#endif
};

}  // namespace tandem::conformance::adapter

#endif  // TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_EXECUTION_H_
