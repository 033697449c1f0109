#include "conformance/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace tandem::conformance {
namespace {

constexpr int kWidth = 30;
constexpr double kTerminalPeriod = 0.1, kLogPeriod = 30;

}  // namespace

ProgressBar::ProgressBar() : terminal_(isatty(2) != 0), start_(std::chrono::steady_clock::now()), last_(start_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::Print(const std::string& text) {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
  std::fputs(text.c_str(), stderr);
}

void ProgressBar::Show(const CampaignResult& so_far, double limit_seconds) {
  const Time now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> since_last = now - last_, since_start = now - start_;
  if (since_last.count() < (terminal_ ? kTerminalPeriod : kLogPeriod)) return;
  last_ = now;
  double share = so_far.work_planned > 0 ? so_far.work_done / so_far.work_planned : 0;
  if (limit_seconds > 0) share = std::max(share, since_start.count() / limit_seconds);
  share = std::min(share, 1.0);
  const int filled = static_cast<int>(share * kWidth);
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  // An estimate from the first few problems would mislead.
  char left[40] = "";
  if (share > 0.02) std::snprintf(left, sizeof left, ", about %.0f s left", since_start.count() * (1 / share - 1));
  std::fprintf(stderr, "%s%-10s [%s] %llu of %llu problems, %zu complaints, %.0f s%s%s", terminal_ ? "\r" : "",
               so_far.implementation.c_str(), bar.c_str(), static_cast<unsigned long long>(so_far.run),
               static_cast<unsigned long long>(so_far.planned), so_far.complaints.size(), since_start.count(), left,
               terminal_ ? "\033[K" : "\n");
  std::fflush(stderr);
  drawn_ = terminal_;
}

}  // namespace tandem::conformance
