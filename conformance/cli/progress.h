// One line on stderr says how much of a long command is done. A terminal gets a bar that is drawn again and again; a log gets
// a line after a second and then every half minute.
#ifndef TANDEM_CONFORMANCE_CLI_PROGRESS_H_
#define TANDEM_CONFORMANCE_CLI_PROGRESS_H_

#include <chrono>
#include <string>

namespace tandem::conformance {

class ProgressLine {
 public:
  // The title says what is done: "optimized", "verifying".
  explicit ProgressLine(std::string title);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // `share` of the work is done, from 0 to 1; `counts` says what that is: "3 of 38 problems".
  void Show(double share, const std::string& counts);
  void ShowStep(size_t done, size_t all, const std::string& things);
  // Makes room for other output.
  void Hide();
  // Returns the seconds since the line was made.
  double Seconds() const;

 private:
  using Time = std::chrono::steady_clock::time_point;
  const std::string title_;
  const int columns_;  // the terminal's; 0: there is none
  const Time start_;
  Time last_;
  bool drawn_ = false;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_PROGRESS_H_
