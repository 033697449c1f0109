#include "conformance/host/run_in_child.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>

namespace tandem::conformance {
namespace {

// In memory shared with the child.
struct SharedAnswer {
  bool returned = false;
  bool value = false;
  char text[1024] = {};
};

[[noreturn]] void Answer(const std::function<bool(char*, size_t)>& body, unsigned timeout_seconds,
                         SharedAnswer* shared) {
  // alarm() kills a hung child.
  ::signal(SIGALRM, SIG_DFL);
  alarm(timeout_seconds);
  shared->value = body(shared->text, sizeof shared->text);
  shared->returned = true;
  std::fflush(nullptr);
  // Not exit(): that would run the destructors of foreign libraries, which may crash.
  _exit(0);
}

ChildAnswer Read(const SharedAnswer& shared, int wait_status, unsigned timeout_seconds) {
  ChildAnswer answer;
  if (shared.returned) {
    answer.returned_true = shared.value;
    answer.text.assign(shared.text, strnlen(shared.text, sizeof shared.text));
  } else if (!WIFSIGNALED(wait_status)) {
    answer.finding = Finding::kExit;
  } else if (WTERMSIG(wait_status) == SIGALRM) {
    answer.finding = Finding::kTimeLimit;
    answer.text = std::to_string(timeout_seconds);
  } else {
    answer.finding = Finding::kSignal;
    const char* name = strsignal(WTERMSIG(wait_status));
    answer.text = name != nullptr ? name : "signal";
  }
  return answer;
}

}  // namespace

ChildAnswer RunInChild(const std::function<bool(char*, size_t)>& body, unsigned timeout_seconds) {
  void* memory = mmap(nullptr, sizeof(SharedAnswer), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  SharedAnswer* shared = new (memory) SharedAnswer();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    munmap(memory, sizeof(SharedAnswer));
    throw std::runtime_error("cannot fork");
  }
  if (child == 0) Answer(body, timeout_seconds, shared);
  int wait_status = 0;
  while (waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
  }
  const ChildAnswer answer = Read(*shared, wait_status, timeout_seconds);
  munmap(memory, sizeof(SharedAnswer));
  return answer;
}

}  // namespace tandem::conformance
