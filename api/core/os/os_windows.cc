// Windows 8 and later. (Not windows.h first: the version that it must show is said before.)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#if !defined(_WIN32_WINNT) || _WIN32_WINNT < 0x0602
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0602
#endif
#include <malloc.h>
#include <process.h>
#include <windows.h>

#include "api/core/os/os.h"

namespace tandem {
namespace os {

// The system's variable, not that of a C runtime: each compiler's programs have their own, and Python's too.
std::optional<std::string> Variable(const char* name) {
  std::string value;
  for (DWORD room = 64;;) {
    value.resize(room);
    SetLastError(ERROR_SUCCESS);
    const DWORD size = GetEnvironmentVariableA(name, &value[0], room);
    if (size == 0 && GetLastError() == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
    value.resize(size);
    if (size < room) return value;
    room = size;
  }
}

void* AllocateAligned(size_t alignment, size_t bytes) { return _aligned_malloc(bytes, alignment); }

void FreeAligned(void* data) { _aligned_free(data); }

// Only an account with the right to lock pages in memory has large ones.
void PreferHugePages(void*, size_t) {}

size_t L2CacheBytes() {
  DWORD bytes = 0;
  GetLogicalProcessorInformation(nullptr, &bytes);
  std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> parts(bytes / sizeof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION));
  if (parts.empty() || !GetLogicalProcessorInformation(parts.data(), &bytes)) return 0;
  for (const SYSTEM_LOGICAL_PROCESSOR_INFORMATION& part : parts) {
    if (part.Relationship == RelationCache && part.Cache.Level == 2) return part.Cache.Size;
  }
  return 0;
}

bool MayUseTiles() { return false; }

bool HasArmDotProduct() {
#if defined(__aarch64__)
  constexpr DWORD kDotProduct = 43;  // PF_ARM_V82_DP_INSTRUCTIONS_AVAILABLE
  return IsProcessorFeaturePresent(kDotProduct) != 0;
#else
  return false;
#endif
}

void SleepWhile(const std::atomic<uint32_t>& word, uint32_t seen, std::chrono::nanoseconds longest) {
  // No sleep is shorter than a millisecond.
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(longest).count();
  auto* address = const_cast<std::atomic<uint32_t>*>(&word);
  WaitOnAddress(address, &seen, sizeof seen, milliseconds < 1 ? 1 : static_cast<DWORD>(milliseconds));
}

void WakeAll(const std::atomic<uint32_t>* word) { WakeByAddressAll(const_cast<std::atomic<uint32_t>*>(word)); }

int ProcessorOfThisThread() { return static_cast<int>(GetCurrentProcessorNumber()); }

ThreadClock ClockOfThisThread() { return GetCurrentThreadId(); }

std::chrono::nanoseconds RunTime(ThreadClock clock) {
  if (clock == kNoClock) return {};
  const HANDLE thread = OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(clock));
  if (thread == nullptr) return {};
  FILETIME created, ended, kernel = {}, user = {};
  GetThreadTimes(thread, &created, &ended, &kernel, &user);
  CloseHandle(thread);
  const auto ticks = [](const FILETIME& time) {
    return static_cast<int64_t>(static_cast<uint64_t>(time.dwHighDateTime) << 32 | time.dwLowDateTime);
  };
  return std::chrono::nanoseconds(100 * (ticks(kernel) + ticks(user)));
}

bool OnFork(void (*)(), void (*)(), void (*)()) { return true; }

struct ThreadMain {
  static unsigned __stdcall Run(void* self) {
    const auto* thread = static_cast<const Thread*>(self);
    thread->run_(thread->argument_);
    return 0;
  }
};

bool Thread::Start(size_t stack_bytes, const std::vector<int>&, void (*run)(void*), void* argument) {
  run_ = run;
  argument_ = argument;
  // A DLL stays loaded once it has threads: to end them while it is unloaded would wait for the lock that they need to end.
  HMODULE self = nullptr;
  if (!GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                          reinterpret_cast<LPCSTR>(&ThreadMain::Run), &self)) {
    return false;
  }
  handle_ = _beginthreadex(nullptr, static_cast<unsigned>(stack_bytes), &ThreadMain::Run, this,
                           STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  return handle_ != 0;
}

void Thread::Join() {
  const auto thread = reinterpret_cast<HANDLE>(handle_);
  WaitForSingleObject(thread, INFINITE);
  CloseHandle(thread);
}

// Fiber-local storage calls `end` before the loader takes its lock, which the threads that it waits for need. FlsFree() would
// call it for all threads: Close() keeps the number, and the module stays loaded.
bool ThreadPointer::Open(void (*end)(void*)) {
  const DWORD key = FlsAlloc(reinterpret_cast<PFLS_CALLBACK_FUNCTION>(end));
  key_ = key;
  return key != FLS_OUT_OF_INDEXES;
}

void ThreadPointer::Close() {}

void* ThreadPointer::Get() const { return FlsGetValue(static_cast<DWORD>(key_)); }

bool ThreadPointer::Set(void* pointer) { return FlsSetValue(static_cast<DWORD>(key_), pointer) != 0; }

}  // namespace os
}  // namespace tandem
