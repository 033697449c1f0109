// Outputs that share bytes with inputs, and with each other.
#include <algorithm>
#include <atomic>

#include "api/core/error.h"
#include "api/core/memory/overlap.h"
#include "api/library/primitives/argument_list.h"

namespace tandem {
namespace {

std::string Name(const Argument& argument) {
  return std::string(argument.name) + " (argument " + std::to_string(argument.index) + ")";
}

[[noreturn]] void Refuse(const Argument& output, const Argument& other) {
  const bool buffer = output.use == ArgumentUse::kBytes || other.use == ArgumentUse::kBytes;
  ThrowInvalid("execute: " + Name(output) + " and " + Name(other) + ": share bytes of memory, but " +
               (buffer ? "a workspace or scratchpad must be apart from everything else"
                       : "two outputs must be apart, because only one of two values can be there"));
}

std::atomic<uint64_t> last_number{0};

}  // namespace

void ArgumentList::Add(const Argument& argument) {
  const bool is_plain = IsPlain(argument.md);
  const size_t offset = is_plain ? static_cast<size_t>(argument.md.offset0) * SizeOf(TypeOf(argument.md)) : 0;
  if (argument.role == ArgumentRole::kOutput) outputs_.push_back(arguments_.size());
  spans_.push_back({offset, ExtentInBytes(argument.md)});
  version_ = ++last_number;
  const auto same = std::find_if(arguments_.begin(), arguments_.end(), [&](const Argument& other) {
    return other.use == argument.use && Equal(other.md, argument.md);
  });
  const uint64_t number = same == arguments_.end() ? version_ : same->number;
  arguments_.push_back(argument);
  arguments_.back().number = number;
  if (argument.index >= 0 && argument.index < kIndices) {
    slots_[static_cast<size_t>(argument.index)] = static_cast<int8_t>(arguments_.size() - 1);
  }
}

void ArgumentList::Add(const Coincidence& coincidence) {
  const Argument *first = Find(coincidence.index), *second = Find(coincidence.other);
  version_ = ++last_number;
  const int outputs = int{first->role == ArgumentRole::kOutput} + int{second->role == ArgumentRole::kOutput};
  pairs_.push_back({static_cast<size_t>(first - arguments_.data()), static_cast<size_t>(second - arguments_.data()),
                    coincidence.distance, static_cast<size_t>(outputs)});
}

// Most executions have the memories of the thread's last one.
bool ArgumentList::AreApart(const Pointers& pointers) const {
  static thread_local struct {
    uint64_t version = 0;
    Pointers pointers;
  } last;
  const auto end = pointers.begin() + static_cast<ptrdiff_t>(spans_.size());
  if (last.version == version_ && std::equal(pointers.begin(), end, last.pointers.begin())) return true;
  if (!CountsAsApart(pointers)) return false;
  last = {version_, pointers};
  return true;
}

// Counts the pairs of an output and an argument that meet, without a branch, and takes off those that are allowed.
bool ArgumentList::CountsAsApart(const Pointers& pointers) const {
  std::array<uintptr_t, kMax> begin, end;
  const size_t count = spans_.size();
  for (size_t i = 0; i < count; ++i) {
    const auto base = reinterpret_cast<uintptr_t>(pointers[i]);
    begin[i] = base + spans_[i].offset;
    end[i] = base + spans_[i].end;
  }
  size_t met = 0, itself = 0;
  for (const size_t output : outputs_) {
    for (size_t i = 0; i < count; ++i) met += size_t{begin[output] < end[i]} & size_t{begin[i] < end[output]};
    itself += size_t{begin[output] < end[output]};
  }
  if (met == itself) return true;
  for (const Pair& pair : pairs_) {
    if (Coincide(pair, pointers) && Meet(pair.slot, pair.other, pointers)) met -= pair.outputs;
  }
  return met == itself;
}

bool ArgumentList::Meet(size_t slot, size_t other, const Pointers& pointers) const {
  const auto base = reinterpret_cast<uintptr_t>(pointers[slot]),
             other_base = reinterpret_cast<uintptr_t>(pointers[other]);
  return base + spans_[slot].offset < other_base + spans_[other].end &&
         other_base + spans_[other].offset < base + spans_[slot].end;
}

bool ArgumentList::Coincide(const Pair& pair, const Pointers& pointers) const {
  return static_cast<char*>(pointers[pair.other]) - static_cast<char*>(pointers[pair.slot]) == pair.distance;
}

bool ArgumentList::MayCoincide(size_t slot, size_t other, const Pointers& pointers) const {
  return std::any_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
    const bool same = (pair.slot == slot && pair.other == other) || (pair.slot == other && pair.other == slot);
    return same && Coincide(pair, pointers);
  });
}

std::vector<AlignedBuffer> ArgumentList::SaveOverwrittenInputs(Pointers* pointers) const {
  const Pointers given = *pointers;
  std::vector<size_t> overwritten;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& argument = arguments_[i];
    bool is_overwritten = false;
    for (const size_t output : outputs_) {
      const bool seen = argument.role == ArgumentRole::kOutput && i <= output;
      if (seen || !Meet(output, i, given) || MayCoincide(output, i, given)) continue;
      if (!ShareBytes({arguments_[output].md, given[output]}, {argument.md, given[i]})) continue;
      const bool buffer = argument.use == ArgumentUse::kBytes || arguments_[output].use == ArgumentUse::kBytes;
      if (buffer || argument.role == ArgumentRole::kOutput) Refuse(arguments_[output], argument);
      is_overwritten = true;
    }
    if (is_overwritten) overwritten.push_back(i);
  }
  std::vector<AlignedBuffer> saved;
  for (const size_t slot : overwritten) {
    saved.emplace_back(spans_[slot].end);
    CopyElements(arguments_[slot].md, given[slot], saved.back().get());
    (*pointers)[slot] = saved.back().get();
  }
  return saved;
}

}  // namespace tandem
