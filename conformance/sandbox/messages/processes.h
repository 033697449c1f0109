// /proc says this about processes. The judge looks there at its workers, a worker at what its plugin has started.
#ifndef TANDEM_CONFORMANCE_SANDBOX_MESSAGES_PROCESSES_H_
#define TANDEM_CONFORMANCE_SANDBOX_MESSAGES_PROCESSES_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tandem::conformance {

struct ProcessRecord {
  pid_t pid = 0, parent = 0, group = 0;
  char state = '?';   // 'Z': it has ended, but its parent has not asked for its status
  int64_t ticks = 0;  // ticks of processors that it and the children it has waited for have used
  std::string name;   // the first 15 bytes of its program's name
};

// Returns the first 1000 bytes of a file in /proc; empty if the process or thread is gone.
std::string ReadStart(const std::string& path);
// Calls act(number, path) for each entry of a folder whose name is a number.
void ForEachNumber(const std::string& folder, const std::function<void(pid_t, const std::string&)>& act);
// Reads a process's or a thread's folder. Returns false if it is gone.
bool ReadProcess(const std::string& path, ProcessRecord* record);

// Returns all processes that `root` has started, directly or not, and that have not ended. An orphan belongs to the nearest
// process above it that takes orphans in (PR_SET_CHILD_SUBREAPER).
std::vector<ProcessRecord> Descendants(pid_t root);
// Returns those that are not in that group: killing it would leave them.
std::vector<ProcessRecord> Outside(pid_t group, std::vector<ProcessRecord> processes);
// Kills the processes of look() until it finds none, because they may start others. Returns their names, each once.
std::string KillAll(const std::function<std::vector<ProcessRecord>()>& look);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_MESSAGES_PROCESSES_H_
