// The objects that engine and stream handles point to.
#ifndef TANDEM_API_LIBRARY_ENGINE_H_
#define TANDEM_API_LIBRARY_ENGINE_H_

#include <optional>
#include <utility>

#include "api/library/object.h"
#include "dnnl/abi.h"

// There is one device, CPU 0, so engines have nothing to be told apart by: any engine works with any memory.
struct tandem_engine final : tandem_object {
  static constexpr const char* kName = "engine";
};

struct tandem_stream final : tandem_object {
  static constexpr const char* kName = "stream";
  explicit tandem_stream(tandem::Ref<tandem_engine> its_engine, std::optional<tandem_threadpool_t> its_threadpool = {})
      : engine(std::move(its_engine)), threadpool(its_threadpool) {}
  const tandem::Ref<tandem_engine> engine;
  const std::optional<tandem_threadpool_t> threadpool;  // the client's
};

namespace tandem {

// A reference that a client gets.
template <class T>
void Give(Ref<T> ref, T** out) {
  // The reference is kept if there is nowhere to put it.
  T*& result = NotNull(out, T::kName, "pointer for the new one");
  result = ref.Detach();
}

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_ENGINE_H_
