// What environment_testing.h calls, of a library that is a DLL.
#include "api/core/environment.h"
#include "dnnl/abi.h"

namespace tandem {

void ReadEnvironmentAgain() { tandem_read_environment_again(); }

}  // namespace tandem
