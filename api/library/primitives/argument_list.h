// The arguments that execute() needs, and how what a client passes is held against them.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_ARGUMENT_LIST_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_ARGUMENT_LIST_H_

#include <array>
#include <vector>

#include "api/library/memory.h"

namespace tandem {

enum class ArgumentRole { kInput, kOutput };

// What the memory's descriptor must be to the expected one.
enum class ArgumentMatch {
  kEqual,    // the same tensor
  kAtLeast,  // a buffer of at least as many bytes, whatever its dims
  kValues,   // as many densely stored elements of the same type, whatever the rank
};

struct Argument {
  int index;         // DNNL_ARG_*
  const char* name;  // "src_iter_c"
  MemoryDesc md;
  ArgumentRole role;
  ArgumentMatch match;
};

class ArgumentList {
 public:
  // An RNN backward with everything has 26.
  static constexpr int kMax = 32;
  using Pointers = std::array<void*, kMax>;

  void Add(const Argument& argument) { arguments_.push_back(argument); }
  // The data pointers of `args`, in the order of Add(). Allocates only to report an error: throws
  // invalid_arguments if one is missing, given twice, without a buffer, or of another descriptor.
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
