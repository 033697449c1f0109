#include "conformance/pages/markup.h"
#include "conformance/pages/reports.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

// This is one case. Readers follow it from run to run by its class and name, so neither has a number that changes.
struct Case {
  const char* kind;  // the part of its class after the implementation
  std::string name;
  uint64_t problems;
  double seconds;
};

// Readers take a dot or a slash in a class for the end of a folder.
std::string ClassName(std::string implementation, const char* kind) {
  while (implementation.compare(0, 2, "./") == 0) implementation.erase(0, 2);
  for (char& c : implementation) {
    if (c == '.' || c == '/') c = '_';
  }
  return implementation + "." + kind;
}

struct Suite {
  std::string implementation;
  std::string cases;
  uint64_t tests = 0, failures = 0, errors = 0, skipped = 0;

  void Add(const Case& one, Verdict verdict, const std::string& message) {
    ++tests;
    cases += "    <testcase classname=\"" + Escape(ClassName(implementation, one.kind)) + "\" name=\"" +
             Escape(one.name) + "\" assertions=\"" + std::to_string(one.problems) + "\" time=\"" +
             std::to_string(one.seconds) + "\"";
    if (verdict <= Verdict::kQualityWarning) {
      cases += "/>\n";
      return;
    }
    const bool skip = verdict == Verdict::kNotSupported;
    const bool error = verdict == Verdict::kTimeout || verdict == Verdict::kCrash;
    ++(skip ? skipped : error ? errors : failures);
    const char* element = skip ? "skipped" : error ? "error" : "failure";
    cases += std::string(">\n      <") + element + " message=\"" + Escape(WithVerdict(verdict, message)) +
             "\"/>\n    </testcase>\n";
  }
};

// A bound that says nothing is no failure.
Verdict ForJunit(const CheckedProblem& checked) {
  const Verdict verdict = checked.outcome.verdict();
  return verdict == Verdict::kVacuous ? Verdict::kNotSupported : verdict;
}

std::string NameOf(const CategoryKey& key) {
  return std::string(ToString(key.cell)) + " " + ToString(key.propagation) + " " + TypesOf(key.config).name;
}

// Adds the worst finding on random problems of one category, and how to see it again.
void AddRandom(const CampaignResult& result, const CategoryKey& key, const RandomTally& tally, Suite* suite) {
  uint64_t problems = 0, refused = tally.count[static_cast<int>(Verdict::kNotSupported)];
  Verdict worst = Verdict::kPass;
  for (int i = 0; i < kNumVerdicts; ++i) {
    const Verdict verdict = static_cast<Verdict>(i);
    problems += tally.count[i];
    if (tally.count[i] != 0 && verdict > Verdict::kNotSupported) worst = verdict;
  }
  if (refused == problems) worst = Verdict::kNotSupported;
  std::string message = std::to_string(refused) + " of " + std::to_string(problems) + " refused";
  for (const CheckedProblem& checked : result.complaints) {
    const CategoryKey its = {checked.spec.cell, checked.spec.propagation, checked.spec.config};
    if (checked.origin != Origin::kRandom || its < key || key < its) continue;
    message += "; " + MessageOf(checked) + "; replay: " + ReplayLine(checked);
  }
  suite->Add({"random", NameOf(key), problems, tally.seconds}, worst, message);
}

void AddProfile(const ProfileStatus& status, Suite* suite) {
  const std::string groups = std::to_string(status.met) + " of " + std::to_string(status.groups) + " groups";
  suite->Add({"profile", status.name, status.groups, 0},
             status.conforms()    ? Verdict::kPass
             : status.failed != 0 ? Verdict::kFail
                                  : Verdict::kNotSupported,
             groups);
}

std::string ToXml(const CampaignResult& result) {
  Suite suite;
  suite.implementation = result.implementation;
  if (!result.interrupted_by.empty()) {
    suite.Add({"run", "complete run", result.run, result.seconds}, Verdict::kTimeout,
              "interrupted by " + result.interrupted_by + " after " + std::to_string(result.run) + " of " +
                  std::to_string(result.planned) + " problems");
  }
  for (const ProfileStatus& status : Statuses(result.kinds)) AddProfile(status, &suite);
  for (const CheckedProblem& checked : result.named) {
    const std::string line = PrintProblem(checked.spec);
    suite.Add({ToString(checked.origin), checked.spec.name.empty() ? line : checked.spec.name, 1, checked.seconds},
              ForJunit(checked), MessageOf(checked) + "; replay: " + ReplayLine(checked));
  }
  for (const CheckedProblem& checked : result.complaints) {
    if (checked.origin != Origin::kRequired) continue;
    suite.Add({"required", PrintProblem(checked.spec), 1, checked.seconds}, checked.outcome.verdict(),
              MessageOf(checked) + "; replay: " + ReplayLine(checked));
  }
  for (const auto& [key, tally] : result.random) AddRandom(result, key, tally, &suite);
  for (const Explained& explained : result.explained) {
    if (explained.count == 0) continue;
    suite.Add({"known departure", explained.id, explained.count, 0}, explained.example.outcome.verdict(),
              std::to_string(explained.count) + " problems, the first: " + ReplayLine(explained.example));
  }
  return "  <testsuite name=\"" + Escape(result.implementation) + "\" tests=\"" + std::to_string(suite.tests) +
         "\" failures=\"" + std::to_string(suite.failures) + "\" errors=\"" + std::to_string(suite.errors) +
         "\" skipped=\"" + std::to_string(suite.skipped) + "\" time=\"" + std::to_string(result.seconds) + "\">\n" +
         "    <properties>\n      <property name=\"headline\" value=\"" + Escape(Headline(result)) +
         "\"/>\n      <property name=\"problems\" value=\"" + std::to_string(result.run) + "\"/>\n    </properties>\n" +
         suite.cases + "  </testsuite>\n";
}

}  // namespace

std::string JunitReport(const std::vector<CampaignResult>& results) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const CampaignResult& result : results) xml += ToXml(result);
  return xml + "</testsuites>\n";
}

}  // namespace tandem::conformance
