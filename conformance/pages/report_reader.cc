// The reader is the inverse of report_json.cc, as far as the reports and a merge need it.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "conformance/pages/columns.h"
#include "conformance/pages/json_values.h"
#include "conformance/pages/reports.h"
#include "conformance/problem/base/json_depth.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::json;

// Reads a whole number; -1 means none.
Dim Place(const Json& json) {
  if (!json.is_number_integer()) throw std::runtime_error("a place is not in the format");
  return json.get<Dim>();
}

// Returns the enumerator below `count` of that name.
template <class Enum>
Enum FromName(const Json& json, int count) {
  const std::string name = json.get<std::string>();
  for (int i = 0; i < count; ++i) {
    if (name == ToString(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  throw std::runtime_error("\"" + name + "\" is not in the format");
}

Cell ToCell(const Json& json) { return FromName<Cell>(json, static_cast<int>(std::size(kCells))); }
Propagation ToPropagation(const Json& json) {
  for (Propagation p : {Propagation::kForwardInference, Propagation::kForwardTraining, Propagation::kBackward}) {
    if (json.get<std::string>() == ToString(p)) return p;
  }
  throw std::runtime_error("a propagation is not in the format");
}
Config ToConfig(const Json& json) {
  for (int i = 0; i < kNumConfigs; ++i) {
    if (json.get<std::string>() == TypesOf(static_cast<Config>(i)).name) return static_cast<Config>(i);
  }
  throw std::runtime_error("types are not in the format");
}

CategorySummary ToCategory(const Json& json) {
  CategorySummary category;
  for (const Column& column : Columns()) {
    if (column.read) column.read(json, &category);
  }
  return category;
}

TensorReport ToRow(const Json& json) {
  TensorReport row;
  row.tensor = FromName<Tensor>(json.at("tensor"), kNumTensors);
  row.kind = FromName<CheckKind>(json.at("check"), static_cast<int>(CheckKind::kNonInterference) + 1);
  row.outcome = Outcome(FromName<Verdict>(json.at("verdict"), kNumVerdicts));
  row.stats.ratio = RatioHistogram::FromBins({}, ToNumber(json.at("worst_ratio"), HUGE_VAL));
  row.failures = ToCount(json.at("failures"));
  if (json.contains("where")) {
    const Json& where = json.at("where");
    const Json pictures = where.is_array() ? where : Json::array({where});  // older reports have one
    for (const Json& picture : pictures) {
      row.where.push_back({picture.at("axes"), picture.at("lines").get<std::vector<std::string>>()});
    }
  }
  if (!json.contains("first")) return row;
  const Json& first = json.at("first");
  row.has_departure = true;
  Location& at = row.first;
  Dim* const place[] = {&at.t, &at.l, &at.d, &at.n, &at.gate, &at.unit, &at.input};
  for (size_t i = 0; i < std::size(place); ++i) *place[i] = Place(first.at("place").at(i));
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  row.got = ToNumber(first.at("got"), kNan);
  row.want = ToNumber(first.at("want"), kNan);
  row.lo = ToNumber(first.at("lo"), kNan);
  row.hi = ToNumber(first.at("hi"), kNan);
  return row;
}

CheckedProblem ToProblem(const Json& json) {
  CheckedProblem checked;
  checked.spec = ParseProblem(json.at("problem"));
  checked.implementation = json.at("implementation");
  checked.target = json.at("target");
  checked.threads = json.value("threads", 0);
  checked.origin = FromName<Origin>(json.at("origin"), kNumOrigins);
  checked.position = ToCount(json.at("position"));
  checked.outcome = Outcome(FromName<Verdict>(json.at("verdict"), kNumVerdicts));
  checked.finding = FromName<Finding>(json.at("finding"), kNumFindings);
  checked.message = json.at("message");
  checked.seconds = json.at("seconds");
  checked.rows_judged = Place(json.at("rows_judged"));
  checked.repeated = json.value("repeated", true);  // older reports do not tell
  checked.steps_given = Place(json.at("steps_given"));
  for (const Json& row : json.at("tensors")) checked.report.Add(ToRow(row));
  return checked;
}

std::vector<CheckedProblem> ToProblems(const Json& json) {
  std::vector<CheckedProblem> problems;
  for (const Json& problem : json) problems.push_back(ToProblem(problem));
  return problems;
}

void ReadTables(const Json& json, CampaignResult* result) {
  for (const Json& category : json.at("coverage")) {
    result->categories[{ToCell(category.at("cell")), ToPropagation(category.at("propagation")),
                        ToConfig(category.at("types"))}] = ToCategory(category);
  }
  for (const Json& random : json.at("random")) {
    result->random[{ToCell(random.at("cell")), ToPropagation(random.at("propagation")), ToConfig(random.at("types"))}] =
        {ToCounts(random.at("verdicts")), random.at("seconds")};
  }
  for (const Json& kind : json.at("kinds")) {
    const ServedKind key = {ToCell(kind.at("cell")), FromName<CellFeature>(kind.at("feature"), kNumCellFeatures),
                            ToPropagation(kind.at("propagation")), ToConfig(kind.at("types"))};
    result->kinds[key] = {ToCount(kind.at("required_passed")), ToCount(kind.at("required_refused")),
                          ToCount(kind.at("required_vacuous")), ToCount(kind.at("failed"))};
  }
  const Json pairs = json.value("pairs", Json::object());  // older reports have none
  for (const FeaturePair& pair : CountedPairs()) {
    const auto found = pairs.find(ToString(pair));
    if (found != pairs.end()) result->pairs.Add(pair, ToCount(*found));
  }
  for (const auto& [reason, count] : json.at("refusals").items()) result->refusals[reason] = ToCount(count);
  for (const Json& explained : json.at("explained")) {
    Explained one = {explained.at("id"), ToCount(explained.at("problems")), {}};
    if (explained.contains("example")) one.example = ToProblem(explained.at("example"));
    for (const Json& position : explained.value("positions", Json::array())) one.positions.push_back(ToCount(position));
    result->explained.push_back(one);
  }
}

CampaignResult ToResult(const Json& json) {
  CampaignResult result;
  result.implementation = json.at("implementation");
  result.version = json.at("version");
  result.cpu_isa = json.at("cpu_isa");
  result.adds = json.at("adds");
  result.claim = json.at("claims_whole_table").get<bool>() ? TableClaim::kWhole : TableClaim::kPartial;
  result.interrupted_by = json.at("interrupted_by");
  result.tier = json.at("tier");
  result.left_out = json.value("left_out", std::vector<std::string>());
  result.shard = {ToCount(json.at("shard").at(0)), ToCount(json.at("shard").at(1))};
  result.seed = ToCount(json.at("seed"));
  result.planned = ToCount(json.at("planned"));
  result.run = ToCount(json.at("problems"));
  result.hardly_tried = json.value("hardly_tried", uint64_t{0});
  result.softened = ToCount(json.at("softened"));
  result.shortened = ToCount(json.at("shortened"));
  result.too_long = json.value("too_long", uint64_t{0});
  if (json.value("stops_at_complaint", false)) result.after_complaint = AfterComplaint::kStop;
  result.seconds = json.at("seconds");
  result.count = ToCounts(json.at("verdicts"));
  ReadTables(json, &result);
  result.named = ToProblems(json.at("named"));
  result.vacuous = ToProblems(json.at("vacuous"));
  result.complaints = ToProblems(json.at("complaints"));
  result.unshrunk = ToProblems(json.at("unshrunk"));
  return result;
}

}  // namespace

std::vector<CampaignResult> ReadJsonReport(const std::string& text) {
  std::vector<CampaignResult> results;
  try {
    if (NestsTooDeeply(text)) throw std::runtime_error("it nests too deeply");
    const Json json = Json::parse(text);
    if (json.at("format") != "tandem-report/2") throw std::runtime_error("its format is not tandem-report/2");
    for (const Json& result : json.at("implementations")) results.push_back(ToResult(result));
  } catch (const Json::parse_error& error) {
    throw std::runtime_error("this is no report.json of ./tandem check: it is not JSON from byte " +
                             std::to_string(error.byte) + " on");
  } catch (const std::exception& error) {
    // The text shall not have the library's own beginning, "[json.exception...] ".
    const std::string what = error.what();
    const size_t bracket = what.rfind("[json.", 0) == 0 ? what.find("] ") : std::string::npos;
    throw std::runtime_error("this is no report.json of ./tandem check: " +
                             (bracket == std::string::npos ? what : what.substr(bracket + 2)));
  }
  return results;
}

}  // namespace tandem::conformance
