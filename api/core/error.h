// Tandem's parts report a failure to the API layer by this exception, which the layer turns into dnnl::error.
#ifndef TANDEM_API_CORE_ERROR_H_
#define TANDEM_API_CORE_ERROR_H_

#include <stdexcept>
#include <string>

#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {

class Error : public std::runtime_error {
 public:
  Error(dnnl_status_t status, const std::string& message) : std::runtime_error(message), status_(status) {}
  dnnl_status_t status() const { return status_; }

 private:
  dnnl_status_t status_;
};

// For a tensor, dimension, enum value or argument that no implementation could accept.
[[noreturn]] void ThrowInvalid(const std::string& message);
// Valid by the specification, but served by no implementation here.
[[noreturn]] void ThrowUnimplemented(const std::string& message);
// For the end of a function whose switch returns for every enumerator: a forgotten one is an error, never another case.
// `enumeration` is the enum's name.
[[noreturn]] void ThrowNoSuchEnumerator(const char* enumeration, int value);
template <class Enum>
[[noreturn]] void ThrowNoSuchEnumerator(const char* enumeration, Enum value) {
  ThrowNoSuchEnumerator(enumeration, static_cast<int>(value));
}

}  // namespace tandem

#endif  // TANDEM_API_CORE_ERROR_H_
