// Adds up the regions of a scratchpad.
#ifndef TANDEM_OPTIMIZED_WEIGHTS_REGIONS_H_
#define TANDEM_OPTIMIZED_WEIGHTS_REGIONS_H_

#include <cstddef>

#include "api/core/types.h"

namespace tandem {
namespace optimized {

// Every region starts on a cache line, counted from the first one of the scratchpad.
class Regions {
 public:
  size_t Add(Dim elements, size_t element_size) {
    const size_t offset = bytes_;
    bytes_ += (static_cast<size_t>(elements) * element_size + kLine - 1) / kLine * kLine;
    return offset;
  }
  size_t AddFloats(Dim elements) { return Add(elements, sizeof(float)); }
  size_t bytes() const { return bytes_; }
  // A user's scratchpad may start anywhere: this much is asked for, and the start rounded up.
  size_t BytesWithSlack() const { return bytes_ + kLine; }
  static char* FirstLine(void* scratchpad) {
    const auto address = reinterpret_cast<uintptr_t>(scratchpad);
    return reinterpret_cast<char*>((address + kLine - 1) / kLine * kLine);
  }

 private:
  static constexpr size_t kLine = 64;
  size_t bytes_ = 0;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_WEIGHTS_REGIONS_H_
