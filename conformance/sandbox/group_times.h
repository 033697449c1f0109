// The system counts these for the threads of a process and of those that it has started, and says what they hold.
#ifndef TANDEM_CONFORMANCE_SANDBOX_GROUP_TIMES_H_
#define TANDEM_CONFORMANCE_SANDBOX_GROUP_TIMES_H_

#include <sys/types.h>

#include <cstdint>
#include <map>

namespace tandem::conformance {

// The times are nanoseconds since the thread began.
struct ThreadTimes {
  int64_t on_processor = 0;
  int64_t waiting = 0;    // time in which it could have run, but had no processor; counted when it runs again
  bool runnable = false;  // at present it runs, or waits for a processor
  bool stopped = false;   // at present a signal has stopped it, until it gets SIGCONT
};

struct GroupTimes {
  std::map<pid_t, ThreadTimes> threads;
  int64_t processor_ns = 0;  // the time of all threads, also of those that have ended, in clock ticks of the system
};

// Reads the times of the group's processes. A thread without scheduler statistics (kernel without CONFIG_SCHED_INFO) has zeros.
GroupTimes ReadGroupTimes(pid_t group);

struct GroupResources {
  int64_t memory_bytes = 0;  // those in RAM that are neither a file's nor shared
  int64_t descriptors = 0;   // above 0
  int64_t threads = 0;
};
GroupResources ReadGroupResources(pid_t group);

// Returns the part of the time `elapsed_ns` between two readings in which the processes could have gone on: they were running,
// or waited for something else than a processor. Time in which a thread waited for a processor is taken off. A thread that is
// runnable at the end counts as waiting when it did not run. The result is at least the time of one thread on a processor.
int64_t UsableTime(const GroupTimes& before, const GroupTimes& after, int64_t elapsed_ns);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_GROUP_TIMES_H_
