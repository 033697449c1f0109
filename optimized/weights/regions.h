// The parts of a scratchpad: a plan adds them up, and an execution asks for their addresses.
#ifndef TANDEM_OPTIMIZED_WEIGHTS_REGIONS_H_
#define TANDEM_OPTIMIZED_WEIGHTS_REGIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "api/core/error.h"
#include "api/core/memory/memory_desc_checks.h"
#include "api/core/types.h"
#include "hwy/base.h"

namespace tandem {
namespace optimized {

// The DataType of a C++ type, where it has exactly one.
template <class T>
constexpr DataType kDataTypeOf = DataType::kUndef;
template <>
inline constexpr DataType kDataTypeOf<float> = DataType::kF32;
template <>
inline constexpr DataType kDataTypeOf<int32_t> = DataType::kS32;

// A region that no Regions has added is absent: its address is not in the scratchpad. Where HWY_DASSERT is on, asking
// for it aborts, and so does an index beyond the region's end; where it is off, reading there faults.
class RegionBase {
 public:
  bool IsPresent() const { return offset_ != kAbsent; }

 protected:
  RegionBase() = default;
  RegionBase(size_t offset, Dim elements) : offset_(offset), elements_(elements) {}

  char* At(char* scratchpad, Dim index, size_t element_size) const {
    HWY_DASSERT(IsPresent());
    HWY_DASSERT(index >= 0 && index <= elements_);  // one past the end where a share of the work is empty
    return scratchpad + offset_ + static_cast<size_t>(index) * element_size;
  }

 private:
  // With 64 bits, added to any address: none of a user's memory.
  static constexpr size_t kAbsent = size_t{1} << (8 * sizeof(size_t) - 2);

  size_t offset_ = kAbsent;
  [[maybe_unused]] Dim elements_ = 0;  // for HWY_DASSERT, as type_ below
};

template <class T>
class Region : public RegionBase {
 public:
  Region() = default;
  Region(size_t offset, Dim elements) : RegionBase(offset, elements) {}
  T* In(char* scratchpad, Dim index = 0) const { return reinterpret_cast<T*>(At(scratchpad, index, sizeof(T))); }
};

// A region whose element type is chosen at creation: the kernels' operands (f32, bf16 or u8), their sums (f32 or s32).
class TypedRegion : public RegionBase {
 public:
  TypedRegion() = default;
  TypedRegion(size_t offset, Dim elements, DataType type)
      : RegionBase(offset, elements), type_(type), element_size_(SizeOf(type)) {}
  void* In(char* scratchpad, Dim index = 0) const { return At(scratchpad, index, element_size_); }
  template <class T>
  T* As(char* scratchpad, Dim index = 0) const {
    HWY_DASSERT(type_ == kDataTypeOf<T>);
    return static_cast<T*>(In(scratchpad, index));
  }

 private:
  [[maybe_unused]] DataType type_ = DataType::kUndef;
  size_t element_size_ = 0;
};

// Adds up the regions of a scratchpad. Every region starts on a cache line, counted from the first one.
class Regions {
 public:
  template <class T>
  Region<T> Add(Dim elements) {
    return {Append(elements, sizeof(T)), elements};
  }
  TypedRegion Add(Dim elements, DataType type) { return {Append(elements, SizeOf(type)), elements, type}; }
  // The region, or an absent one.
  template <class T>
  Region<T> AddIf(bool present, Dim elements) {
    return present ? Add<T>(elements) : Region<T>();
  }
  TypedRegion AddIf(bool present, Dim elements, DataType type) { return present ? Add(elements, type) : TypedRegion(); }
  size_t bytes() const { return bytes_; }
  // A user's scratchpad may start anywhere: this much is asked for, and the start rounded up.
  size_t BytesWithSlack() const { return bytes_ + kLine; }
  static char* FirstLine(void* scratchpad) {
    const auto address = reinterpret_cast<uintptr_t>(scratchpad);
    return reinterpret_cast<char*>((address + kLine - 1) / kLine * kLine);
  }

 private:
  static constexpr size_t kLine = 64;
  // Whole lines, less those that BytesWithSlack() adds.
  static constexpr size_t kMost = static_cast<size_t>(kMostBytes) / kLine * kLine - 2 * kLine;

  size_t Append(Dim elements, size_t element_size) {
    const size_t offset = bytes_;
    if (static_cast<uint64_t>(elements) > (kMost - bytes_) / element_size) {
      ThrowInvalid("scratchpad: " + std::to_string(elements) + " elements more are too many for this processor");
    }
    bytes_ += (static_cast<size_t>(elements) * element_size + kLine - 1) / kLine * kLine;
    return offset;
  }

  size_t bytes_ = 0;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_WEIGHTS_REGIONS_H_
