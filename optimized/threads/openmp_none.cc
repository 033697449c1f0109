// openmp.h for a library without an OpenMP runtime (Windows, macOS): its teams are its own or of the client's pool.
#include <cstdlib>
#include <thread>

#include "api/core/environment.h"
#include "optimized/threads/openmp.h"

namespace tandem {
namespace optimized {

bool HasOpenMp() { return false; }

int OpenMpThreads() {
  // The variable may list a number for each level of nested regions. The first number counts.
  const char* said = ValueOf(Variable::kOmpNumThreads);
  const int threads = said == nullptr ? 0 : std::atoi(said);
  return threads > 0 ? threads : Processors();
}

bool IsInOpenMpRegion() { return false; }

int Processors() {
  static const int processors = static_cast<int>(std::thread::hardware_concurrency());
  return processors;
}

std::vector<int> PlaceOf(int, int) { return {}; }

void RunOpenMpTeam(int, const TeamTask& task) { task.run(task.body, 0, 1); }

}  // namespace optimized
}  // namespace tandem
