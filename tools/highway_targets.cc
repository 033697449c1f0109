// Prints the Highway targets that this build has and this machine can run, the best first, as TANDEM_TARGET takes them. With
// --others it prints the mask of the targets that this machine does not need, as HWY_DISABLED_TARGETS takes it: all but the
// best and the one that every machine has. It prints nothing if a build has one target.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

#include "hwy/targets.h"

int main(int argc, char** argv) {
  const std::vector<int64_t> targets = hwy::SupportedAndGeneratedTargets();
  if (argc > 1 && std::strcmp(argv[1], "--others") == 0) {
    const int64_t others = HWY_TARGETS & ~(targets.front() | HWY_STATIC_TARGET);
    if (others != 0) std::printf("0x%" PRIx64 "\n", others);
    return 0;
  }
  for (const int64_t target : targets) std::puts(hwy::TargetName(target));
}
