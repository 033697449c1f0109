#include "conformance/cli/bench/thread_supply.h"

#include <future>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace tandem::conformance {
namespace {

// Returns whether the system gives `threads` threads beside this one, all at the same time.
bool CanBeMade(int threads) {
  std::promise<void> all_are_there;
  const std::shared_future<void> end(all_are_there.get_future());
  std::vector<std::thread> made;
  bool ok = true;
  try {
    for (int i = 0; i < threads; ++i) made.emplace_back([end] { end.wait(); });
  } catch (const std::system_error&) {
    ok = false;
  }
  all_are_there.set_value();
  for (std::thread& thread : made) thread.join();
  return ok;
}

}  // namespace

void RequireThreads(int threads) {
  thread_local int there = 1;
  if (threads > there && !CanBeMade(threads - 1)) {
    throw std::runtime_error("the system gives no " + std::to_string(threads) + " threads");
  }
  there = threads;  // a runtime may end those that a smaller team does not need
}

}  // namespace tandem::conformance
