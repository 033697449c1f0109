#include "api/tests/realtime/forbidden_testing.h"

#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <typeinfo>

namespace {

// One place for each kind, counted while a body runs.
struct Counts {
  long allocations, releases, locks, environment, exceptions;
};
Counts counts;
std::atomic<bool> is_counting{false};

void Count(long Counts::*kind) {
  if (is_counting.load(std::memory_order_relaxed)) ++(counts.*kind);
}

template <class Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {
// glibc's own names for its allocator.
void* __libc_malloc(size_t size);                      // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(size_t count, size_t size);        // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* old, size_t size);          // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(size_t alignment, size_t size);  // NOLINT(bugprone-reserved-identifier)
void __libc_free(void* memory);                        // NOLINT(bugprone-reserved-identifier)

void* malloc(size_t size) {
  Count(&Counts::allocations);
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  Count(&Counts::allocations);
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  Count(&Counts::allocations);
  return __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  Count(&Counts::allocations);
  return __libc_memalign(alignment, size);
}
void free(void* memory) {
  Count(&Counts::releases);
  __libc_free(memory);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static auto* const next = Next<int(pthread_mutex_t*)>("pthread_mutex_lock");
  Count(&Counts::locks);
  return next(mutex);
}
char* getenv(const char* name) noexcept {
  static auto* const next = Next<char*(const char*)>("getenv");
  Count(&Counts::environment);
  return next(name);
}
void __cxa_throw(void* thrown, std::type_info* type, void (*destroy)(void*)) {  // NOLINT(bugprone-reserved-identifier)
  static auto* const next = Next<void(void*, std::type_info*, void (*)(void*))>("__cxa_throw");
  Count(&Counts::exceptions);
  next(thrown, type, destroy);
  __builtin_unreachable();
}
}

namespace tandem {
namespace testing {
namespace {

long PageFaults() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

void Append(long count, const char* what, std::string* text) {
  if (count != 0) *text += (text->empty() ? "" : ", ") + std::to_string(count) + " " + what;
}

constexpr int kCalled = 111;

// Lets a process only end, with kCalled if it calls anything else: SECCOMP_RET_TRAP would need a handler, so the kernel kills it.
void ForbidCalls() {
  const auto number = static_cast<unsigned>(offsetof(seccomp_data, nr));
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(SYS_exit_group), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  const sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    _exit(kCalled);
  }
}

}  // namespace

std::string WhatIsForbidden(const std::function<void()>& body) {
  counts = {};
  const long before = PageFaults();
  is_counting = true;
  body();
  is_counting = false;
  const long faults = PageFaults() - before;
  std::string text;
  Append(counts.allocations, "allocations", &text);
  Append(counts.releases, "releases", &text);
  Append(counts.locks, "locks", &text);
  Append(counts.environment, "reads of the environment", &text);
  Append(counts.exceptions, "exceptions", &text);
  Append(faults, "page faults", &text);
  return text;
}

std::string CallOfTheSystem(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    ForbidCalls();
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kCalled) return "the kernel has no filter";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) return "a call of the system";
  return status == 0 ? "" : "status " + std::to_string(status);
}

void TakeALock() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

void TouchANewPage() {
  constexpr size_t kBytes = 1 << 16;
  void* page = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
  munmap(page, kBytes);
}

void CallTheSystem() { syscall(SYS_getpid); }

}  // namespace testing
}  // namespace tandem
