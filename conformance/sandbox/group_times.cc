#include "conformance/sandbox/group_times.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "conformance/sandbox/messages/processes.h"

namespace tandem::conformance {
namespace {

ThreadTimes ReadThread(const std::string& path) {
  long long on_processor = 0, waiting = 0;
  const bool counted = std::sscanf(ReadStart(path + "/schedstat").c_str(), "%lld %lld", &on_processor, &waiting) == 2;
  ProcessRecord thread;
  ReadProcess(path, &thread);
  return {on_processor, waiting, counted && thread.state == 'R', thread.state == 'T'};
}

int64_t CountOf(const std::string& folder) {
  int64_t count = 0;
  ForEachNumber(folder, [&](pid_t, const std::string&) { ++count; });
  return count;
}

}  // namespace

GroupResources ReadGroupResources(pid_t group) {
  GroupResources all;
  ForEachNumber("/proc", [&](pid_t, const std::string& process) {
    ProcessRecord record;
    if (!ReadProcess(process, &record) || record.group != group) return;
    long long resident = 0, shared = 0;
    std::sscanf(ReadStart(process + "/statm").c_str(), "%*d %lld %lld", &resident, &shared);
    all.memory_bytes += (resident - shared) * sysconf(_SC_PAGESIZE);
    all.descriptors += CountOf(process + "/fd");
    all.threads += CountOf(process + "/task");
  });
  return all;
}

GroupTimes ReadGroupTimes(pid_t group) {
  GroupTimes times;
  const int64_t ns_per_tick = 1000000000 / std::max(sysconf(_SC_CLK_TCK), 1L);
  ForEachNumber("/proc", [&](pid_t, const std::string& process) {
    ProcessRecord record;
    if (!ReadProcess(process, &record) || record.group != group) return;
    times.processor_ns += record.ticks * ns_per_tick;
    ForEachNumber(process + "/task",
                  [&](pid_t thread, const std::string& path) { times.threads[thread] = ReadThread(path); });
  });
  return times;
}

int64_t UsableTime(const GroupTimes& before, const GroupTimes& after, int64_t elapsed_ns) {
  int64_t waiting = 0, most_on_processor = 0;
  for (const auto& [thread, times] : after.threads) {
    const auto earlier = before.threads.find(thread);
    const ThreadTimes from = earlier != before.threads.end() ? earlier->second : ThreadTimes();
    const int64_t on_processor = times.on_processor - from.on_processor;
    waiting += std::max(times.waiting - from.waiting, times.runnable ? elapsed_ns - on_processor : 0);
    most_on_processor = std::max(most_on_processor, on_processor);
  }
  return std::min(std::max(elapsed_ns - waiting, most_on_processor), elapsed_ns);
}

}  // namespace tandem::conformance
