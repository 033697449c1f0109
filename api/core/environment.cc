#include "api/core/environment.h"

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <optional>

#include "dnnl/abi.h"

namespace tandem {
namespace {

// The names stand in the order of Variable.
constexpr const char* kNames[] = {
    "TANDEM_IMPL",
    "TANDEM_READING",
    "TANDEM_TARGET",
    "TANDEM_DIVISION",
    "TANDEM_TUNING",
    "TANDEM_THREADS",
    "TANDEM_TEAM_BACKOFF",
    "TANDEM_VERBOSE",
    "OMP_WAIT_POLICY",
    "ONEDNN_MAX_CPU_ISA",
    "DNNL_MAX_CPU_ISA",
    "ONEDNN_DEFAULT_FPMATH_MODE",
    "DNNL_DEFAULT_FPMATH_MODE",
    "ONEDNN_PRIMITIVE_CACHE_CAPACITY",
    "DNNL_PRIMITIVE_CACHE_CAPACITY",
    "ONEDNN_VERBOSE",
    "DNNL_VERBOSE",
    "ONEDNN_VERBOSE_TIMESTAMP",
};
constexpr size_t kCount = sizeof kNames / sizeof kNames[0];
static_assert(kCount == static_cast<size_t>(Variable::kOnednnVerboseTimestamp) + 1, "a name for each Variable");

struct Snapshot {
  unsigned generation;
  const Snapshot* earlier;  // its texts are still valid
  std::array<std::optional<std::string>, kCount> values;
};

// A snapshot of an earlier generation is out of date.
std::atomic<unsigned> generation{0};
std::atomic<const Snapshot*> newest{nullptr};

// At load. A child has one thread, so that nobody changes the environment while it is read.
const int fork_handler = pthread_atfork(nullptr, nullptr, ReadEnvironmentAgain);

const Snapshot& InForce() {
  const Snapshot* known = newest.load();
  for (;;) {
    const unsigned wanted = generation.load();
    if (known != nullptr && known->generation == wanted) return *known;
    auto read = std::make_unique<Snapshot>();
    read->generation = wanted;
    read->earlier = known;
    for (size_t i = 0; i < kCount; ++i) {
      const char* value = secure_getenv(kNames[i]);
      if (value != nullptr) read->values[i] = value;
    }
    if (newest.compare_exchange_strong(known, read.get())) known = read.release();
  }
}

}  // namespace

const char* ValueOf(Variable variable) {
  const std::optional<std::string>& value = InForce().values[static_cast<size_t>(variable)];
  return value ? value->c_str() : nullptr;
}

std::string Environment(std::initializer_list<Variable> variables) {
  for (const Variable variable : variables) {
    const char* value = ValueOf(variable);
    if (value != nullptr) return value;
  }
  return "";
}

void ReadEnvironmentAgain() { ++generation; }

}  // namespace tandem

void tandem_read_environment_again() { tandem::ReadEnvironmentAgain(); }
