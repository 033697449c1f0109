// Loads shared objects into one process, where each sees the symbols of those before it, and prints DefaultReading() of each.
#include <dlfcn.h>

#include <cstdio>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    void* object = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
    void* function = object == nullptr ? nullptr : dlsym(object, "DefaultReading");
    if (function == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    std::printf("%s ", reinterpret_cast<const char* (*)()>(function)());
  }
  return 0;
}
