// The library reads the caller's environment variables here, once for each process.
#ifndef TANDEM_API_CORE_ENVIRONMENT_H_
#define TANDEM_API_CORE_ENVIRONMENT_H_

#include <initializer_list>
#include <string>

namespace tandem {

// All variables that the library reads, but those that its OpenMP runtime reads for itself. Without such a runtime it reads
// kOmpNumThreads.
enum class Variable {
  kTandemImpl,
  kTandemReading,
  kTandemTarget,
  kTandemDivision,
  kTandemTuning,
  kTandemThreads,
  kTandemTeamBackoff,
  kTandemVerbose,
  kTandemCheckContracts,
  kOmpWaitPolicy,
  kOmpNumThreads,
  kOnednnMaxCpuIsa,
  kDnnlMaxCpuIsa,
  kOnednnDefaultFpmathMode,
  kDnnlDefaultFpmathMode,
  kOnednnPrimitiveCacheCapacity,
  kDnnlPrimitiveCacheCapacity,
  kOnednnVerbose,
  kDnnlVerbose,
  kOnednnVerboseTimestamp,
};
constexpr Variable kLastVariable = Variable::kOnednnVerboseTimestamp;

// The variable's value when the process first asked for any of them; null if it was not set. The text stays valid for
// ever. Another thread may change the environment meanwhile, as getenv() may not; only the first call reads it. A child of
// fork() reads it again. A program that has more rights than its caller is not led by the caller's variables: null.
const char* ValueOf(Variable variable);

// The value of the first of these variables that is set; empty if none is.
std::string Environment(std::initializer_list<Variable> variables);

// Lets the next ValueOf() read all variables again (tandem_read_environment_again() in dnnl/abi.h).
void ReadEnvironmentAgain();

}  // namespace tandem

#endif  // TANDEM_API_CORE_ENVIRONMENT_H_
