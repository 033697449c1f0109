// dnnl::error, the one way in which every class of this API reports a failure. Without exceptions
// (DNNL_ENABLE_EXCEPTIONS 0) what would be thrown is written to stderr, and the program ends with abort().
#ifndef DNNL_ERROR_HPP
#define DNNL_ERROR_HPP

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include "dnnl/abi.h"

namespace dnnl {
inline namespace tandem_v1 {

enum class status {
  success = dnnl_success,
  out_of_memory = dnnl_out_of_memory,
  invalid_arguments = dnnl_invalid_arguments,
  unimplemented = dnnl_unimplemented,
  last_impl_reached = dnnl_last_impl_reached,
  iterator_ends = dnnl_iterator_ends,
  runtime_error = dnnl_runtime_error,
  not_required = dnnl_not_required,
};

// `status` says which class of failure it is, `message` names the tensor and the values that disagree. Copies share one
// text, so copying does not throw and `message` lives as long as any copy.
struct error : public std::exception {
  dnnl_status_t status;
  const char* message;

  error(dnnl_status_t astatus, const char* amessage)
      : status(astatus), message(""), text_(std::make_shared<const std::string>(amessage ? amessage : "")) {
    message = text_->c_str();
  }

  const char* what() const noexcept override { return message; }

  // Throws error(astatus, amessage) if `astatus` is a failure.
  static void wrap_c_api(dnnl_status_t astatus, const char* amessage);

 private:
  std::shared_ptr<const std::string> text_;
};

namespace detail {

[[noreturn]] inline void fail(dnnl_status_t status, const char* message) {
#if DNNL_ENABLE_EXCEPTIONS
  throw error(status, message);
#else
  std::fprintf(stderr, "dnnl::error: %s: %s\n", tandem_status2str(status), message);
  std::abort();
#endif
}
[[noreturn]] inline void fail_invalid(const std::string& message) { fail(dnnl_invalid_arguments, message.c_str()); }

// For calls into the library: the library's sentence is the message.
inline void check(dnnl_status_t status) {
  if (status != dnnl_success) fail(status, tandem_last_error());
}

}  // namespace detail

inline void error::wrap_c_api(dnnl_status_t astatus, const char* amessage) {
  if (astatus != dnnl_success) detail::fail(astatus, amessage);
}

// Throws invalid_arguments with `message` unless min_size <= v.size() and, for max_size >= 0, v.size() <= max_size.
template <typename T>
void validate_container_size(const T& v, const char* message, int min_size = 1, int max_size = -1) {
  const long size = static_cast<long>(v.size());
  if (size < min_size || (max_size >= 0 && size > max_size)) detail::fail(dnnl_invalid_arguments, message);
}

}  // namespace tandem_v1
}  // namespace dnnl

// spec/introduction.txt: ::oneapi::dnnl is an alias, and functions that take SYCL objects live in
// sycl_interop. There are none here.
namespace dnnl {
inline namespace tandem_v1 {
namespace sycl_interop {}
}  // namespace tandem_v1
}  // namespace dnnl
namespace oneapi {
namespace dnnl = ::dnnl;
}  // namespace oneapi

#endif
