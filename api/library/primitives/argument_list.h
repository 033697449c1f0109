// The arguments that execute() needs, and how what a client passes is held against them.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_ARGUMENT_LIST_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_ARGUMENT_LIST_H_

#include <array>
#include <vector>

#include "api/library/memory.h"

namespace tandem {

enum class ArgumentRole { kInput, kOutput };

// What a memory is taken for. It gives its handle: where the elements lie in its buffer says the primitive descriptor,
// whatever shape, strides and offset the memory's own descriptor has.
enum class ArgumentUse {
  kTensor,  // elements of one data type
  kBytes,   // a buffer of at least as many bytes, whatever its type
};

struct Argument {
  int index;         // DNNL_ARG_*
  const char* name;  // "src_iter_c"
  MemoryDesc md;
  ArgumentRole role;
  ArgumentUse use;
};

class ArgumentList {
 public:
  // An RNN backward with everything has 26.
  static constexpr int kMax = 32;
  using Pointers = std::array<void*, kMax>;

  void Add(const Argument& argument) { arguments_.push_back(argument); }
  // The data pointers of `args`, in the order of Add(). Allocates only to report an error: throws invalid_arguments if
  // one is missing, given twice, without a buffer, too small for the bytes that the expected descriptor reaches (offset0
  // included), of another data type, or opaque where the other is plain or packed differently.
  Pointers Match(int count, const dnnl_exec_arg_t* args) const;

  const std::vector<Argument>& all() const { return arguments_; }
  int Count(ArgumentRole role) const;
  // Null if there is none with this DNNL_ARG_*.
  const Argument* Find(int index) const;

 private:
  std::vector<Argument> arguments_;
};

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_PRIMITIVES_ARGUMENT_LIST_H_
