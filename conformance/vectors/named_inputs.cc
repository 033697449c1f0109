#include "conformance/vectors/named_inputs.h"

#include <algorithm>
#include <stdexcept>

#include "api/core/rnn/sequence_lengths.h"
#include "conformance/vectors/safetensors.h"

namespace tandem::conformance {
namespace {

// Returns the tensor that a name of a file means. Throws for a name of none.
Tensor TensorNamed(const std::string& name, const std::string& file) {
  const std::string plain = name.rfind("in.", 0) == 0 ? name.substr(3) : name;
  for (int i = 0; i < kNumTensors; ++i) {
    if (plain == ToString(static_cast<Tensor>(i))) return static_cast<Tensor>(i);
  }
  throw std::runtime_error(file + ": no tensor of RNN is called " + name +
                           "; the names are src_layer, weights_layer, ...");
}

bool SameDims(const MemoryDesc& a, const MemoryDesc& b) {
  return a.ndims == b.ndims && std::equal(a.dims, a.dims + a.ndims, b.dims);
}

std::string DimsOf(const MemoryDesc& md) {
  std::string dims;
  for (int d = 0; d < md.ndims; ++d) dims += (d ? ", " : "") + std::to_string(md.dims[d]);
  return "[" + dims + "]";
}

}  // namespace

void ReadInputs(const std::string& file, const RnnProblem& problem, TensorSet* tensors) {
  for (const auto& [name, tensor] : ReadSafetensors(file)) {
    if (name.rfind("expect.", 0) == 0 || name.rfind("lo.", 0) == 0 || name.rfind("hi.", 0) == 0) continue;
    const Tensor which = TensorNamed(name, file);
    TensorBuffer& target = (*tensors)[which];
    if (!problem.Has(which)) throw std::runtime_error(file + ": the problem has no " + name);
    if (!SameDims(tensor.md(), target.md())) {
      throw std::runtime_error(file + ": " + name + " is " + DimsOf(tensor.md()) + ", but the problem's is " +
                               DimsOf(target.md()) + " (dims in the specification's order)");
    }
    target.FromDoubles(tensor.ToDoubles());
  }
  RnnBuffers buffers;
  buffers.tensor[kSequenceLengths] = (*tensors)[kSequenceLengths].data();
  CheckSequenceLengths(problem, buffers);
}

}  // namespace tandem::conformance
