// Prints the default reading of the library it is linked with, and the oneDNN generation that its headers speak.
#include <cstdio>

#include "dnnl.hpp"

int main() {
  const bool spec = dnnl::get_default_reading() == dnnl::reading::spec;
  std::printf("%s %d\n", spec ? "spec" : "onednn", DNNL_VERSION_MAJOR);
  return 0;
}
