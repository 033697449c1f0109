#include <nlohmann/json.hpp>

#include "conformance/pages/columns.h"
#include "conformance/pages/json_values.h"
#include "conformance/pages/reports.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;

Json Kind(const ServedKind& kind, const KindTally& tally) {
  return {{"cell", ToString(kind.cell)},
          {"feature", ToString(kind.feature)},
          {"propagation", ToString(kind.propagation)},
          {"types", TypesOf(kind.config).name},
          {"required_passed", tally.passed},
          {"required_refused", tally.refused},
          {"required_vacuous", tally.vacuous},
          {"failed", tally.failed}};
}

Json Status(const ProfileStatus& status) {
  return {{"name", status.name}, {"conforms", status.conforms()}, {"groups", status.groups},
          {"met", status.met},   {"failed", status.failed},       {"untested", status.untested}};
}

Json Random(const CategoryKey& key, const RandomTally& tally) {
  return {{"cell", ToString(key.cell)},
          {"propagation", ToString(key.propagation)},
          {"types", TypesOf(key.config).name},
          {"verdicts", Counts(tally.count)},
          {"seconds", tally.seconds}};
}

Json Category(const CategoryKey& key, const CategorySummary& category) {
  Json json = {{"cell", ToString(key.cell)},
               {"propagation", ToString(key.propagation)},
               {"types", TypesOf(key.config).name},
               {"grade", std::string(1, Grade(category))}};
  for (const Column& column : Columns()) {
    if (column.write) json[column.key] = column.write(category);
  }
  return json;
}

Json Tensor(const TensorReport& row, Cell cell) {
  Json json = {{"tensor", ToString(row.tensor)},
               {"check", ToString(row.kind)},
               {"verdict", ToString(row.outcome.verdict())},
               {"worst_ratio", Number(row.stats.ratio.max())},
               {"failures", row.failures}};
  if (row.has_departure) {
    const Location& at = row.first;
    json["first"] = {{"at", ToString(at, cell)}, {"place", {at.t, at.l, at.d, at.n, at.gate, at.unit, at.input}},
                     {"got", Number(row.got)},   {"want", Number(row.want)},
                     {"lo", Number(row.lo)},     {"hi", Number(row.hi)}};
  }
  for (const FailurePicture& picture : row.where) {
    json["where"].push_back({{"axes", picture.axes}, {"lines", picture.lines}});
  }
  return json;
}

Json Problem(const CheckedProblem& checked) {
  Json json = {{"problem", PrintProblem(checked.spec)},
               {"name", checked.spec.name},
               {"verdict", ToString(checked.outcome.verdict())},
               {"finding", ToString(checked.finding)},
               {"origin", ToString(checked.origin)},
               {"position", checked.position},
               {"implementation", checked.implementation},
               {"target", checked.target},
               {"threads", checked.threads},
               {"message", checked.message},
               {"replay", ReplayLine(checked)},
               {"seconds", checked.seconds},
               {"rows_judged", checked.rows_judged},
               {"repeated", checked.repeated},
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
               {"adds", result.adds},
               {"claims_whole_table", result.claim == TableClaim::kWhole},
               {"interrupted_by", result.interrupted_by},
               {"conforms", result.ok() && result.interrupted_by.empty()},
               {"partial", result.partial()},
               {"headline", Headline(result)},
               {"profiles", Json::array()},
               {"tier", result.tier},
               {"left_out", result.left_out},
               {"shard", {result.shard.index, result.shard.count}},
               {"seed", result.seed},
               {"planned", result.planned},
               {"problems", result.run},
               {"hardly_tried", result.hardly_tried},
               {"softened", result.softened},
               {"shortened", result.shortened},
               {"too_long", result.too_long},
               {"stops_at_complaint", result.after_complaint == AfterComplaint::kStop},
               {"seconds", result.seconds},
               {"verdicts", Counts(result.count)},
               {"refusals", Json::object()},
               {"coverage", Json::array()},
               {"named", Json::array()},
               {"random", Json::array()},
               {"kinds", Json::array()},
               {"pairs", Json::object()},
               {"explained", Json::array()},
               {"vacuous", Json::array()},
               {"complaints", Json::array()},
               {"unshrunk", Json::array()}};
  for (const ProfileStatus& status : Statuses(result.kinds)) json["profiles"].push_back(Status(status));
  for (const auto& [key, tally] : result.random) json["random"].push_back(Random(key, tally));
  for (const auto& [kind, tally] : result.kinds) json["kinds"].push_back(Kind(kind, tally));
  for (const FeaturePair& pair : CountedPairs()) json["pairs"][ToString(pair)] = result.pairs.Count(pair);
  for (const auto& [reason, count] : result.refusals) json["refusals"][reason] = count;
  for (const auto& [key, category] : result.categories) json["coverage"].push_back(Category(key, category));
  for (const CheckedProblem& checked : result.named) json["named"].push_back(Problem(checked));
  for (const Explained& explained : result.explained) {
    Json row = {{"id", explained.id}, {"problems", explained.count}, {"positions", explained.positions}};
    if (explained.count != 0) row["example"] = Problem(explained.example);
    json["explained"].push_back(row);
  }
  for (const CheckedProblem& checked : result.vacuous) json["vacuous"].push_back(Problem(checked));
  for (const CheckedProblem& checked : result.complaints) json["complaints"].push_back(Problem(checked));
  for (const CheckedProblem& checked : result.unshrunk) json["unshrunk"].push_back(Problem(checked));
  return json;
}

}  // namespace

std::string JsonReport(const std::vector<CampaignResult>& results) {
  Json json = {{"format", "tandem-report/2"}, {"implementations", Json::array()}};
  for (const CampaignResult& result : results) {
    json["implementations"].push_back(ToJson(result));
  }
  // A plugin's text may be in any encoding.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tandem::conformance
