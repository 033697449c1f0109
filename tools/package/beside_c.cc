// This program of the system's oneDNN loads libtandem_c.so, whose functions have the same names.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "oneapi/dnnl/dnnl.hpp"

int main(int, char** argv) {
  // RTLD_LOCAL lets nobody find its names by chance.
  void* tandem = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (tandem == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  using Version = const dnnl_version_t* (*)();
  using Sgemm = decltype(&dnnl_sgemm);
  const auto version = reinterpret_cast<Version>(dlsym(tandem, "dnnl_version"));
  const auto sgemm = reinterpret_cast<Sgemm>(dlsym(tandem, "dnnl_sgemm"));
  if (std::strcmp(version()->hash, dnnl_version()->hash) == 0) {
    std::printf("both names reached the same library\n");
    return 1;
  }
  const float a = 3, b = 5;
  float of_tandem = 0, of_system = 0;
  sgemm('N', 'N', 1, 1, 1, 1, &a, 1, &b, 1, 0, &of_tandem, 1);
  dnnl_sgemm('N', 'N', 1, 1, 1, 1, &a, 1, &b, 1, 0, &of_system, 1);
  std::printf("%g %g\n", of_tandem, of_system);
  return of_tandem == 15 && of_system == 15 ? 0 : 1;
}
