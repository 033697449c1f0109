// macOS, WebAssembly and other systems of POSIX. --config=portable compiles it on Linux.
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <new>

#include "api/core/os/os.h"
#include "api/core/os/os_posix.h"

#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace tandem {
namespace os {

std::optional<std::string> Variable(const char* name) {
#if defined(__EMSCRIPTEN__)
  constexpr bool has_more_rights = false;  // a module of WebAssembly has those of its page, and no way to ask
#else
  const bool has_more_rights = getuid() != geteuid() || getgid() != getegid();
#endif
  const char* value = has_more_rights ? nullptr : getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

void PreferHugePages(void*, size_t) {}

size_t L2CacheBytes() {
#if defined(__APPLE__)
  int64_t bytes = 0;
  size_t size = sizeof bytes;
  if (sysctlbyname("hw.l2cachesize", &bytes, &size, nullptr, 0) == 0 && bytes > 0) return static_cast<size_t>(bytes);
#endif
  return 0;
}

bool MayUseTiles() { return false; }

bool HasArmDotProduct() {
#if defined(__APPLE__) && defined(__aarch64__)
  return true;  // since the first Mac of that processor
#else
  return false;
#endif
}

namespace {

// The threads that sleep on the words of one class of addresses.
struct Sleepers {
  std::mutex mutex;
  std::condition_variable changed;
};
constexpr size_t kClasses = 64;

// It is never destroyed, because workers may sleep until the library's last destructor ends them.
class AllSleepers {
 public:
  static Sleepers& Of(const void* word) {
    static AllSleepers all;
    return all.At(reinterpret_cast<uintptr_t>(word) / 64 % kClasses);
  }

 private:
  AllSleepers() {
    self_ = this;
    Make();
    OnFork(nullptr, nullptr, [] { self_->Make(); });
  }
  // In a child of fork() nobody sleeps, and nobody else would give back a lock that a thread of its parent had.
  void Make() {
    for (size_t i = 0; i < kClasses; ++i) new (&At(i)) Sleepers;
  }
  Sleepers& At(size_t i) { return *reinterpret_cast<Sleepers*>(memory_.data() + i * sizeof(Sleepers)); }

  static AllSleepers* self_;
  alignas(Sleepers) std::array<unsigned char, kClasses * sizeof(Sleepers)> memory_;
};
AllSleepers* AllSleepers::self_ = nullptr;

}  // namespace

void SleepWhile(const std::atomic<uint32_t>& word, uint32_t seen, std::chrono::nanoseconds longest) {
  Sleepers& sleepers = AllSleepers::Of(&word);
  std::unique_lock<std::mutex> lock(sleepers.mutex);
  if (word.load(std::memory_order_seq_cst) == seen) sleepers.changed.wait_for(lock, longest);
}

void WakeAll(const std::atomic<uint32_t>* word) {
  Sleepers& sleepers = AllSleepers::Of(word);
  // Whoever has seen the old word under the lock sleeps by now.
  { const std::lock_guard<std::mutex> lock(sleepers.mutex); }
  sleepers.changed.notify_all();
}

int ProcessorOfThisThread() { return -1; }

bool SetProcessors(pthread_attr_t*, const std::vector<int>&) { return true; }

}  // namespace os
}  // namespace tandem
