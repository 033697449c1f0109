#include <cmath>
#include <nlohmann/json.hpp>

#include "conformance/problem/problem_notation.h"
#include "conformance/report/reports.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;

Json Counts(const std::array<uint64_t, kNumVerdicts>& count) {
  Json json = Json::object();
  for (int i = 0; i < kNumVerdicts; ++i) json[ToString(static_cast<Verdict>(i))] = count[i];
  return json;
}

// JSON has no NaN and no infinity; both become null.
Json Number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json Property(const Measured& property) { return {{"problems", property.problems}, {"held", property.held}}; }

Json Group(const GroupKey& key, const GroupSummary& group) {
  const ErrorStats& stats = group.stats;
  return {{"cell", ToString(key.cell)},
          {"propagation", ToString(key.propagation)},
          {"types", TypesOf(key.config).name},
          {"grade", std::string(1, Grade(group))},
          {"verdicts", Counts(group.count)},
          {"elements", stats.elements},
          {"vacuous_elements", stats.vacuous},
          {"worst_ratio", Number(stats.ratio.max())},
          {"ratio_99_9", Number(stats.ratio.Quantile(0.999))},
          {"ratio_median", Number(stats.ratio.Quantile(0.5))},
          {"bias_up", Number(group.up.StandardErrors())},
          {"bias_outward", Number(group.outward.StandardErrors())},
          {"correctly_rounded_share", Number(group.CorrectlyRoundedShare())},
          {"strict_bounds", Property(group.strict_bounds)},
          {"default_bounds", Property(group.default_bounds)},
          {"batch_invariance", Property(group.batch_invariance)},
          {"thread_determinism", Property(group.thread_determinism)}};
}

Json Tensor(const TensorReport& row, Cell cell) {
  Json json = {{"tensor", ToString(row.tensor)},
               {"check", ToString(row.kind)},
               {"verdict", ToString(row.outcome.verdict())},
               {"worst_ratio", Number(row.stats.ratio.max())},
               {"failures", row.failures}};
  if (row.has_departure) {
    json["first"] = {{"at", ToString(row.first, cell)},
                     {"got", Number(row.got)},
                     {"want", Number(row.want)},
                     {"lo", Number(row.lo)},
                     {"hi", Number(row.hi)}};
  }
  return json;
}

Json Problem(const CheckedProblem& checked) {
  Json json = {{"problem", PrintProblem(checked.spec)},
               {"name", checked.spec.name},
               {"verdict", ToString(checked.outcome.verdict())},
               {"finding", ToString(checked.finding)},
               {"message", checked.message},
               {"replay", ReplayLine(checked)},
               {"seconds", checked.seconds},
               {"rows_judged", checked.rows_judged},
               {"steps_given", checked.steps_given},
               {"tensors", Json::array()}};
  for (const TensorReport& row : checked.report.rows) {
    json["tensors"].push_back(Tensor(row, checked.spec.cell));
  }
  return json;
}

Json ToJson(const CampaignResult& result) {
  Json json = {{"implementation", result.implementation},
               {"version", result.version},
               {"cpu_isa", result.cpu_isa},
               {"claims_whole_table", result.claim == TableClaim::kWhole},
               {"conforms", result.ok()},
               {"seed", result.seed},
               {"problems", result.run},
               {"softened", result.softened},
               {"shortened", result.shortened},
               {"seconds", result.seconds},
               {"verdicts", Counts(result.count)},
               {"refusals", Json::object()},
               {"coverage", Json::array()},
               {"named", Json::array()},
               {"explained", Json::array()},
               {"complaints", Json::array()}};
  for (const auto& [reason, count] : result.refusals) json["refusals"][reason] = count;
  for (const auto& [key, group] : result.groups) json["coverage"].push_back(Group(key, group));
  for (const CheckedProblem& checked : result.named) json["named"].push_back(Problem(checked));
  for (const Explained& explained : result.explained) {
    Json row = {{"id", explained.id}, {"problems", explained.count}};
    if (explained.count != 0) row["example"] = Problem(explained.example);
    json["explained"].push_back(row);
  }
  for (const CheckedProblem& checked : result.complaints) {
    json["complaints"].push_back(Problem(checked));
  }
  return json;
}

}  // namespace

std::string JsonReport(const std::vector<CampaignResult>& results) {
  Json json = {{"format", "tandem-report/1"}, {"implementations", Json::array()}};
  for (const CampaignResult& result : results) {
    json["implementations"].push_back(ToJson(result));
  }
  // A plugin's text may be in any encoding.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tandem::conformance
