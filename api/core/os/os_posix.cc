// This file has the functions that are the same on Linux, macOS and other systems of POSIX.
#include "api/core/os/os_posix.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "api/core/os/os.h"

#if defined(__APPLE__)
#include <mach/mach.h>
#endif

namespace tandem {
namespace os {

static_assert(sizeof(pthread_t) <= sizeof(uintptr_t) && sizeof(pthread_key_t) <= sizeof(uintptr_t), "");

void* AllocateAligned(size_t alignment, size_t bytes) {
  // aligned_alloc() wants a multiple of the alignment.
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void FreeAligned(void* data) { free(data); }

#if defined(__APPLE__)

ThreadClock ClockOfThisThread() { return static_cast<ThreadClock>(pthread_mach_thread_np(pthread_self())); }

std::chrono::nanoseconds RunTime(ThreadClock clock) {
  thread_basic_info_data_t info = {};
  mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
  if (clock == kNoClock || thread_info(static_cast<thread_act_t>(clock), THREAD_BASIC_INFO,
                                       reinterpret_cast<thread_info_t>(&info), &count) != KERN_SUCCESS) {
    return {};
  }
  return std::chrono::seconds(info.user_time.seconds + info.system_time.seconds) +
         std::chrono::microseconds(info.user_time.microseconds + info.system_time.microseconds);
}

#elif defined(_POSIX_THREAD_CPUTIME) && _POSIX_THREAD_CPUTIME >= 0 && !defined(__EMSCRIPTEN__)

ThreadClock ClockOfThisThread() {
  clockid_t clock = 0;
  return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? static_cast<ThreadClock>(clock) : kNoClock;
}

std::chrono::nanoseconds RunTime(ThreadClock clock) {
  timespec time = {};
  if (clock != kNoClock) clock_gettime(static_cast<clockid_t>(clock), &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

#else

ThreadClock ClockOfThisThread() { return kNoClock; }

std::chrono::nanoseconds RunTime(ThreadClock) { return {}; }

#endif

bool OnFork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
  return pthread_atfork(before, in_parent, in_child) == 0;
}

namespace {

// While it lives, the calling thread gets no signal: threads that it makes inherit that.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &saved_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t saved_;
};

}  // namespace

struct ThreadMain {
  static void* Run(void* self) {
    const auto* thread = static_cast<const Thread*>(self);
    thread->run_(thread->argument_);
    return nullptr;
  }
};

bool Thread::Start(size_t stack_bytes, const std::vector<int>& processors, void (*run)(void*), void* argument) {
  run_ = run;
  argument_ = argument;
  const SignalsBlocked blocked;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  const bool ok = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                  (processors.empty() || SetProcessors(&attributes, processors)) &&
                  pthread_create(&thread, &attributes, &ThreadMain::Run, this) == 0;
  pthread_attr_destroy(&attributes);
  handle_ = (uintptr_t)thread;  // a pointer on some systems, a number on others
  return ok;
}

void Thread::Join() { pthread_join((pthread_t)handle_, nullptr); }

bool ThreadPointer::Open(void (*end)(void*)) {
  pthread_key_t key{};
  const bool ok = pthread_key_create(&key, end) == 0;
  key_ = static_cast<uintptr_t>(key);
  return ok;
}

void ThreadPointer::Close() { pthread_key_delete(static_cast<pthread_key_t>(key_)); }

void* ThreadPointer::Get() const { return pthread_getspecific(static_cast<pthread_key_t>(key_)); }

bool ThreadPointer::Set(void* pointer) { return pthread_setspecific(static_cast<pthread_key_t>(key_), pointer) == 0; }

}  // namespace os
}  // namespace tandem
