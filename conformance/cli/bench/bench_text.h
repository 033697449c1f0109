// These functions write what `tandem bench` prints.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_BENCH_TEXT_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_BENCH_TEXT_H_

#include <string>
#include <vector>

#include "conformance/cli/bench/bench.h"
#include "conformance/cli/bench/bench_bound.h"
#include "conformance/cli/bench/rounds.h"

namespace tandem::conformance {

enum class Style { kTable, kCsv };

// Returns the names of the columns of Style::kCsv, a line.
std::string CsvHeader();
// These sentences explain the figures of Style::kTable. They have no end of a line.
std::vector<std::string> TableHeader();

// Describes one implementation on one problem. A line has at most `columns` characters; with 0 it has any number.
std::string TimingText(Style style, int columns, const ProblemSpec& spec, const Timing& timing, const RoundRatio& ratio,
                       const ProblemRates& rates);

// Returns for example "1.05 (1.02 to 1.07)", "1.05 (0.59 to 1.07) disturbed" or "1.00".
std::string InWords(const RoundRatio& ratio);

// This line says what counts as work if rows have lengths of their own. It is empty if they have none.
std::string LiveCells(const ProblemSpec& spec, const ProblemRates& rates);

// Returns the measured limits of the machine, a sentence.
std::string RatesText(const Roof& roof);

// The summary has geometric means of the ratios against each peer, and of the ratios that they would have at the bound.
class BenchSummary {
 public:
  void Add(const std::string& implementation, const RoundRatio& ratio, double ratio_at_bound);
  // Returns a line for each peer.
  std::string Text() const;

 private:
  struct Mean {
    std::string implementation;
    double logs = 0, logs_at_bound = 0, worst = HUGE_VAL;
    int count = 0, disturbed = 0;
  };
  std::vector<Mean> means_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_BENCH_TEXT_H_
