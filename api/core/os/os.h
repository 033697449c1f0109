// All that the library asks of the operating system. One file for each system answers: os_linux.cc, os_windows.cc, and
// os_portable.cc for macOS and other systems of POSIX. os_posix.cc has what the first and the last share.
#ifndef TANDEM_API_CORE_OS_OS_H_
#define TANDEM_API_CORE_OS_OS_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tandem {
namespace os {

// The value of an environment variable; none if it is not set. A program that has more rights than its caller is not led by
// the caller's variables: none. Throws std::bad_alloc.
std::optional<std::string> Variable(const char* name);

// `bytes` of memory at a multiple of `alignment`, a power of two and at least a pointer's size; null if there is none.
void* AllocateAligned(size_t alignment, size_t bytes);
// Gives back what AllocateAligned() returned; null: nothing.
void FreeAligned(void* data);

// Pages of 2 MB: what PreferHugePages() asks for.
constexpr size_t kHugePage = size_t{2} << 20;
// Asks for huge pages in fresh memory. Both ends are multiples of kHugePage. It is a hint. The memory loses its contents.
void PreferHugePages(void* data, size_t bytes);

// The size of the processor's second cache; 0 if the system does not tell.
size_t L2CacheBytes();
// True if the system lets this process use the tile registers of AMX.
bool MayUseTiles();
// True if an Arm processor has the instructions SDOT and UDOT; false on other processors.
bool HasArmDotProduct();

// Sleeps until WakeAll(&word), at most `longest`, and not at all if the word is not `seen`. May return early.
void SleepWhile(const std::atomic<uint32_t>& word, uint32_t seen, std::chrono::nanoseconds longest);
// Wakes the threads that sleep on the word, which it does not read: the word may be gone.
void WakeAll(const std::atomic<uint32_t>* word);

// The processor on which the calling thread runs just now; -1 if the system does not tell.
int ProcessorOfThisThread();

// Names the clock that measures a thread's CPU time; kNoClock names none.
using ThreadClock = int64_t;
constexpr ThreadClock kNoClock = 0;
ThreadClock ClockOfThisThread();
// Returns the time that the thread has run, or 0 for kNoClock and for a thread that has ended.
std::chrono::nanoseconds RunTime(ThreadClock clock);

// Calls before() before each fork() of the process, then in_parent() and in_child(); null: nothing. False if there is no
// memory. Where a process has no fork(), nothing is to be done.
bool OnFork(void (*before)(), void (*in_parent)(), void (*in_child)());

// A thread that gets no signals.
class Thread {
 public:
  // Calls run(argument) on a new thread, on one of `processors` or, if there are none, on any. False if the system gives no
  // thread.
  bool Start(size_t stack_bytes, const std::vector<int>& processors, void (*run)(void*), void* argument);
  // Waits for the end of the thread. To be called once for each Start() that has succeeded.
  void Join();

 private:
  uintptr_t handle_ = 0;
  void (*run_)(void*) = nullptr;
  void* argument_ = nullptr;
  friend struct ThreadMain;
};

// A pointer that each thread has for itself.
class ThreadPointer {
 public:
  // Each thread's pointer is null. end(pointer) is called at the end of a thread whose pointer is not null, until Close().
  // False if the system has no room for it.
  bool Open(void (*end)(void*));
  void Close();
  void* Get() const;
  // False if there is no memory.
  bool Set(void* pointer);

 private:
  uintptr_t key_ = 0;
};

}  // namespace os
}  // namespace tandem

#endif  // TANDEM_API_CORE_OS_OS_H_
