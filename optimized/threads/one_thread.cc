// threading.h and barrier.h where a program has one thread (WebAssembly).
#include "api/core/float_environment.h"
#include "optimized/threads/barrier.h"
#include "optimized/threads/threading.h"

namespace tandem {
namespace optimized {

int MaxThreads() { return 1; }

int TeamSize(int, TeamBackoff*) { return 1; }

void RunTeam(int, TeamBackoff*, const TeamTask& task) {
  const FloatEnvironment environment(Subnormals::kZero);
  task.run(task.body, 0, 1);
}

Barrier::Barrier(BarrierFlag* flags, int thread, int first, int count, int team, TeamBackoff* backoff)
    : flags_(flags), thread_(thread), first_(first), count_(count), team_(team), backoff_(backoff) {}

void Barrier::Wait() {}

}  // namespace optimized
}  // namespace tandem
