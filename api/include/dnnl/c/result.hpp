// The bodies of the C API's functions give their results by these.
#ifndef DNNL_C_RESULT_HPP
#define DNNL_C_RESULT_HPP

#include "dnnl/c/linkage.h"

namespace dnnl {
inline namespace tandem_v1 {
namespace detail {

inline dnnl_status_t c_no_pointer() {
  return tandem_fail(dnnl_invalid_arguments, "pointer for the result: is empty, but a valid one is needed");
}

// Ends a reference; null is no object and needs no end.
template <typename T>
dnnl_status_t c_destroy(T* handle) {
  tandem_release(reinterpret_cast<tandem_object*>(handle));
  return dnnl_success;
}

// The C API lends what the library gave as a reference of the caller's.
template <typename T>
dnnl_status_t c_view(dnnl_status_t status, T** handle) {
  if (status == dnnl_success) tandem_release(reinterpret_cast<tandem_object*>(*handle));
  return status;
}

// The value where the client wants it, if the call that got it was a success.
template <typename T, typename U>
dnnl_status_t c_put(dnnl_status_t status, T* result, U value) {
  if (status != dnnl_success) return status;
  if (result == nullptr) return c_no_pointer();
  *result = static_cast<T>(value);
  return dnnl_success;
}

// One of several results: null where the client does not want it.
template <typename T, typename U>
dnnl_status_t c_put_wanted(dnnl_status_t status, T* result, U value) {
  return status != dnnl_success || result == nullptr ? status : c_put(status, result, value);
}

}  // namespace detail
}  // namespace tandem_v1
}  // namespace dnnl

#endif
