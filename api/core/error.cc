#include "api/core/error.h"

namespace tandem {

void ThrowInvalid(const std::string& message) { throw Error(dnnl_invalid_arguments, message); }
void ThrowUnimplemented(const std::string& message) { throw Error(dnnl_unimplemented, message); }
void ThrowNoSuchEnumerator(const char* enumeration, int value) {
  ThrowInvalid(std::string(enumeration) + ": has no enumerator for " + std::to_string(value));
}

}  // namespace tandem
