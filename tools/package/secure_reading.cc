// Prints whether the kernel says that this process has more rights than its caller, and the default reading.
#include <sys/auxv.h>

#include <cstdio>

#include "dnnl.hpp"

int main() {
  const bool spec = dnnl::get_default_reading() == dnnl::reading::spec;
  std::printf("%s %s\n", getauxval(AT_SECURE) != 0 ? "secure" : "usual", spec ? "spec" : "onednn");
  return 0;
}
