// What the system has counted for the threads of a process and of those that it has started, and what they hold.
#ifndef TANDEM_CONFORMANCE_SANDBOX_GROUP_TIMES_H_
#define TANDEM_CONFORMANCE_SANDBOX_GROUP_TIMES_H_

#include <sys/types.h>

#include <cstdint>
#include <map>

namespace tandem::conformance {

// In nanoseconds, since the thread began.
struct ThreadTimes {
  int64_t on_processor = 0;
  int64_t waiting = 0;    // it could have run, and another thread had the processor; counted when it runs again
  bool runnable = false;  // now: it runs, or waits for a processor
  bool stopped = false;   // now: by a signal, until it gets SIGCONT
};

struct GroupTimes {
  std::map<pid_t, ThreadTimes> threads;
  int64_t processor_ns = 0;  // of all threads, those that have ended included, in steps of the system's clock tick
};

// Of the processes of that group. A thread without scheduler statistics (a kernel without CONFIG_SCHED_INFO) has zeros.
GroupTimes ReadGroupTimes(pid_t group);

struct GroupResources {
  int64_t memory_bytes = 0;  // in RAM, and neither a file's nor shared
  int64_t descriptors = 0;   // above 0
  int64_t threads = 0;
};
// Of the processes of that group.
GroupResources ReadGroupResources(pid_t group);

// Of the time `elapsed_ns` between two readings, the part in which the processes could have gone on: they were running,
// or waited for something else than a processor. What any thread waited for a processor is taken off; a thread that is
// runnable at the end is taken to have waited whenever it did not run. The time is never less than what one thread has
// had of a processor.
int64_t UsableTime(const GroupTimes& before, const GroupTimes& after, int64_t elapsed_ns);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_GROUP_TIMES_H_
