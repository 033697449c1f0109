#include "api/library/guard.h"

#include <cstdio>

#include "api/library/object.h"
#include "api/library/verbose.h"
#include "dnnl/abi.h"

namespace tandem {
namespace {

// Fixed size, so that reporting a lack of memory needs none.
thread_local char last_error[1024] = "";

dnnl_status_t TakeCurrentException() noexcept {
  try {
    throw;
  } catch (const Error& e) {
    SetLastError(e.what());
    return e.status();
  } catch (const std::bad_alloc&) {
    SetLastError("out of memory");
    return dnnl_out_of_memory;
  } catch (const std::exception& e) {
    SetLastError(e.what());
    return dnnl_runtime_error;
  } catch (...) {
    SetLastError("an unknown exception");
    return dnnl_runtime_error;
  }
}

}  // namespace

void SetLastError(const char* message) noexcept { std::snprintf(last_error, sizeof last_error, "%s", message); }

dnnl_status_t StatusOfCurrentException(const char* primitive) noexcept {
  const dnnl_status_t status = TakeCurrentException();
  PrintError(primitive, last_error);
  return status;
}

}  // namespace tandem

const char* tandem_last_error() { return tandem::last_error; }

dnnl_status_t tandem_fail(dnnl_status_t status, const char* sentence) {
  tandem::SetLastError(sentence);
  tandem::PrintError("", sentence);
  return status;
}

void tandem_retain(tandem_object* object) { object->references.fetch_add(1, std::memory_order_relaxed); }

void tandem_release(tandem_object* object) {
  if (object != nullptr) tandem::Ref<tandem_object>::Adopt(object);
}
