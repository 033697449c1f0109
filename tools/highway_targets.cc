// Prints the Highway targets that this build has and this machine can run, the best first, as TANDEM_TARGET takes them.
#include <cstdio>

#include "hwy/targets.h"

int main() {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) std::puts(hwy::TargetName(target));
}
