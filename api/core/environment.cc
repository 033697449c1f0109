#include "api/core/environment.h"

#include <array>
#include <atomic>
#include <memory>
#include <optional>

#include "api/core/enums.h"
#include "api/core/os/os.h"
#include "dnnl/abi.h"

namespace tandem {
namespace {

struct VariableName {
  Variable variable;
  const char* name;
};
constexpr VariableName kVariables[] = {
    {Variable::kTandemImpl, "TANDEM_IMPL"},
    {Variable::kTandemReading, "TANDEM_READING"},
    {Variable::kTandemTarget, "TANDEM_TARGET"},
    {Variable::kTandemDivision, "TANDEM_DIVISION"},
    {Variable::kTandemTuning, "TANDEM_TUNING"},
    {Variable::kTandemThreads, "TANDEM_THREADS"},
    {Variable::kTandemTeamBackoff, "TANDEM_TEAM_BACKOFF"},
    {Variable::kTandemVerbose, "TANDEM_VERBOSE"},
    {Variable::kTandemCheckContracts, "TANDEM_CHECK_CONTRACTS"},
    {Variable::kOmpWaitPolicy, "OMP_WAIT_POLICY"},
    {Variable::kOmpNumThreads, "OMP_NUM_THREADS"},
    {Variable::kOnednnMaxCpuIsa, "ONEDNN_MAX_CPU_ISA"},
    {Variable::kDnnlMaxCpuIsa, "DNNL_MAX_CPU_ISA"},
    {Variable::kOnednnDefaultFpmathMode, "ONEDNN_DEFAULT_FPMATH_MODE"},
    {Variable::kDnnlDefaultFpmathMode, "DNNL_DEFAULT_FPMATH_MODE"},
    {Variable::kOnednnPrimitiveCacheCapacity, "ONEDNN_PRIMITIVE_CACHE_CAPACITY"},
    {Variable::kDnnlPrimitiveCacheCapacity, "DNNL_PRIMITIVE_CACHE_CAPACITY"},
    {Variable::kOnednnVerbose, "ONEDNN_VERBOSE"},
    {Variable::kDnnlVerbose, "DNNL_VERBOSE"},
    {Variable::kOnednnVerboseTimestamp, "ONEDNN_VERBOSE_TIMESTAMP"},
};
constexpr size_t kCount = sizeof kVariables / sizeof kVariables[0];

static_assert(HasRowForEach(kVariables, &VariableName::variable, kLastVariable), "a row for each Variable");

struct Snapshot {
  unsigned generation;
  const Snapshot* earlier;  // its texts are still valid
  std::array<std::optional<std::string>, kCount> values;
};

// A snapshot of an earlier generation is out of date.
std::atomic<unsigned> generation{0};
std::atomic<const Snapshot*> newest{nullptr};

// This is registered at load. A child has one thread, so that nobody changes the environment while it is read.
const bool fork_handler = os::OnFork(nullptr, nullptr, ReadEnvironmentAgain);

const Snapshot& InForce() {
  const Snapshot* known = newest.load();
  for (;;) {
    const unsigned wanted = generation.load();
    if (known != nullptr && known->generation == wanted) return *known;
    auto read = std::make_unique<Snapshot>();
    read->generation = wanted;
    read->earlier = known;
    for (size_t i = 0; i < kCount; ++i) read->values[i] = os::Variable(kVariables[i].name);
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
