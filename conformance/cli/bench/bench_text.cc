#include "conformance/cli/bench/bench_text.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "conformance/problem/base/format.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

constexpr int kWide = 200;

// Puts the text in quotes and doubles each quote in it (RFC 4180), because a problem's name stands in quotes, too.
std::string CsvField(const std::string& text) {
  std::ostringstream field;
  field << std::quoted(text, '"', '"');
  return field.str();
}

// These are the figures of a line, from a timing and the machine's rates.
struct Figures {
  Figures(const Timing& timing, const ProblemRates& rates)
      : rate(rates.ops() / timing.median_seconds),
        peak_share(rate / rates.PeakOn(timing.threads)),
        bound(rates.BoundOn(timing.threads)),
        bound_share(bound.seconds / timing.median_seconds) {}
  double rate, peak_share;
  Bound bound;
  double bound_share;
};

std::string CsvLine(const ProblemSpec& spec, const Timing& t, const RoundRatio& ratio, const ProblemRates& rates) {
  const Figures f(t, rates);
  return Format("%s,%s,%d,%.3f,%.3f,%.3f,%.4f,%.2f,%llu,%zu,%.4f,%.4f,%s,%.4f,%.4f,%.4f,%d\n",
                CsvField(PrintProblem(spec)).c_str(), t.implementation.c_str(), t.threads, t.min_seconds * 1e6,
                t.median_seconds * 1e6, f.rate * 1e-9, f.peak_share, t.create_seconds * 1e6,
                static_cast<unsigned long long>(t.scratchpad_bytes), t.executions, ratio.ratio, f.bound_share,
                ToString(f.bound.limit), rates.live_share(), ratio.low, ratio.high,
                ratio.rounds == RoundsSay::kDisturbed ? 1 : 0);
}

std::string NarrowLines(const Timing& t, const RoundRatio& ratio, const Figures& f) {
  return Format("  %-10s %2d thr  median %10.2f us  min %10.2f us\n", t.implementation.c_str(), t.threads,
                t.median_seconds * 1e6, t.min_seconds * 1e6) +
         "      ratio " + InWords(ratio) + "\n" +
         Format("      %7.1f GFLOP/s  %5.1f %% of peak  %5.1f %% of bound (%s)\n", f.rate * 1e-9, f.peak_share * 100,
                f.bound_share * 100, ToString(f.bound.limit)) +
         Format("      create %8.1f us  scratchpad %9.1f KB\n", t.create_seconds * 1e6,
                static_cast<double>(t.scratchpad_bytes) / 1024);
}

std::string WideLine(const Timing& t, const RoundRatio& ratio, const Figures& f) {
  return Format("  %-10s %2d thr  min %10.2f us  median %10.2f us  %7.1f GFLOP/s  %5.1f %% of peak  ",
                t.implementation.c_str(), t.threads, t.min_seconds * 1e6, t.median_seconds * 1e6, f.rate * 1e-9,
                f.peak_share * 100) +
         Format("%5.1f %% of bound (%s)  create %8.1f us  scratchpad %9.1f KB  ratio ", f.bound_share * 100,
                ToString(f.bound.limit), t.create_seconds * 1e6, static_cast<double>(t.scratchpad_bytes) / 1024) +
         InWords(ratio) + "\n";
}

}  // namespace

std::string CsvHeader() {
  return "problem,implementation,threads,min_us,median_us,gflops,peak_share,create_us,scratchpad_bytes,executions,"
         "ratio,bound_share,bound_by,live_share,ratio_low,ratio_high,disturbed\n";
}

std::vector<std::string> TableHeader() {
  return {
      "one thread is timed by its own CPU time, several by the wall clock",
      "bound: the longer of the arithmetic at the peak and of reading the weights, at rates measured in turns; medians",
      "ratio: this implementation's time by the first one's, round by round, each with its best number of threads: the "
      "median, with its 95 % interval (above 1: the first is faster)",
      "disturbed: the rounds disagree by more than the ratio differs from 1; run again when the machine is quiet"};
}

std::string TimingText(Style style, int columns, const ProblemSpec& spec, const Timing& timing, const RoundRatio& ratio,
                       const ProblemRates& rates) {
  if (style == Style::kCsv) return CsvLine(spec, timing, ratio, rates);
  const Figures figures(timing, rates);
  return columns > 0 && columns < kWide ? NarrowLines(timing, ratio, figures) : WideLine(timing, ratio, figures);
}

std::string InWords(const RoundRatio& ratio) {
  return Format("%5.2f", ratio.ratio) +
         (ratio.low < ratio.high ? Format(" (%.2f to %.2f)", ratio.low, ratio.high) : "") +
         (ratio.rounds == RoundsSay::kDisturbed ? " disturbed" : "");
}

std::string LiveCells(const ProblemSpec& spec, const ProblemRates& rates) {
  if (spec.lengths == RowLengths::kNone) return "";
  return Format("  live cells %.1f %%: operations are counted of these\n", rates.live_share() * 100);
}

std::string RatesText(const Roof& roof) {
  std::string sentence =
      Format("measured on %d thread%s: f32 %.1f GFLOP/s, bf16 %.1f GFLOP/s, u8 x s8 %.1f GOP/s", roof.threads,
             roof.threads == 1 ? "" : "s", roof.f32 * 1e-9, roof.bf16 * 1e-9, roof.int8 * 1e-9);
  for (const Roof::Level& level : roof.levels) {
    sentence += ", " + level.name + Format(" %.1f GB/s", level.bytes_per_second * 1e-9);
  }
  if (roof.threads > 1) sentence += Format(", barrier %.2f us", MeasureBarrier(roof.threads) * 1e6);
  return sentence;
}

void BenchSummary::Add(const std::string& implementation, const RoundRatio& ratio, double ratio_at_bound) {
  auto mean = std::find_if(means_.begin(), means_.end(),
                           [&](const Mean& other) { return other.implementation == implementation; });
  if (mean == means_.end()) {
    means_.emplace_back();
    mean = means_.end() - 1;
    mean->implementation = implementation;
  }
  mean->logs += std::log(ratio.ratio);
  mean->logs_at_bound += std::log(ratio_at_bound);
  mean->worst = std::min(mean->worst, ratio.ratio);
  mean->disturbed += ratio.rounds == RoundsSay::kDisturbed ? 1 : 0;
  ++mean->count;
}

std::string BenchSummary::Text() const {
  std::string text;
  for (const Mean& mean : means_) {
    text += "against " + mean.implementation +
            Format(": geometric mean %.2f, worst %.2f, %d problems", std::exp(mean.logs / mean.count), mean.worst,
                   mean.count) +
            (mean.disturbed == 0 ? "" : Format(", %d of them disturbed", mean.disturbed)) +
            Format("; at the bound it would be %.2f\n", std::exp(mean.logs_at_bound / mean.count));
  }
  return text;
}

}  // namespace tandem::conformance
