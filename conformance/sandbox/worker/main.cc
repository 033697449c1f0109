// A plugin is loaded in this process, never in the judge's, which starts it with a socket as descriptor 3 (sandbox/worker.h).
//
//   tandem_worker IMPLEMENTATION SECONDS FORMAT
//
// IMPLEMENTATION is a word for load.h, SECONDS the limit of loading if the judge is gone, FORMAT the judge's MessageFormat().
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "conformance/sandbox/messages/messages.h"
#include "conformance/sandbox/worker/fork_server.h"

namespace tandem::conformance {
namespace {

constexpr double kGiB = 1024. * 1024 * 1024;

// Returns how many threads this process has. A sanitizer has one of its own.
long NumThreads() {
  struct stat tasks;
  return stat("/proc/self/task", &tasks) == 0 ? static_cast<long>(tasks.st_nlink) - 2 : 1;
}

// Returns the bytes of writable memory of its own that the process has now.
double DataBytes() {
  long pages[6] = {};
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  const int read =
      std::fscanf(file, "%ld %ld %ld %ld %ld %ld", pages, pages + 1, pages + 2, pages + 3, pages + 4, pages + 5);
  std::fclose(file);
  return read == 6 ? static_cast<double>(pages[5]) * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
}

// Limits memory to TANDEM_WORKER_GIB (else 16 GiB, at most half the machine's) more than the process has before it loads the
// plugin. If all processes together take too much, the system ends one of them and not the judge.
void LimitMemory() {
  const char* asked = std::getenv("TANDEM_WORKER_GIB");
  const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double more = asked != nullptr ? std::atof(asked) * kGiB : std::min(16 * kGiB, machine / 2);
  const double bytes = DataBytes() + std::max(more, 0.1 * kGiB);
  // A number that rlim_t cannot hold is no limit: on a 32-bit processor it is more than a process has.
  const bool limited = bytes < static_cast<double>(RLIM_INFINITY);
  rlimit limit;
  limit.rlim_cur = limit.rlim_max = limited ? static_cast<rlim_t>(bytes) : RLIM_INFINITY;
  setrlimit(RLIMIT_DATA, &limit);
  std::FILE* file = std::fopen("/proc/self/oom_score_adj", "we");
  if (file == nullptr) return;
  std::fputs("1000", file);
  std::fclose(file);
}

// Reserves the stack of this process and of its copies, while there is memory for it. If it cannot grow later, a plugin that
// has done nothing wrong ends by a segmentation fault.
[[gnu::noinline]] void ReserveStack() {
  constexpr size_t kBytes = 256 * 1024;
  void* const probe = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED) return;
  munmap(probe, kBytes);
  volatile char* const stack = static_cast<char*>(__builtin_alloca(kBytes));
  for (size_t at = kBytes; at > 0; at -= 4096) stack[at - 1] = 0;
}

// The judge may end while the plugin is loaded, perhaps by Ctrl-C. Nobody reads from the socket then, so this thread watches
// it. It ends this process and those that it has started.
class EndsWithTheJudge {
 public:
  EndsWithTheJudge() {
    ::signal(SIGIO, [](int) { kill(0, SIGKILL); });
    fcntl(kControlDescriptor, F_SETOWN, getpid());
    fcntl(kControlDescriptor, F_SETFL, fcntl(kControlDescriptor, F_GETFL) | O_ASYNC);
    pollfd before = {kControlDescriptor, POLLIN, 0};
    if (poll(&before, 1, 0) > 0) _exit(kExitNoConnection);
  }
  ~EndsWithTheJudge() {
    fcntl(kControlDescriptor, F_SETFL, fcntl(kControlDescriptor, F_GETFL) & ~O_ASYNC);
    ::signal(SIGIO, SIG_DFL);
  }
  EndsWithTheJudge(const EndsWithTheJudge&) = delete;
  EndsWithTheJudge& operator=(const EndsWithTheJudge&) = delete;
};

void LoadForTheJudge(const char* word, LoadedPlugin* plugin, DescriptionReport* report) {
  const EndsWithTheJudge ends;
  Load(word, plugin, report);
}

int RunWorker(const char* word, unsigned seconds) {
  fcntl(kControlDescriptor, F_SETFD, FD_CLOEXEC);
  LimitMemory();
  ReserveStack();
  const long threads = NumThreads();
  alarm(seconds);
  LoadedPlugin plugin;
  DescriptionReport report;
  LoadForTheJudge(word, &plugin, &report);
  alarm(0);
  report.forks = NumThreads() == threads;
  const bool sent = Send(kControlDescriptor, report);
  if (sent) ServeRequests(plugin, kControlDescriptor);
  // exit() would run the destructors of foreign libraries, which may crash.
  _exit(sent ? 0 : kExitNoConnection);
}

}  // namespace
}  // namespace tandem::conformance

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "tandem_worker is started by tandem\n");
    return 2;
  }
  if (tandem::conformance::MessageFormat() != argv[3]) return tandem::conformance::kExitOtherBuild;
  return tandem::conformance::RunWorker(argv[1], static_cast<unsigned>(std::atoi(argv[2])));
}
