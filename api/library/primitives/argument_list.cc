#include "api/library/primitives/argument_list.h"

#include <algorithm>
#include <string>

#include "api/core/error.h"

namespace tandem {
namespace {

std::string Name(const Argument& argument) {
  return std::string("execute: ") + argument.name + " (argument " + std::to_string(argument.index) + ")";
}

bool Fits(const Argument& argument, const MemoryDesc& given) {
  switch (argument.match) {
    case ArgumentMatch::kEqual:
      return Equal(given, argument.md);
    case ArgumentMatch::kAtLeast:
      return SizeInBytes(given) >= SizeInBytes(argument.md);
    case ArgumentMatch::kValues:
      return given.data_type == argument.md.data_type && IsPlain(given) && IsDense(given) && given.offset0 == 0 &&
             NumElements(given) == NumElements(argument.md);
  }
  return false;
}

void* Data(const Argument& argument, const tandem_memory& memory) {
  if (!Fits(argument, memory.md)) {
    ThrowInvalid(Name(argument) + ": the memory is " + Describe(memory.md) + ", but the primitive descriptor has " +
                 Describe(argument.md));
  }
  if (memory.data == nullptr && SizeInBytes(argument.md) > 0) {
    ThrowInvalid(Name(argument) + ": the memory's data handle is null, but " + Describe(argument.md) +
                 " needs a buffer");
  }
  return memory.data;
}

}  // namespace

const Argument* ArgumentList::Find(int index) const {
  const auto at =
      std::find_if(arguments_.begin(), arguments_.end(), [index](const Argument& a) { return a.index == index; });
  return at == arguments_.end() ? nullptr : &*at;
}

int ArgumentList::Count(ArgumentRole role) const {
  return static_cast<int>(
      std::count_if(arguments_.begin(), arguments_.end(), [role](const Argument& a) { return a.role == role; }));
}

ArgumentList::Pointers ArgumentList::Match(int count, const dnnl_exec_arg_t* args) const {
  Pointers pointers = {};
  std::array<bool, kMax> given = {};
  for (int i = 0; i < count; ++i) {
    const Argument* argument = Find(args[i].arg);
    // Empty memory() stands for "not given".
    if (argument == nullptr || args[i].memory == nullptr) continue;
    const size_t slot = argument - arguments_.data();
    if (given[slot]) ThrowInvalid(Name(*argument) + ": is given twice, but must be given once");
    given[slot] = true;
    pointers[slot] = Data(*argument, *args[i].memory);
  }
  for (size_t slot = 0; slot < arguments_.size(); ++slot) {
    if (!given[slot]) {
      ThrowInvalid(Name(arguments_[slot]) + ": is missing, but the primitive descriptor has " +
                   Describe(arguments_[slot].md));
    }
  }
  return pointers;
}

}  // namespace tandem
