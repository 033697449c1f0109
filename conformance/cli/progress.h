// A bar on a terminal, elsewhere a line every 30 seconds; on stderr, so that stdout holds the report alone.
#ifndef TANDEM_CONFORMANCE_CLI_PROGRESS_H_
#define TANDEM_CONFORMANCE_CLI_PROGRESS_H_

#include <chrono>
#include <string>

#include "conformance/campaign/campaign.h"

namespace tandem::conformance {

class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  void Show(const CampaignResult& so_far, double limit_seconds);
  // Lines above the bar.
  void Print(const std::string& text);

 private:
  using Time = std::chrono::steady_clock::time_point;
  bool terminal_;
  bool drawn_ = false;
  Time start_, last_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_PROGRESS_H_
