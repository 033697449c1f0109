#include "conformance/host/apart.h"

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

// Shared with the child.
struct Slip {
  bool returned = false;
  bool answer = false;
  char text[1024] = {};
};

[[noreturn]] void Answer(const std::function<bool(char*, size_t)>& body, unsigned timeout_seconds, Slip* slip) {
  // The kernel's clock ends a hang: nobody needs to watch.
  ::signal(SIGALRM, SIG_DFL);
  alarm(timeout_seconds);
  slip->answer = body(slip->text, sizeof slip->text);
  slip->returned = true;
  std::fflush(nullptr);
  // Not exit(): destructors of foreign libraries are not what was asked.
  _exit(0);
}

ApartEnd Read(const Slip& slip, int wait_status, unsigned timeout_seconds) {
  ApartEnd end;
  end.text.assign(slip.text, strnlen(slip.text, sizeof slip.text));
  end.answer = slip.answer;
  if (slip.returned) return end;
  end.answer = false;
  if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGALRM) {
    end.outcome.Worsen(Verdict::kTimeout);
    end.text = "no answer within " + std::to_string(timeout_seconds) + " s";
  } else {
    end.outcome.Worsen(Verdict::kCrash);
    const char* name = WIFSIGNALED(wait_status) ? strsignal(WTERMSIG(wait_status)) : nullptr;
    end.text = name != nullptr ? name : "it ended the process";
  }
  return end;
}

}  // namespace

ApartEnd AskApart(const std::function<bool(char*, size_t)>& body, unsigned timeout_seconds) {
  void* memory = mmap(nullptr, sizeof(Slip), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  Slip* slip = new (memory) Slip();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    munmap(memory, sizeof(Slip));
    throw std::runtime_error("cannot fork");
  }
  if (child == 0) Answer(body, timeout_seconds, slip);
  int wait_status = 0;
  while (waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
  }
  const ApartEnd end = Read(*slip, wait_status, timeout_seconds);
  munmap(memory, sizeof(Slip));
  return end;
}

}  // namespace tandem::conformance
