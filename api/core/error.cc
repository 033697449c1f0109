#include "api/core/error.h"

namespace tandem {

void ThrowInvalid(const std::string& message) { throw Error(dnnl_invalid_arguments, message); }
void ThrowUnimplemented(const std::string& message) { throw Error(dnnl_unimplemented, message); }

}  // namespace tandem
