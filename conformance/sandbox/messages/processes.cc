#include "conformance/sandbox/messages/processes.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>

namespace tandem::conformance {

std::string ReadStart(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  char bytes[1000];
  const size_t size = file == nullptr ? 0 : std::fread(bytes, 1, sizeof bytes, file.get());
  return std::string(bytes, size);
}

void ForEachNumber(const std::string& folder, const std::function<void(pid_t, const std::string&)>& act) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (open == nullptr) return;
  while (const dirent* entry = readdir(open.get())) {
    const int number = std::atoi(entry->d_name);
    if (number > 0) act(number, folder + "/" + entry->d_name);
  }
}

bool ReadProcess(const std::string& path, ProcessRecord* record) {
  const std::string text = ReadStart(path + "/stat");
  // The name is in parentheses and may have any characters.
  const size_t name = text.find(" ("), end = text.rfind(") ");
  if (name == std::string::npos || end == std::string::npos) return false;
  record->pid = std::atoi(text.c_str());
  record->name = text.substr(name + 2, end - name - 2);
  long long used[4] = {};
  const int read = std::sscanf(text.c_str() + end + 2, "%c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld %lld %lld",
                               &record->state, &record->parent, &record->group, &used[0], &used[1], &used[2], &used[3]);
  record->ticks = used[0] + used[1] + used[2] + used[3];
  return read == 7;
}

namespace {

// Returns false if none of its threads has a child. A system without CONFIG_PROC_CHILDREN leaves it open.
bool MayHaveChildren(pid_t process) {
  bool may = false;
  ForEachNumber("/proc/" + std::to_string(process) + "/task", [&](pid_t, const std::string& path) {
    const std::string children = path + "/children";
    may = may || access(children.c_str(), R_OK) != 0 || !ReadStart(children).empty();
  });
  return may;
}

}  // namespace

std::vector<ProcessRecord> Descendants(pid_t root) {
  // Reading all processes takes milliseconds, and nearly all copies of a worker end without a child.
  if (!MayHaveChildren(root)) return {};
  std::vector<ProcessRecord> all, found;
  ForEachNumber("/proc", [&](pid_t, const std::string& path) {
    ProcessRecord record;
    if (ReadProcess(path, &record) && record.state != 'Z') all.push_back(record);
  });
  std::set<pid_t> family = {root};
  for (size_t before = 0; family.size() != before;) {
    before = family.size();
    for (const ProcessRecord& record : all) {
      if (family.count(record.parent) != 0 && family.insert(record.pid).second) found.push_back(record);
    }
  }
  return found;
}

std::vector<ProcessRecord> Outside(pid_t group, std::vector<ProcessRecord> processes) {
  processes.erase(std::remove_if(processes.begin(), processes.end(),
                                 [&](const ProcessRecord& record) { return record.group == group; }),
                  processes.end());
  return processes;
}

std::string KillAll(const std::function<std::vector<ProcessRecord>()>& look) {
  constexpr int kMostLooks = 1000;  // a second, for processes that start others faster than they are killed
  std::set<std::string> names;
  for (int looks = 0; looks < kMostLooks; ++looks) {
    const std::vector<ProcessRecord> processes = look();
    if (processes.empty()) break;
    for (const ProcessRecord& record : processes) {
      kill(record.pid, SIGKILL);
      names.insert(record.name);
    }
    usleep(1000);
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace tandem::conformance
