#include "api/library/primitives/argument_list.h"

#include <algorithm>
#include <string>

#include "api/core/error.h"

namespace tandem {
namespace {

std::string Name(const Argument& argument) {
  return std::string("execute: ") + argument.name + " (argument " + std::to_string(argument.index) + ")";
}

std::string Bytes(size_t count) { return std::to_string(count) + " bytes"; }

// Why a buffer of `given` cannot be what `argument` needs; empty if it can.
std::string Misfit(const Argument& argument, const MemoryDesc& given) {
  const size_t needed = ExtentInBytes(argument.md), held = BufferBytes(given);
  if (needed == 0) return "";
  if (argument.use == ArgumentUse::kTensor && !IsZero(given)) {
    if (given.data_type != argument.md.data_type) return "the data types differ";
    if (IsOpaque(given) != IsOpaque(argument.md)) return "only one of the layouts is opaque";
    if (IsOpaque(given) && !Equal(given, argument.md)) return "the opaque layouts differ";
  }
  if (held < needed) return "the memory holds " + Bytes(held) + ", but " + Bytes(needed) + " are needed";
  return "";
}

void CheckFits(const Argument& argument, const tandem_memory& memory) {
  // The usual case needs no closer look.
  const std::string misfit = Equal(memory.md, argument.md) ? "" : Misfit(argument, memory.md);
  if (misfit.empty()) return memory.fits.store(argument.number, std::memory_order_relaxed);
  ThrowInvalid(Name(argument) + ": the memory is " + Describe(memory.md) + ", but the primitive descriptor has " +
               Describe(argument.md) + ": " + misfit);
}

void* Data(const Argument& argument, const tandem_memory& memory) {
  if (memory.fits.load(std::memory_order_relaxed) != argument.number) CheckFits(argument, memory);
  if (memory.data == nullptr && ExtentInBytes(argument.md) > 0) {
    ThrowInvalid(Name(argument) + ": the memory's data handle is null, but " + Describe(argument.md) +
                 " needs a buffer");
  }
  return memory.data;
}

}  // namespace

const Argument* ArgumentList::Find(int index) const {
  if (index < 0 || index >= kIndices) return FindSlowly(index);
  const int slot = slots_[static_cast<size_t>(index)];
  if (slot < 0) return aliases_.empty() ? nullptr : FindSlowly(index);
  return &arguments_[static_cast<size_t>(slot)];
}

// Finds quantization parameters and aliases, which the table of slots does not have.
const Argument* ArgumentList::FindSlowly(int index) const {
  for (const Alias& alias : aliases_) {
    if (alias.index == index) index = alias.of;
  }
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
