// Times implementations side by side: each is verified first, then all take turns in the same run, so that a change of
// the machine's load or clock affects all of them.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_BENCH_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_BENCH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/judge/verdict/verdict.h"
#include "conformance/plugin_timing.h"
#include "conformance/problem/problem_spec.h"
#include "conformance/sandbox/plugin_host.h"

namespace tandem::conformance {

// This is a variable of the environment and its value. Without a name it sets nothing.
struct Setting {
  std::string name, value;
};

struct Contender {
  Plugin plugin;
  std::string label;  // Timing shows this instead of the plugin's word; empty: it shows the word
  Setting setting;    // the environment has it while the contender is prepared
  // LoadHere() loads these into this process, because messages to another process would add to the time.
  const tandem_plugin* functions = nullptr;
  const tandem_timing* timing = nullptr;
  void (*read_environment_again)() = nullptr;  // null: the implementation sees changes by itself
};

// Loads `word`, as LoadPlugin() does, in a worker process, for VerifyForBench().
Contender LoadContender(const std::string& word);
// Throws std::runtime_error if the implementation exports no tandem_get_timing.
void LoadHere(Contender* contender);

// This is the order of the implementations in a round. Every second round of kAlternating goes backwards, so that none always
// pays for what another one has left in the caches.
enum class TurnOrder { kAsGiven, kAlternating };

struct BenchOptions {
  std::vector<int> threads;
  // Each implementation gets at most `rounds` turns, and no more than `fewest_rounds` once each has the seconds of all.
  int rounds = 5, fewest_rounds = 5;
  double seconds_per_turn = 0.1;  // seconds of measured executions; at least one execution
  TurnOrder order = TurnOrder::kAsGiven;
  std::function<void()> after_round = [] {};  // it measures something else in turns with them
};

// The timing is of one implementation on one problem with one number of threads.
struct Timing {
  std::string implementation;
  int threads = 0;
  std::string refused;  // why there are no figures; empty if there are
  double min_seconds = 0, median_seconds = 0;
  double create_seconds = 0;
  uint64_t scratchpad_bytes = 0;
  size_t executions = 0;
  std::vector<double> turn_seconds;  // the median of each turn
};

// Returns the verdict of `contender` on `spec`. In a large batch only some rows are judged.
Outcome VerifyForBench(const Contender& contender, const ProblemSpec& spec, std::string* message);

// The timings are in the order contender, threads.
std::vector<Timing> TimeProblem(const std::vector<Contender>& contenders, const ProblemSpec& spec,
                                const BenchOptions& options);

// One contender's problem, with everything prepared.
struct PreparedCall {
  std::function<bool()> execute;         // executes once; false: that failed
  std::function<double()> last_seconds;  // of the last execution by the implementation's own clock; null: it has none
};

// Prepares `spec` for each contender, on one thread. In each round, each that was not refused takes its turn: turn(i, call).
// Returns why contenders were refused, else "".
std::vector<std::string> CallInTurns(const std::vector<Contender>& contenders, const ProblemSpec& spec, int rounds,
                                     const std::function<void(size_t, const PreparedCall&)>& turn);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_BENCH_H_
