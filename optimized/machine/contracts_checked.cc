#include "optimized/machine/contracts_checked.h"

#include <new>

#include "api/core/environment.h"
#include "hwy/base.h"

namespace tandem {
namespace optimized {

std::atomic<bool> contracts_may_be_checked{true};

namespace {
bool Asked() {
  try {
    return ValueOf(Variable::kTandemCheckContracts) != nullptr;
  } catch (const std::bad_alloc&) {
    return false;  // a kernel throws nothing
  }
}
}  // namespace

bool EnvironmentAsksForContracts() {
  static const bool asks = Asked();
  if (!asks) contracts_may_be_checked.store(false, std::memory_order_relaxed);
  return asks;
}

namespace {
thread_local int kernels_begun = 0;
}  // namespace

void CountBegun(int change) { kernels_begun += change; }

void CheckBegun() { HWY_ASSERT(kernels_begun > 0); }

}  // namespace optimized
}  // namespace tandem
