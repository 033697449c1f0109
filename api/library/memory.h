// The objects that memory handles point to.
#ifndef TANDEM_API_LIBRARY_MEMORY_H_
#define TANDEM_API_LIBRARY_MEMORY_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "api/core/memory/memory_desc.h"
#include "api/library/aligned_buffer.h"
#include "api/library/engine.h"

struct tandem_memory final : tandem_object {
  static constexpr const char* kName = "memory";
  tandem_memory(const tandem::MemoryDesc& its_md, tandem::Ref<tandem_engine> its_engine)
      : md(its_md), engine(std::move(its_engine)) {}

  const tandem::MemoryDesc md;
  const tandem::Ref<tandem_engine> engine;
  // Clients may exchange it between executions.
  void* data = nullptr;
  // The memory that `data` points to at first if the library allocated it.
  tandem::AlignedBuffer owned;
  // The number of the argument (argument_list.h) that `md` was last found to fit: the next execution need not compare them.
  mutable std::atomic<uint64_t> fits{0};
};

namespace tandem {

// "f32 {2, 3, 4} strides {12, 4, 1}", for messages that hold two descriptors against each other.
std::string Describe(const MemoryDesc& md);

// Bytes that a buffer of `md` has: to the end of a view's last element (offset0 included) and of a padded tensor's last
// row.
size_t BufferBytes(const MemoryDesc& md);

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_MEMORY_H_
