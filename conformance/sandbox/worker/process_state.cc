#include "conformance/sandbox/worker/process_state.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tandem::conformance {
namespace {

void AddTo(std::string* list, const std::string& item) { *list += (list->empty() ? "" : ", ") + item; }

}  // namespace

ProcessState ProcessState::Read() {
  ProcessState state;
  for (size_t i = 0; i < state.action_.size(); ++i) sigaction(kSignals[i], nullptr, &state.action_[i]);
  CPU_ZERO(&state.processors_);
  sched_getaffinity(0, sizeof state.processors_, &state.processors_);
  state.umask_ = umask(0);
  umask(state.umask_);
  char folder[PATH_MAX];
  if (getcwd(folder, sizeof folder) != nullptr) state.folder_ = folder;
  return state;
}

std::string ProcessState::ChangesSince(const ProcessState& before) const {
  std::string changes;
  for (size_t i = 0; i < action_.size(); ++i) {
    if (action_[i].sa_sigaction == before.action_[i].sa_sigaction) continue;
    AddTo(&changes, std::string("action of SIG") + sigabbrev_np(kSignals[i]));
  }
  if (!CPU_EQUAL(&processors_, &before.processors_)) AddTo(&changes, "processors of the thread");
  if (umask_ != before.umask_) AddTo(&changes, "umask");
  if (folder_ != before.folder_) AddTo(&changes, "current folder");
  return changes;
}

void ProcessState::Restore() const {
  for (size_t i = 0; i < action_.size(); ++i) sigaction(kSignals[i], &action_[i], nullptr);
  sched_setaffinity(0, sizeof processors_, &processors_);
  umask(umask_);
  if (!folder_.empty()) (void)!chdir(folder_.c_str());
}

}  // namespace tandem::conformance
