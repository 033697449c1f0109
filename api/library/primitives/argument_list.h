// The arguments that execute() needs, and how what a client passes is held against them.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_ARGUMENT_LIST_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_ARGUMENT_LIST_H_

#include <array>
#include <cstdint>
#include <vector>

#include "api/library/aligned_buffer.h"
#include "api/library/memory.h"

namespace tandem {

enum class ArgumentRole { kInput, kOutput };

// The use of a memory. The memory gives its handle; the primitive descriptor says where the elements lie in the buffer, whatever
// shape, strides and offset the memory's own descriptor has.
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
  // Names the need: arguments of one list with the same use and an equal md share it, so that a state that is updated in place is
  // looked at once. No other list of the process has it. ArgumentList gives it, from 1 on.
  uint64_t number = 0;
};

// Two arguments that may share bytes, if their buffers begin `distance` bytes apart: elements that lie at the same place
// are then written with the same value, or read before they are written.
struct Coincidence {
  int index, other;  // DNNL_ARG_*
  ptrdiff_t distance;
};

class ArgumentList {
 public:
  // An RNN backward with everything has 26.
  static constexpr int kMax = 32;
  using Pointers = std::array<void*, kMax>;

  void Add(const Argument& argument);
  // Both arguments were added before.
  void Add(const Coincidence& coincidence);
  // A second index under which clients may pass argument `of`.
  void AddAlias(int index, int of) { aliases_.push_back({index, of}); }
  // The data pointers of `args`, in the order of Add(). Allocates only to report an error: throws invalid_arguments if
  // one is missing, given twice, without a buffer, too small for the bytes that the expected descriptor reaches (offset0
  // included), of another data type, or opaque where the other is plain or packed differently.
  Pointers Match(int count, const dnnl_exec_arg_t* args) const;

  // True if no output can share a byte with another argument, but for what Coincidence allows. Cheap: compares where they begin
  // and end.
  bool AreApart(const Pointers& pointers) const;
  // Makes an execution with `pointers` give what it would if all inputs were read before the first output is written:
  // copies each input with which an output shares bytes and lets its pointer point to the copy, which the result owns.
  // Throws invalid_arguments if two outputs share bytes, or if the workspace or the scratchpad shares any; except for
  // what Coincidence allows. Throws std::bad_alloc.
  std::vector<AlignedBuffer> SaveOverwrittenInputs(Pointers* pointers) const;

  const std::vector<Argument>& all() const { return arguments_; }
  int Count(ArgumentRole role) const;
  // Null if there is none with this DNNL_ARG_*, or with an alias of it.
  const Argument* Find(int index) const;

 private:
  static std::array<int8_t, 256> NoSlots() {
    std::array<int8_t, 256> none;
    none.fill(-1);
    return none;
  }
  const Argument* FindSlowly(int index) const;
  // True if the second begins before the first ends and the other way round.
  bool Meet(size_t slot, size_t other, const Pointers& pointers) const;

  struct Span {
    size_t offset, end;  // of the elements, in bytes from the pointer
  };
  // A Coincidence by slots.
  struct Pair {
    size_t slot, other;
    ptrdiff_t distance;
    size_t outputs;  // of the two
  };
  bool CountsAsApart(const Pointers& pointers) const;
  bool MayCoincide(size_t slot, size_t other, const Pointers& pointers) const;
  bool Coincide(const Pair& pair, const Pointers& pointers) const;
  uint64_t version_ = 0;  // another one after each Add(); lists with the same one are copies
  std::vector<Argument> arguments_;
  // Slots by DNNL_ARG_*, -1: none. All tensors of an RNN are below; Find() is asked for each argument of each execution.
  static constexpr int kIndices = 256;
  std::array<int8_t, kIndices> slots_ = NoSlots();
  std::vector<Span> spans_;
  std::vector<size_t> outputs_;  // slots
  std::vector<Pair> pairs_;
  struct Alias {
    int index, of;
  };
  std::vector<Alias> aliases_;
};

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_PRIMITIVES_ARGUMENT_LIST_H_
