#include "conformance/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "conformance/cli/terminal.h"
#include "conformance/problem/base/format.h"

namespace tandem::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using InSeconds = std::chrono::duration<double>;

// The first line of a log comes after a second, to show the reader that something is done.
constexpr InSeconds kTerminalPeriod(0.1), kLogPeriod(30), kFirstInLog(1);

// Returns for example "45 s", "12 min" or "3.5 h".
std::string Duration(double seconds) {
  if (seconds < 120) return Format("%.0f s", seconds);
  if (seconds < 7200) return Format("%.0f min", seconds / 60);
  return Format("%.1f h", seconds / 3600);
}

std::string Bar(double share, int width) {
  const int filled = static_cast<int>(share * width);
  return "[" + std::string(static_cast<size_t>(filled), '#') + std::string(static_cast<size_t>(width - filled), '.') +
         "]";
}

}  // namespace

// On a terminal the first call draws; a log has no line of a command that takes less than a second.
ProgressLine::ProgressLine(std::string title)
    : title_(std::move(title)),
      columns_(Columns(stderr)),
      start_(Clock::now()),
      last_(start_ -
            std::chrono::duration_cast<Clock::duration>(columns_ > 0 ? kTerminalPeriod : kLogPeriod - kFirstInLog)) {}

ProgressLine::~ProgressLine() { Hide(); }

void ProgressLine::Hide() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

double ProgressLine::Seconds() const { return InSeconds(Clock::now() - start_).count(); }

void ProgressLine::ShowStep(size_t done, size_t all, const std::string& things) {
  Show(all == 0 ? 1 : static_cast<double>(done) / static_cast<double>(all),
       std::to_string(done) + " of " + std::to_string(all) + " " + things);
}

void ProgressLine::Show(double share, const std::string& counts) {
  const Time now = Clock::now();
  if (now - last_ < (columns_ > 0 ? kTerminalPeriod : kLogPeriod)) return;
  last_ = now;
  share = std::clamp(share, 0., 1.);
  const double seconds = Seconds();
  std::string text = counts + ", " + Duration(seconds);
  // An estimate from the first few steps would mislead.
  if (share > 0.02) text += ", about " + Duration(seconds * (1 / share - 1)) + " left";
  constexpr int kWidestBar = 30, kNarrowestBar = 5;
  const int beside = static_cast<int>(title_.size() + text.size()) + 5;  // and blanks, brackets, the cursor
  const int room = columns_ > 0 ? std::min(kWidestBar, columns_ - beside) : kWidestBar;
  std::string line = title_ + " " + (room >= kNarrowestBar ? Bar(share, room) + " " : "") + text;
  if (columns_ == 0) {
    std::fprintf(stderr, "%s\n", line.c_str());
    return;
  }
  // A terminal cannot take back a line that it has broken.
  if (static_cast<int>(line.size()) >= columns_) line.resize(static_cast<size_t>(columns_ - 1));
  std::fprintf(stderr, "\r%s\033[K", line.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace tandem::conformance
