#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

#include "api/core/os/os.h"
#include "api/core/os/os_posix.h"

namespace tandem {
namespace os {

std::optional<std::string> Variable(const char* name) {
  const char* value = secure_getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

void PreferHugePages(void* data, size_t bytes) {
  // Memory that was in use before keeps its small pages, unless it is given back first. Small pages are no error.
  madvise(data, bytes, MADV_DONTNEED);
  madvise(data, bytes, MADV_HUGEPAGE);
}

size_t L2CacheBytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return static_cast<size_t>(bytes);
#endif
  return 0;
}

// A kernel that knows no tiles knows no permission.
bool MayUseTiles() {
#if defined(__x86_64__)
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

bool HasArmDotProduct() {
#if defined(__aarch64__)
  constexpr unsigned long kDotProduct = 1ul << 20;  // HWCAP_ASIMDDP
  return (getauxval(AT_HWCAP) & kDotProduct) != 0;
#else
  return false;
#endif
}

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t), "the kernel reads the word itself");

void SleepWhile(const std::atomic<uint32_t>& word, uint32_t seen, std::chrono::nanoseconds longest) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
  const timespec time = {static_cast<time_t>(seconds.count()), static_cast<long>((longest - seconds).count())};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, &time, nullptr, 0);
}

void WakeAll(const std::atomic<uint32_t>* word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

int ProcessorOfThisThread() { return sched_getcpu(); }

bool SetProcessors(pthread_attr_t* attributes, const std::vector<int>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) CPU_SET(static_cast<size_t>(processor), &set);
  return pthread_attr_setaffinity_np(attributes, sizeof set, &set) == 0;
}

}  // namespace os
}  // namespace tandem
