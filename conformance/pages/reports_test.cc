#include "conformance/pages/reports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "conformance/faulty/faulty.h"
#include "conformance/problem/network_shapes.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/vectors/json_schema_testing.h"

namespace tandem::conformance {
namespace {

using nlohmann::json;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The plugin is wrong on one problem, refuses another and crashes on the third.
CampaignResult RunBadly() {
  Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  plugin.word = "conformance/sandbox/broken_plugin.so";
  CampaignOptions options;
  options.random_problems = 2;
  options.shrink_attempts = 3;
  options.problems = {ParseProblem("l1t2mb2sic3n\"wrong <&> \"")};
  CampaignResult result = RunCampaign(plugin, options, [](const CampaignResult&) {});
  result.categories.begin()->second.stats.ratio.Add(0.3);  // one good element, for the plot
  for (const char* mood : {"refuse", "crash"}) {
    options.random_problems = 0;
    options.check.environment = {std::string("TANDEM_BROKEN=") + mood};
    const CampaignResult more = RunCampaign(plugin, options, [](const CampaignResult&) {});
    result.named.insert(result.named.end(), more.named.begin(), more.named.end());
    result.complaints.insert(result.complaints.end(), more.complaints.begin(), more.complaints.end());
  }
  return result;
}

const std::vector<CampaignResult>& BadResults() {
  static const std::vector<CampaignResult> results = {RunBadly()};
  return results;
}

TEST(Reports, AnInterruptedRunIsMarkedInAllOfThem) {
  std::vector<CampaignResult> results = BadResults();
  EXPECT_EQ(JunitReport(results).find("complete run"), std::string::npos);
  JsonSchema schema(json::parse(ReadFile(RunfilePath("conformance/pages/report.schema.json"))));
  for (const char* signal : {"SIGHUP", "SIGTERM", "SIGINT"}) {
    results[0].interrupted_by = signal;
    EXPECT_EQ(schema.Violations(json::parse(JsonReport(results))), std::vector<std::string>()) << signal;
  }
  EXPECT_EQ(ReadJsonReport(JsonReport(results))[0].interrupted_by, "SIGINT");
  EXPECT_NE(JunitReport(results).find("TIMEOUT: interrupted by SIGINT after"), std::string::npos);
  EXPECT_NE(HtmlReport(results).find("<span class=\"alarm\">incomplete</span>"), std::string::npos);
  EXPECT_EQ(Headline(results[0]).find("INCOMPLETE, interrupted by SIGINT: "), 0u);
  EXPECT_TRUE(results[0].partial());
}

TEST(Reports, ReportJsonFollowsItsSchema) {
  JsonSchema schema(json::parse(ReadFile(RunfilePath("conformance/pages/report.schema.json"))));
  const json report = json::parse(JsonReport(BadResults()));
  EXPECT_EQ(schema.Violations(report), std::vector<std::string>());
  json spoiled = report;
  spoiled["implementations"][0]["named"][0]["verdict"] = "FINE";
  spoiled["implementations"][0].erase("seed");
  spoiled["implementations"][0]["surprise"] = 1;
  EXPECT_EQ(schema.Violations(spoiled).size(), 3u);
}

void CountRequired(const char* profile, Verdict verdict, CampaignResult* result) {
  for (const ProblemSpec& spec : RequiredProblems(*FindProfile(profile))) {
    Count(spec, verdict, Requirement::kRequired, &result->kinds);
  }
}

TEST(Reports, HaveManyProfilesInATable) {
  CampaignResult result;
  for (const char* met : {"inference f32", "inference bf16", "inference f16"}) {
    CountRequired(met, Verdict::kPass, &result);
  }
  EXPECT_EQ(Headline(result).find("conforms to inference f32: 8 of 8 groups, inference bf16: "), 0u)
      << Headline(result);
  EXPECT_EQ(TextReport(result).find("Profiles, "), std::string::npos);
  CountRequired("training f32", Verdict::kFail, &result);
  EXPECT_EQ(Headline(result).find("conforms to 3 of 4 profiles; "), 0u) << Headline(result);
  const std::string text = TextReport(result, 80), html = HtmlReport({result});
  EXPECT_NE(text.find("\n  inference f32                      8 of   8  conforms\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  training f32                       0 of  16  16 wrong\n"), std::string::npos) << text;
  EXPECT_NE(html.find("<h3>Profiles</h3>"), std::string::npos);
  EXPECT_NE(html.find("training f32"), std::string::npos);
}

TEST(Reports, NameTheWholeTableAlone) {
  CampaignResult result;
  CountRequired("whole table", Verdict::kPass, &result);
  EXPECT_EQ(Headline(result).find("conforms to the whole table: "), 0u) << Headline(result);
  EXPECT_TRUE(ProfilesForATable(result).empty());
}

// The failures stand before what is not served.
TEST(Reports, TellFailuresFirst) {
  CampaignResult result = BadResults()[0];
  result.categories[{Cell::kAugru, Propagation::kBackward, Config::kF16}]
      .count[static_cast<int>(Verdict::kNotSupported)] = 3;
  const std::string text = TextReport(result);
  const size_t failure = text.find("FAIL"), crash = text.find("CRASH"), refusal = text.find("Nothing served: augru");
  ASSERT_NE(refusal, std::string::npos) << text;
  EXPECT_LT(failure, refusal) << text;
  EXPECT_LT(crash, refusal) << text;
}

TEST(Reports, SayWhatEndedTheRun) {
  CampaignResult result = BadResults()[0];
  EXPECT_EQ(NotRun(result), "");
  result.planned = result.run + 2;
  const std::string count = "only " + std::to_string(result.run) + " of " + std::to_string(result.planned);
  EXPECT_EQ(NotRun(result), count + " problems were run: the time was up (--time=0 sets no limit)");
  result.after_complaint = AfterComplaint::kStop;
  EXPECT_EQ(NotRun(result), count + " problems were run: the first complaint ended the run (--fail-fast)");
  const CampaignResult read = ReadJsonReport(JsonReport({result}))[0];
  for (const std::string& text : {TextReport(read), HtmlReport({read})}) {
    EXPECT_NE(text.find(NotRun(result)), std::string::npos) << text;
  }
  result.complaints.clear();
  EXPECT_NE(NotRun(result).find("the time was up"), std::string::npos);
  result.interrupted_by = "SIGTERM";
  EXPECT_NE(NotRun(result).find("SIGTERM interrupted the run"), std::string::npos);
}

// The type of c stands in no tensor if none of its tensors is given.
TEST(Reports, NameTheTypeOfACellStateWithoutTensors) {
  CampaignResult result = BadResults()[0];
  CheckedProblem& checked = result.complaints[0];
  checked.outcome = Outcome(Verdict::kFail);
  const auto is_named = [&](const std::string& words) {
    checked.spec = ParseProblem(words);
    const bool named = MessageOf(checked).find("c is f32 here") != std::string::npos;
    for (const std::string& text : {TextReport(result), HtmlReport({result})}) {
      EXPECT_EQ(text.find("c is f32 here") != std::string::npos, named) << words;
    }
    return named;
  };
  const std::string untyped = " --absent=src_iter+src_iter_c+dst_iter+dst_iter_c l1t2mb2sic3";
  EXPECT_TRUE(is_named("--alg=VANILLA_LSTM --cfg=bf16" + untyped));
  EXPECT_FALSE(is_named("--alg=VANILLA_LSTM --cfg=bf16 --absent=src_iter+src_iter_c l1t2mb2sic3"));
  EXPECT_FALSE(is_named("--alg=VANILLA_LSTM --cfg=f32" + untyped));
  EXPECT_FALSE(is_named("--alg=VANILLA_GRU --cfg=bf16 --absent=src_iter+dst_iter l1t2mb2sic3"));
}

TEST(Reports, EveryReportNamesTheVerdictAndTheReplayLine) {
  const std::string replay = "./tandem check --impl=conformance/sandbox/broken_plugin.so l1t2mb2sic3";
  const CampaignResult& result = BadResults()[0];
  for (const std::string& text : {TextReport(result), JsonReport(BadResults()), HtmlReport(BadResults())}) {
    EXPECT_NE(text.find("FAIL"), std::string::npos);
    EXPECT_NE(text.find(replay), std::string::npos) << text;
  }
  EXPECT_NE(JunitReport(BadResults()).find("CRASH"), std::string::npos);
}

TEST(Reports, SayAVerdictOnce) {
  for (const std::string& text : {TextReport(BadResults()[0]), HtmlReport(BadResults()), JunitReport(BadResults())}) {
    EXPECT_EQ(text.find("FAIL: FAIL"), std::string::npos) << text;
    EXPECT_EQ(text.find("1 complaints"), std::string::npos) << text;
  }
  EXPECT_EQ(WithVerdict(Verdict::kFail, "FAIL teacher_forced"), "FAIL teacher_forced");
  EXPECT_EQ(WithVerdict(Verdict::kFail, "run() failed"), "FAIL: run() failed");
}

TEST(Reports, ExplainTheirColumnsInAFileToo) {
  for (const int columns : {0, 80, 200}) {
    EXPECT_NE(TextReport(BadResults()[0], columns).find("=RN %:"), std::string::npos) << columns;
  }
}

TEST(Reports, ExplainTheirColumnsOnce) {
  std::vector<CampaignResult> results = {BadResults()[0]};
  EXPECT_EQ(LegendFor(results), ColumnLegend::kBelowTheTable);
  results.push_back(results[0]);
  EXPECT_EQ(LegendFor(results), ColumnLegend::kToldBefore);
  EXPECT_EQ(TextReport(results[1], 80, LegendFor(results)).find("=RN %: "), std::string::npos);
  results[0].categories.clear();  // a report without a table had no legend
  EXPECT_EQ(LegendFor(results), ColumnLegend::kBelowTheTable);
}

TEST(Reports, SayWhatToDoAboutABoundThatSaysNothing) {
  CheckedProblem checked;
  checked.outcome.Worsen(Verdict::kVacuous);
  EXPECT_NE(ComplaintText(checked).find(kVacuousAdvice), std::string::npos);
  CampaignResult result = BadResults()[0];
  result.vacuous = {checked};
  const std::string html = HtmlReport({result});
  EXPECT_NE(html.find(kVacuousAdvice), std::string::npos);
  EXPECT_NE(html.find("class=\"vacuous\">VACUOUS"), std::string::npos);
}

TEST(Reports, JunitCountsWhatItHolds) {
  const std::string xml = JunitReport(BadResults());
  const auto count = [&](const std::string& text) {
    size_t n = 0;
    for (size_t at = xml.find(text); at != std::string::npos; at = xml.find(text, at + 1)) ++n;
    return n;
  };
  const auto attribute = [&](const std::string& name) {
    return std::strtoul(xml.c_str() + xml.find(name + "=\"") + name.size() + 2, nullptr, 10);
  };
  EXPECT_EQ(count("<testcase "), attribute("tests"));
  EXPECT_EQ(count("<failure "), attribute("failures"));
  EXPECT_EQ(count("<error "), attribute("errors"));
  EXPECT_EQ(count("<skipped "), attribute("skipped"));
  EXPECT_GT(count("<failure "), 0u);
  EXPECT_GT(count("<error "), 0u);
  EXPECT_GT(count("<skipped "), 0u);
  EXPECT_NE(xml.find("wrong &lt;&amp;&gt;"), std::string::npos);
}

// Each problem is in one case, and the cases' times are those of the problems.
TEST(Reports, JunitCountsEachProblemOnce) {
  CampaignOptions options;
  options.random_problems = 9;
  options.scope.cells = {Cell::kVanillaRnn};
  options.scope.propagations = {Propagation::kForwardInference};
  options.scope.configs = {Config::kF32};
  options.problems = {ParseProblem("l1t2mb2sic3")};
  const CampaignResult result =
      RunCampaign(MutantPlugin(Mutation::kBiasIgnored), options, [](const CampaignResult&) {});
  ASSERT_GT(result.complaints.size(), 1u);
  const std::string xml = JunitReport({result});
  EXPECT_NE(xml.find("tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("classname=\"BiasIgnored.random\" name=\"vanilla_rnn forward_inference f32\" "
                     "assertions=\"9\" time=\"" +
                     std::to_string(result.random.begin()->second.seconds) + "\""),
            std::string::npos)
      << xml;
  EXPECT_GT(result.random.begin()->second.seconds, 0);
  EXPECT_NE(xml.find("<property name=\"problems\" value=\"10\"/>"), std::string::npos) << xml;
}

TEST(Reports, NameTheNetworksThatATierLeavesOut) {
  std::vector<CampaignResult> results = BadResults();
  EXPECT_EQ(TextReport(results[0]).find("leaves out"), std::string::npos);
  results[0].tier = "quick";
  results[0].left_out = {"large", "larger"};
  results = ReadJsonReport(JsonReport(results));
  const std::string sentence =
      "--tier=quick leaves out 2 networks of more than 6 million weights (large, larger); --tier=full judges them";
  EXPECT_NE(TextReport(results[0]).find(sentence), std::string::npos) << TextReport(results[0]);
  EXPECT_NE(HtmlReport(results).find(sentence), std::string::npos);
}

TEST(Reports, SayWhereTooFewProblemsWereRun) {
  std::vector<CampaignResult> results = BadResults();
  EXPECT_EQ(TextReport(results[0]).find("too few problems"), std::string::npos);
  results[0].hardly_tried = 3;
  results = ReadJsonReport(JsonReport(results));
  EXPECT_NE(TextReport(results[0]).find("too few problems for a verdict: of 3 kinds"), std::string::npos);
}

TEST(Reports, SayWhichProblemsOfTheUserWereNotRepeated) {
  CampaignResult result;
  for (const char* problem : {"sic3", "sic300"}) {
    CheckedProblem checked;
    checked.spec = ParseProblem(problem);
    checked.origin = Origin::kGiven;
    checked.repeated = problem == std::string("sic3");
    result.named.push_back(checked);
  }
  const std::string sentence = "were not looked for in 1 given problem: ";
  EXPECT_NE(TextReport(result).find(sentence), std::string::npos) << TextReport(result);
  result.named.pop_back();
  EXPECT_EQ(TextReport(result).find("not looked for"), std::string::npos);
}

// Returns the length of the table's longest line. The table ends before the first complaint.
size_t WidthOfTable(const std::string& report) {
  size_t widest = 0;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line) && line.rfind("  ", 0) != 0;) widest = std::max(widest, line.size());
  return widest;
}

TEST(Reports, TheTableFitsOnATerminal) {
  CampaignResult result = BadResults()[0];
  CategorySummary& large = result.categories[{Cell::kVanillaRnn, Propagation::kForwardTraining, Config::kF32u8f32f32}];
  large.count[static_cast<int>(Verdict::kPass)] = 999999;
  large.measured[static_cast<size_t>(Property::kStrictBounds)] = {1000, 999};
  EXPECT_LE(WidthOfTable(TextReport(result, 80)), 80u) << TextReport(result, 80);
  EXPECT_NE(TextReport(result, 80).find(" 99% "), std::string::npos) << TextReport(result, 80);
  EXPECT_GT(WidthOfTable(TextReport(result)), 80u);
  EXPECT_LE(WidthOfTable(TextReport(result, 136)), 136u) << TextReport(result, 136);
  EXPECT_NE(TextReport(result, 136).find("999/1000"), std::string::npos);
}

TEST(Reports, ShowWhereElementsFail) {
  const CampaignResult& result = BadResults()[0];
  EXPECT_NE(TextReport(result).find("dst_layer, t=0..1 downwards, unit=0..2 to the right"), std::string::npos)
      << TextReport(result);
  EXPECT_NE(HtmlReport(BadResults()).find("fill-opacity"), std::string::npos);
}

TEST(Reports, TheHtmlReportNeedsNothingElse) {
  const std::string html = HtmlReport(BadResults());
  EXPECT_EQ(html.find("http"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_NE(html.find("does not conform"), std::string::npos);
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_EQ(html.find("role=\"img\">"), std::string::npos) << "a picture without a name";
}

TEST(Reports, ADirectoryThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(WriteReports(BadResults(), "/proc/nowhere"), std::runtime_error);
}

TEST(Campaign, FailuresMakeItNotConform) {
  EXPECT_FALSE(BadResults()[0].ok());
  EXPECT_FALSE(CampaignResult().ok()) << "nothing judged is not conformance";
}

TEST(Campaign, RefusingWhatIsClaimedIsAFailure) {
  Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  plugin.claim = TableClaim::kWhole;
  CheckOptions options;
  options.environment = {"TANDEM_BROKEN=refuse"};
  const CheckedProblem checked = CheckProblem(plugin, ParseProblem("sic3"), options);
  EXPECT_EQ(checked.outcome.verdict(), Verdict::kFail);
  EXPECT_EQ(checked.finding, Finding::kRefusal) << checked.message;
}

TEST(Campaign, TheDefaultListHoldsAtLeastTwentyValidNetworkShapes) {
  const std::vector<ProblemSpec> shapes = NetworkShapes();
  EXPECT_GE(shapes.size(), 20u);
  for (const ProblemSpec& spec : shapes) {
    EXPECT_NO_THROW(ToRnnProblem(spec)) << spec.name;
    EXPECT_FALSE(spec.name.empty());
  }
}

TEST(Check, LongSequencesAreShortenedAndWideBatchesSampledAndBothAreSaid) {
  const Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  CheckOptions options;
  options.oracle_macs = 10000;
  const CheckedProblem checked = CheckProblem(plugin, ParseProblem("l1t100mb50sic16"), options);
  // A row and step take 2 * 16 * 16 multiply-adds.
  EXPECT_EQ(checked.steps_given, 100);
  EXPECT_EQ(checked.spec.t, 19);
  EXPECT_EQ(checked.rows_judged, 1);
}

}  // namespace
}  // namespace tandem::conformance
