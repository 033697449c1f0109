#include "conformance/sandbox/worker/thread_limit.h"

#include <dlfcn.h>

#include <cstdlib>

namespace tandem::conformance {
namespace {

constexpr const char* kVariable = "OMP_NUM_THREADS";

}  // namespace

ThreadLimit::ThreadLimit(void* library) {
  // A runtime that is already loaded does not read its environment again and needs a call.
  void* const where = library != nullptr ? library : RTLD_DEFAULT;
  set_ = reinterpret_cast<void (*)(int)>(dlsym(where, "omp_set_num_threads"));
  const auto get = reinterpret_cast<int (*)()>(dlsym(where, "omp_get_max_threads"));
  const char* usual = std::getenv(kVariable);
  if (usual != nullptr) usual_ = usual;
  if (get != nullptr) usual_threads_ = get();
}

void ThreadLimit::Set(int threads) {
  if (threads == limit_) return;
  limit_ = threads;
  if (threads != 0) {
    setenv(kVariable, std::to_string(threads).c_str(), 1);
  } else if (usual_.empty()) {
    unsetenv(kVariable);
  } else {
    setenv(kVariable, usual_.c_str(), 1);
  }
  OfThisThread(threads);
}

void ThreadLimit::OfThisThread(int threads) const {
  if (set_ != nullptr) set_(threads != 0 ? threads : usual_threads_);
}

}  // namespace tandem::conformance
