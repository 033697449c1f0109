#include "optimized/machine/contracts_checked.h"

#include <cstdlib>

#include "hwy/base.h"

namespace tandem {
namespace optimized {

const bool contracts_are_checked = secure_getenv("TANDEM_CHECK_CONTRACTS") != nullptr;

namespace {
thread_local int kernels_begun = 0;
}  // namespace

void CountBegun(int change) { kernels_begun += change; }

void CheckBegun() { HWY_ASSERT(kernels_begun > 0); }

}  // namespace optimized
}  // namespace tandem
