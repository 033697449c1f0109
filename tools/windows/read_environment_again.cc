// Tests of a DLL call this function of environment_testing.h, which they would otherwise link from the library.
#include "api/core/environment.h"
#include "dnnl/abi.h"

namespace tandem {

void ReadEnvironmentAgain() { tandem_read_environment_again(); }

}  // namespace tandem
