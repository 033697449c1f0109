// This is a plugin's problem in the types of the dnnl C++ API.
#ifndef TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_REQUEST_H_
#define TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_REQUEST_H_

#include <array>
#include <string>
#include <vector>

#include "conformance/plugins/adapter_tensors.h"
#include "conformance/stated_problem.h"

namespace tandem::conformance::adapter {

using Desc = dnnl::memory::desc;
using Descs = std::array<Desc, TANDEM_NUM_TENSORS>;

// Returns the tensor's descriptor exactly as it lies in memory.
Desc ConcreteDesc(const tandem_tensor& tensor);

// The tensors of bytes that a problem gives come to the primitive in one of these ways.
enum class ByteInputs {
  kAsGiven,
  // The tensors come as f32 numbers that reorders quantize, with one attribute object for all, as clients write it.
  kQuantizedByReorders,
};

struct Request {
  const tandem_problem* problem;
  dnnl::prop_kind propagation;
  Descs md;
  dnnl::primitive_attr attr;
  dnnl::engine engine;
  std::string implementation;  // impl_info_str() must start with it; empty: the first that serves
  ByteInputs byte_inputs = ByteInputs::kAsGiven;

  dnnl::rnn_direction direction() const {
    switch (problem->direction) {
      case tandem_left2right:
        return dnnl::rnn_direction::unidirectional_left2right;
      case tandem_right2left:
        return dnnl::rnn_direction::unidirectional_right2left;
      case tandem_bidirectional_concat:
        return dnnl::rnn_direction::bidirectional_concat;
      case tandem_bidirectional_sum:
        return dnnl::rnn_direction::bidirectional_sum;
    }
    throw dnnl::error(dnnl_unimplemented, "the adapter does not know the direction");
  }
  dnnl::algorithm activation() const { return ActivationOf(problem->activation); }
  // The plugin's other flags are attributes.
  dnnl::rnn_flags flags() const {
    return static_cast<dnnl::rnn_flags>(problem->flags & TANDEM_FLAG_DIFF_WEIGHTS_OVERWRITE);
  }
  const Desc& operator[](int tensor) const { return md[tensor]; }
};

// This is a plugin's problem as a request to the library, with the memory that it points to. oneDNN refuses a problem without
// bias: it is given a bias of zeros, and memory for its gradient.
class AskedProblem {
 public:
  // `implementation` and `byte_inputs` are those of Request.
  AskedProblem(const tandem_problem& given, const char* implementation, ByteInputs byte_inputs);
  AskedProblem(const AskedProblem&) = delete;
  AskedProblem& operator=(const AskedProblem&) = delete;

  const Request& request() const { return request_; }

 private:
  void AddBias(const tandem_problem& given);

  StatedProblem stated_;
  std::vector<float> bias_, diff_bias_;
  Request request_;
};

}  // namespace tandem::conformance::adapter

#endif  // TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_REQUEST_H_
