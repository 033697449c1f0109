#include "conformance/sandbox/worker/companion.h"

namespace tandem::conformance {

Companion::Companion(const tandem_plugin* plugin, ZeroExecution* execution, int num_steps, const ThreadLimit& limit) {
  thread_ = std::thread([this, plugin, execution, num_steps, &limit] {
    limit.OfThisThread(1);
    Loop(plugin, execution, num_steps);
  });
  while (!begun_.load()) std::this_thread::yield();
}

void Companion::Loop(const tandem_plugin* plugin, ZeroExecution* execution, int num_steps) {
  char message[256] = "";
  begun_ = true;
  do {
    for (int step = 0; step < num_steps; ++step) {
      if (execution->Run(plugin, step, message, sizeof message) == tandem_ok) continue;
      message[sizeof message - 1] = '\0';
      failure_ = message[0] != '\0' ? message : "without a message";
      return;
    }
  } while (!stop_.load());
}

const std::string& Companion::Stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  return failure_;
}

}  // namespace tandem::conformance
