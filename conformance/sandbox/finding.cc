#include "conformance/sandbox/finding.h"

#include "api/core/enums.h"

namespace tandem::conformance {
namespace {

struct FindingText {
  Finding finding;
  const char* name;
  Verdict verdict;
  // The sentence has these parts: where, `before_detail`, detail, `after_detail`.
  const char* before_detail;
  const char* after_detail;
};

// The order is that of the enum.
constexpr FindingText kFindings[] = {
    {Finding::kNone, "none", Verdict::kPass, "", ""},
    {Finding::kRefusal, "refusal", Verdict::kFail, " refused, though the whole table is claimed: ", ""},
    {Finding::kRunFailed, "run-failed", Verdict::kFail, " failed: ", ""},
    {Finding::kSignal, "signal", Verdict::kCrash, ": ", ""},
    {Finding::kExit, "exit", Verdict::kCrash, " ended the process", ""},
    {Finding::kBadAnswer, "bad-answer", Verdict::kCrash, " left no valid answer: ", ""},
    {Finding::kTimeLimit, "time-limit", Verdict::kTimeout, " did not return within ", " s"},
    {Finding::kStopped, "stopped", Verdict::kTimeout, " stopped its process, which did not go on", ""},
    {Finding::kGuardPage, "guard-page", Verdict::kCrash, ": it ", ""},
    {Finding::kReadOnly, "read-only", Verdict::kCrash, ": it ", ""},
    {Finding::kCanary, "canary", Verdict::kFail, ": bytes outside it were overwritten", ""},
    {Finding::kGap, "gap", Verdict::kFail, ": bytes between the rows were overwritten", ""},
    {Finding::kInputChanged, "input-changed", Verdict::kFail, ": an input was changed", ""},
    {Finding::kUnwritten, "unwritten", Verdict::kFail, ": element ", " was never written"},
    {Finding::kProcessLeft, "process-left", Verdict::kFail, " left a process in a group of its own: ", ""},
    {Finding::kThreadChanged, "thread-changed", Verdict::kFail, " left its caller changed: ", ""},
    {Finding::kTwoRuns, "two-runs", Verdict::kNondeterministic, ": element ",
     " from the same inputs (other addresses, other garbage in outputs, workspace and scratchpad; or what an earlier "
     "call "
     "has left)"},
    {Finding::kOtherOutputs, "other-outputs", Verdict::kNondeterministic, ": ", ""},
    {Finding::kLeak, "leak", Verdict::kFail, ": LEAK: ", ""},
    {Finding::kClaim, "claim", Verdict::kFail, ": other bits, against its claim", ""},
};

static_assert(HasRowForEach(kFindings, &FindingText::finding, kLastFinding), "a row for each Finding");

const FindingText& TextOf(Finding finding) { return kFindings[static_cast<size_t>(finding)]; }

}  // namespace

const char* ToString(Finding finding) { return TextOf(finding).name; }

bool FindingFromName(const std::string& name, Finding* finding) {
  for (const FindingText& text : kFindings) {
    if (name != text.name) continue;
    *finding = text.finding;
    return true;
  }
  return false;
}

Verdict VerdictOf(Finding finding) { return TextOf(finding).verdict; }

std::string Describe(Finding finding, const std::string& where, const std::string& detail) {
  const FindingText& text = TextOf(finding);
  return where + text.before_detail + detail + text.after_detail;
}

}  // namespace tandem::conformance
