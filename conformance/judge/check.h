// CheckProblem() gives one verdict on one problem and one implementation, as `tandem check` does for each line.
#ifndef TANDEM_CONFORMANCE_JUDGE_CHECK_H_
#define TANDEM_CONFORMANCE_JUDGE_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/judge/quality.h"
#include "conformance/judge/verdict/verdict.h"
#include "conformance/problem/problem_spec.h"
#include "conformance/sandbox/plugin_host.h"
#include "conformance/sandbox/runner.h"

namespace tandem::conformance {

struct CheckOptions {
  double timeout_seconds = 60;
  // The oracle may spend this many multiply-adds on one problem. If it needs more, it judges a part of the batch's rows,
  // since rows do not depend on each other. If one row is still too much, the sequence is shortened.
  double oracle_macs = 1e8;
  std::vector<std::string> environment;  // variables of the child process
  std::string target;                    // TANDEM_TARGET there; empty: the environment's
  int threads = 0;                       // of an execution; 0: one, two or three, by the problem's seed
  // "NAME=VALUE": with this variable in the environment each problem must have the same bits.
  std::vector<std::string> same_bits;
  // Executions run in it; null: each in a process of its own.
  Executor* executor = nullptr;
  // One problem in each of these numbers is also tested in another way, by its seed (experiments.h); 0: none is.
  uint64_t relations_every = 4;  // by one of the relations between runs (relations.h)
  // The problem runs after one of its shape with other weights, in the same process. This shows state that a call leaves.
  uint64_t warm_up_every = 4;
  uint64_t hand_on_every = 8;   // it is executed again on the states that it has left, if it can be
  uint64_t quality_every = 16;  // it is graded (quality.h), unless it is large; so is every line without a seed
  uint64_t repeat_every = 32;   // it is executed again and again (repetition.h), unless it is large
  uint64_t company_every = 32;  // it is executed while another thread executes it, too, unless it is large
};

// Returns options with which a problem gets the run that every problem gets, and nothing else.
CheckOptions WithoutExperiments();

// Returns false for problems that are too large for repetition.h.
bool CanBeRepeated(const ProblemSpec& spec);

// A problem is in the list because the user gave it, a profile requires it, the tier has it, or it was drawn.
enum class Origin { kGiven, kRequired, kTier, kRandom };
constexpr int kNumOrigins = 4;
const char* ToString(Origin origin);

struct CheckedProblem {
  ProblemSpec spec;  // the problem as it was run
  std::string implementation;
  std::string target;  // as CheckOptions has it
  int threads = 0;     // as CheckOptions has it
  std::vector<std::string> same_bits;
  Origin origin = Origin::kGiven;
  uint64_t position = 0;  // the place in the campaign's list
  Outcome outcome;
  Finding finding = Finding::kNone;  // the host's finding; kNone if a row of the report says what is wrong
  std::string message;               // the reason in one line; empty for a pass
  ProblemReport report;              // a row for each judged tensor
  QualityReport quality;
  Dim rows_judged = 0;
  bool repeated = false;  // it was executed again and again (repetition.h)
  Dim steps_given = 0;    // if the sequence was shortened, the problem's T; else 0
  double seconds = 0;
};

// Returns the steps that the oracle can afford by options.oracle_macs. Dims must be resolved.
Dim StepsToRun(const ProblemSpec& spec, const CheckOptions& options);
// Returns the rows of the batch that it can afford after the sequence was shortened.
Dim RowsToJudge(const ProblemSpec& spec, const CheckOptions& options);

// Never throws for something that the implementation does. A problem that is not valid by the specification is a tandem::Error.
CheckedProblem CheckProblem(const Plugin& plugin, const ProblemSpec& spec, const CheckOptions& options);

// Returns everything that the child process finds in its environment, the target included.
std::vector<std::string> EnvironmentOf(const CheckOptions& options);

// Returns how the problem is run: in its layouts, with one, two or three threads by its seed.
RunOptions OptionsOfRun(const ProblemSpec& spec, const CheckOptions& options);

// Returns the row that a message quotes: the first one with that verdict; null if there is none.
const TensorReport* FirstRowWith(Verdict verdict, const ProblemReport& report);

// Returns the line that runs this problem again on this implementation.
std::string ReplayLine(const CheckedProblem& checked);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_CHECK_H_
