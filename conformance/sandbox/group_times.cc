#include "conformance/sandbox/group_times.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace tandem::conformance {
namespace {

// The first 1000 bytes; empty if the process or thread is gone.
std::string ReadStart(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  char bytes[1000];
  const size_t size = file == nullptr ? 0 : std::fread(bytes, 1, sizeof bytes, file.get());
  return std::string(bytes, size);
}

// Calls act(number, path) for each entry of a folder whose name is a number.
template <class Act>
void ForEachNumber(const std::string& folder, Act act) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (open == nullptr) return;
  while (const dirent* entry = readdir(open.get())) {
    const int number = std::atoi(entry->d_name);
    if (number > 0) act(number, folder + "/" + entry->d_name);
  }
}

// What follows the name in /proc/PID/stat: the name is in parentheses and may have any characters.
std::string ReadState(const std::string& path) {
  const std::string text = ReadStart(path + "/stat");
  const size_t name_end = text.rfind(") ");
  return name_end == std::string::npos ? "" : text.substr(name_end + 2);
}

ThreadTimes ReadThread(const std::string& path) {
  long long on_processor = 0, waiting = 0;
  const bool counted = std::sscanf(ReadStart(path + "/schedstat").c_str(), "%lld %lld", &on_processor, &waiting) == 2;
  const char state = ReadState(path)[0];
  return {on_processor, waiting, counted && state == 'R', state == 'T'};
}

// The group of a process, and the ticks that it and the children it has waited for have used; false if it is gone.
bool ReadProcess(const std::string& path, int* group, int64_t* ticks) {
  long long used[4] = {};
  if (std::sscanf(ReadState(path).c_str(), "%*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld %lld %lld", group,
                  &used[0], &used[1], &used[2], &used[3]) != 5) {
    return false;
  }
  *ticks = used[0] + used[1] + used[2] + used[3];
  return true;
}

}  // namespace

GroupTimes ReadGroupTimes(pid_t group) {
  GroupTimes times;
  const int64_t ns_per_tick = 1000000000 / std::max(sysconf(_SC_CLK_TCK), 1L);
  ForEachNumber("/proc", [&](int, const std::string& process) {
    int its_group;
    int64_t ticks;
    if (!ReadProcess(process, &its_group, &ticks) || its_group != group) return;
    times.processor_ns += ticks * ns_per_tick;
    ForEachNumber(process + "/task",
                  [&](int thread, const std::string& path) { times.threads[thread] = ReadThread(path); });
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
