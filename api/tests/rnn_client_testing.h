// Runs RNN problems through the public API, with tensors as plain row-major f32 vectors by argument
// index. For tests of properties that hold whatever the layouts, types and implementations are.
#ifndef TANDEM_API_TESTS_RNN_CLIENT_TESTING_H_
#define TANDEM_API_TESTS_RNN_CLIENT_TESTING_H_

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "dnnl.hpp"

namespace tandem {
namespace testing {

// Row-major values by DNNL_ARG_*. Tensors that are not in the map are absent from the problem.
using Tensors = std::map<int, std::vector<float>>;
// The layout of single tensors by DNNL_ARG_*; others are `any`.
using Layouts = std::map<int, dnnl::memory::desc>;

struct RnnCase {
  dnnl::algorithm cell = dnnl::algorithm::vanilla_lstm;
  dnnl::rnn_direction direction = dnnl::rnn_direction::unidirectional_left2right;
  dnnl::algorithm activation = dnnl::algorithm::eltwise_tanh;  // vanilla RNN
  float alpha = 0.f;
  dnnl::memory::data_type type = dnnl::memory::data_type::f32;  // of activations and weights
  dnnl::memory::dim layers = 1, steps = 1, batch = 1, slc = 1, dhc = 1;
  dnnl::memory::dim dic = 0;  // 0: no projection
  bool bias = true, iter = true, peephole = false;
  Layouts layouts;
  dnnl::stream stream;  // where it is executed; empty: on one of its own

  bool IsLstm() const { return cell == dnnl::algorithm::vanilla_lstm; }
  bool HasAttention() const;
  dnnl::memory::dim Directions() const;
  dnnl::memory::dim Gates() const;
  dnnl::memory::dim Sic() const { return dic == 0 ? dhc : dic; }
  // The channels of dst_layer.
  dnnl::memory::dim Dlc() const;
  // Returns the dims of the tensor with this index, gradients included; empty if the problem has none.
  dnnl::memory::dims Dims(int arg) const;
  dnnl::memory::data_type TypeOf(int arg) const;
  dnnl::memory::desc Desc(int arg) const;
  // For counterexamples.
  std::string ToString() const;
};

// Every argument that the case has, in the order of the operation descriptor.
std::vector<int> InputsOf(const RnnCase& rnn);
std::vector<int> OutputsOf(const RnnCase& rnn);

dnnl::engine Cpu();

// "{2, 3}", as messages write dims.
std::string DimsToText(const dnnl::memory::dims& dims);

// `pd`, and after it a descriptor for each implementation that follows in the list. `pd` is left at the last: a copy of it
// would have moved along.
template <class PrimitiveDesc>
std::vector<PrimitiveDesc> EachImplementation(PrimitiveDesc pd) {
  std::vector<PrimitiveDesc> all;
  do {
    all.emplace_back();
    dnnl_primitive_desc_t own = nullptr;
    dnnl::detail::check(tandem_primitive_desc_clone(&own, pd.get()));
    all.back().reset(own);
  } while (pd.next_impl());
  return all;
}

// The forward descriptors of all implementations that serve the case, most preferred first.
std::vector<dnnl::primitive_desc> AllForward(const RnnCase& rnn, dnnl::prop_kind prop);
// Throw what creation throws. Without `attr`, with the default ones.
dnnl::primitive_desc Forward(const RnnCase& rnn, dnnl::prop_kind prop, const_dnnl_primitive_attr_t attr = nullptr);
dnnl::primitive_desc Backward(const RnnCase& rnn, const dnnl::primitive_desc& forward, dnnl::rnn_flags flags,
                              const_dnnl_primitive_attr_t attr = nullptr);

// Memory of zeros for every input and output that `pd` takes, of backward also for the gradients. Neither workspace nor
// scratchpad.
std::unordered_map<int, dnnl::memory> ZeroArguments(const RnnCase& rnn, const dnnl::primitive_desc& pd);

// A memory of `md` that holds `values`, and the values that a memory holds.
dnnl::memory ToMemory(const std::vector<float>& values, const dnnl::memory::dims& dims, const dnnl::memory::desc& md);
std::vector<float> ToValues(const dnnl::memory& memory);

// The outputs of forward_inference.
Tensors Run(const RnnCase& rnn, const dnnl::primitive_desc& pd, const Tensors& inputs);
// The outputs and gradients of forward_training and backward. `inputs` also holds the diff_dst_*
// tensors, and whatever the gradients of weights are to be added to.
Tensors Train(const RnnCase& rnn, const dnnl::primitive_desc& forward, const Tensors& inputs,
              dnnl::rnn_flags flags = dnnl::rnn_flags::undef);

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_RNN_CLIENT_TESTING_H_
