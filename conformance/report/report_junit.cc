#include "conformance/problem/problem_notation.h"
#include "conformance/report/markup.h"
#include "conformance/report/reports.h"

namespace tandem::conformance {
namespace {

struct Suite {
  std::string cases;
  uint64_t tests = 0, failures = 0, errors = 0, skipped = 0;

  void Add(const std::string& name, double seconds, Verdict verdict, const std::string& message) {
    ++tests;
    cases += "    <testcase name=\"" + Escape(name) + "\" time=\"" + std::to_string(seconds) + "\"";
    if (verdict <= Verdict::kQualityWarning) {
      cases += "/>\n";
      return;
    }
    const bool skip = verdict == Verdict::kNotSupported;
    const bool error = verdict == Verdict::kTimeout || verdict == Verdict::kCrash;
    ++(skip ? skipped : error ? errors : failures);
    const char* element = skip ? "skipped" : error ? "error" : "failure";
    cases += std::string(">\n      <") + element + " message=\"" + Escape(ToString(verdict) + (": " + message)) +
             "\"/>\n    </testcase>\n";
  }
};

bool GroupIsOk(const GroupSummary& group) {
  const char grade = Grade(group);
  return grade != 'F' && grade != '-' && group.count[static_cast<int>(Verdict::kVacuous)] == 0;
}

std::string ToXml(const CampaignResult& result) {
  Suite suite;
  for (const CheckedProblem& checked : result.named) {
    const std::string line = PrintProblem(checked.spec);
    suite.Add(checked.spec.name.empty() ? line : checked.spec.name, checked.seconds, checked.outcome.verdict(),
              checked.message);
  }
  for (const auto& [key, group] : result.groups) {
    const std::string name =
        std::string(ToString(key.cell)) + " " + ToString(key.propagation) + " " + TypesOf(key.config).name;
    const bool judged = Grade(group) != '-';
    suite.Add(name, 0,
              GroupIsOk(group) ? Verdict::kPass
              : judged         ? Verdict::kFail
                               : Verdict::kNotSupported,
              std::string("grade ") + Grade(group));
  }
  for (const Explained& explained : result.explained) {
    if (explained.count == 0) continue;
    suite.Add("known departure " + explained.id, 0, explained.example.outcome.verdict(),
              std::to_string(explained.count) + " problems, the first: " + ReplayLine(explained.example));
  }
  for (const CheckedProblem& checked : result.complaints) {
    suite.Add(PrintProblem(checked.spec), checked.seconds, checked.outcome.verdict(),
              checked.message + "; replay: " + ReplayLine(checked));
  }
  return "  <testsuite name=\"" + Escape(result.implementation) + "\" tests=\"" + std::to_string(suite.tests) +
         "\" failures=\"" + std::to_string(suite.failures) + "\" errors=\"" + std::to_string(suite.errors) +
         "\" skipped=\"" + std::to_string(suite.skipped) + "\" time=\"" + std::to_string(result.seconds) + "\">\n" +
         suite.cases + "  </testsuite>\n";
}

}  // namespace

std::string JunitReport(const std::vector<CampaignResult>& results) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const CampaignResult& result : results) xml += ToXml(result);
  return xml + "</testsuites>\n";
}

}  // namespace tandem::conformance
