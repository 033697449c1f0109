#include "conformance/pages/columns.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "api/core/enums.h"
#include "conformance/pages/json_values.h"
#include "conformance/pages/pictures.h"
#include "conformance/problem/base/format.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;
using InputJson = nlohmann::json;
using Summary = CategorySummary;

// Makes a column, in no table, of a number that the reader takes as it is.
Column Sum(const char* key, uint64_t ErrorStats::*sum) {
  return {key, [=](const Summary& s) { return Json(s.stats.*sum); },
          [=](const InputJson& category, Summary* s) { s->stats.*sum = ToCount(category.at(key)); }};
}

// Makes a column, in no table, of a number that follows from others.
Column Computed(const char* key, double (*value)(const Summary&)) {
  return {key, [=](const Summary& s) { return Number(value(s)); }};
}

std::string Right(const Summary&) { return "number"; }

// Counts the problems that have one of these verdicts.
Column Problems(Heading heading, const char* page, const char* legend, std::initializer_list<Verdict> verdicts) {
  Column column;
  column.wide = column.narrow = heading;
  column.page = page;
  column.legend = legend;
  column.text = [verdicts = std::vector<Verdict>(verdicts)](const Summary& s, Form) {
    uint64_t problems = 0;
    for (const Verdict verdict : verdicts) problems += s.count[static_cast<size_t>(verdict)];
    return std::to_string(problems);
  };
  column.css = Right;
  return column;
}

// Prints a number with up to three digits in `width` characters: in five, "0.394", "1e-05", "4e+06".
std::string Within(size_t width, double value) {
  for (int digits = 3; digits > 1; --digits) {
    const std::string text = Format("%.*g", digits, value);
    if (text.size() <= width) return text;
  }
  return Format("%.0e", value);
}

std::string Ratio(double ratio, Form form) {
  return form == Form::kPage ? ShortNumber(ratio) : Within(form == Form::kWide ? 6 : 5, ratio);
}

// Prints how many problems have the property. Lines of 80 characters have whole percents: only all problems are 100 %.
std::string Share(const Measured& property, Form form) {
  if (property.problems == 0) return form == Form::kPage ? "not measured" : "-";
  if (form == Form::kNarrow) return std::to_string(100 * property.held / property.problems) + "%";
  return std::to_string(property.held) + (form == Form::kPage ? " of " : "/") + std::to_string(property.problems);
}

struct PropertyColumn {
  Property property;
  const char* key;
  Heading wide, narrow;  // without a width: the column is in no table
  const char *page, *legend;
};
constexpr PropertyColumn kPropertyColumns[] = {
    {Property::kStrictBounds,
     "strict_bounds",
     {"strict", 9},
     {"strict", 6},
     "strict bounds",
     "problems within bounds of 2 ulp"},
    {Property::kDefaultBounds, "default_bounds", {}, {}, "", ""},
    {Property::kBatchInvariance,
     "batch_invariance",
     {"batch", 9},
     {"batch", 5},
     "row alone = in batch",
     "problems whose rows have the same bits alone"},
    {Property::kThreadDeterminism,
     "thread_determinism",
     {"threads", 9},
     {"thr.", 4},
     "1, 2, 3 threads alike",
     "problems with the same bits for any number of threads"},
};
static_assert(HasRowForEach(kPropertyColumns, &PropertyColumn::property, kLastProperty), "each property has a column");

Column PropertyOf(const PropertyColumn& row) {
  const Property property = row.property;
  const char* const key = row.key;
  Column column;
  column.key = key;
  column.write = [=](const Summary& s) -> Json {
    return {{"problems", s[property].problems}, {"held", s[property].held}};
  };
  column.read = [=](const InputJson& category, Summary* s) {
    const InputJson& measured = category.at(key);
    s->measured[static_cast<size_t>(property)] = {ToCount(measured.at("problems")), ToCount(measured.at("held"))};
  };
  if (row.wide.width == 0) return column;
  column.wide = row.wide;
  column.narrow = row.narrow;
  column.page = row.page;
  column.legend = row.legend;
  column.text = [=](const Summary& s, Form form) { return Share(s[property], form); };
  column.css = [=](const Summary& s) {
    return s[property].problems == 0 ? "" : s[property].lost() ? "grade-C" : "grade-A";
  };
  return column;
}

// Writes the bins that are not empty, by their numbers.
Json Bins(const Summary& s) {
  const std::vector<uint64_t>& bins = s.stats.ratio.bins();
  Json json = Json::object();
  for (size_t i = 0; i < bins.size(); ++i) {
    if (bins[i] != 0) json[std::to_string(i)] = bins[i];
  }
  return json;
}

// Reads the bins. The column worst_ratio was read before; the bins do not have it.
void ReadBins(const InputJson& category, Summary* s) {
  std::vector<uint64_t> bins;
  for (const auto& [bin, count] : category.at("ratio_bins").items()) {
    const size_t i = std::stoul(bin);
    if (i > 10000) throw std::runtime_error("a histogram is not in the format");
    if (bins.size() <= i) bins.resize(i + 1);
    bins[i] = ToCount(count);
  }
  s->stats.ratio = RatioHistogram::FromBins(bins, s->stats.ratio.max());
}

Json BiasSums(const Summary& s) {
  Json json;
  json["up"] = {{"sum", s.up.sum()}, {"squares", s.up.squares()}};
  json["outward"] = {{"sum", s.outward.sum()}, {"squares", s.outward.squares()}};
  return json;
}

void ReadBiasSums(const InputJson& category, Summary* s) {
  const InputJson& sums = category.at("bias_sums");
  s->up = Bias::FromSums(sums.at("up").at("sum"), sums.at("up").at("squares"));
  s->outward = Bias::FromSums(sums.at("outward").at("sum"), sums.at("outward").at("squares"));
}

std::vector<Column> AllColumns() {
  std::vector<Column> columns = {
      {"verdicts", [](const Summary& s) { return Counts(s.count); },
       [](const InputJson& category, Summary* s) { s->count = ToCounts(category.at("verdicts")); }},
      Problems({"pass", 6}, "pass", "right", {Verdict::kPass}),
      Problems({"warn", 4}, "warning", "NaN lost, as declared", {Verdict::kQualityWarning}),
      Problems({"vac.", 4}, "vacuous", "bounds that say nothing", {Verdict::kVacuous}),
      Problems({"n.s.", 4}, "not supported", "not supported", {Verdict::kNotSupported}),
      Problems({"fail", 4}, "fail", "wrong, or a second run differs", {Verdict::kFail, Verdict::kNondeterministic}),
      Problems({"crash", 5}, "crash, timeout", "crashed, or did not end in time", {Verdict::kTimeout, Verdict::kCrash}),
      Sum("elements", &ErrorStats::elements),
      Sum("vacuous_elements", &ErrorStats::vacuous),
      {"worst_ratio",
       [](const Summary& s) { return Number(s.stats.ratio.max()); },
       [](const InputJson& category, Summary* s) {
         s->stats.ratio = RatioHistogram::FromBins({}, ToNumber(category.at("worst_ratio"), HUGE_VAL));
       },
       {"worst", 6},
       {"worst", 5},
       "worst |error| / allowed",
       "largest |error| / allowed",
       [](const Summary& s, Form form) { return Ratio(s.stats.ratio.max(), form); },
       Right},
      {"ratio_99_9",
       [](const Summary& s) { return Number(s.stats.ratio.Quantile(0.999)); },
       nullptr,
       {"99.9 %", 6},
       {"99.9%", 5},
       "99.9 % of them below",
       "99.9 % of the elements have less |error| / allowed",
       [](const Summary& s, Form form) { return Ratio(s.stats.ratio.Quantile(0.999), form); },
       Right},
      Computed("ratio_median", [](const Summary& s) { return s.stats.ratio.Quantile(0.5); }),
      Computed("bias_up", [](const Summary& s) { return s.StandardErrors(s.up); }),
      Computed("bias_outward", [](const Summary& s) { return s.StandardErrors(s.outward); }),
      {"correctly_rounded_share",
       [](const Summary& s) { return Number(s.CorrectlyRoundedShare()); },
       nullptr,
       {"=RN %", 5},
       {"=RN", 3},
       "correctly rounded",
       "elements rounded correctly",
       [](const Summary& s, Form form) {
         const double percent = 100 * s.CorrectlyRoundedShare();
         return form == Form::kPage   ? ShortNumber(percent) + " %"
                : form == Form::kWide ? Format("%.1f", percent)
                                      : Format("%.0f", std::floor(percent));
       },
       Right},
      Sum("correctly_rounded", &ErrorStats::correctly_rounded),
      {"ratio_bins", Bins, ReadBins},
      {"bias_sums",
       BiasSums,
       ReadBiasSums,
       {"bias", 5},
       {"bias", 4},
       "bias, standard errors",
       "mean error, in standard errors",
       [](const Summary& s, Form form) {
         return form == Form::kPage ? ShortNumber(s.WorstBias())
                                    : Format(form == Form::kWide ? "%.1f" : "%.0f", s.WorstBias());
       },
       Right},
  };
  for (const PropertyColumn& row : kPropertyColumns) columns.push_back(PropertyOf(row));
  return columns;
}

// This does not compile when a category has a sum that has no name here. Its row in AllColumns is next to it.
[[maybe_unused]] void EverySumHasAColumn(const Summary& summary) {
  [[maybe_unused]] const auto& [verdicts, stats, bias_up, bias_outward, properties] = summary;
  [[maybe_unused]] const auto& [ratio, elements, vacuous, correctly_rounded, sum_up, sum_outward] = stats;
}

}  // namespace

const std::vector<Column>& Columns() {
  static const std::vector<Column> columns = AllColumns();
  return columns;
}

const std::vector<Column>& ShownColumns() {
  static const std::vector<Column> shown = [] {
    std::vector<Column> columns;
    for (const Column& column : Columns()) {
      if (column.text) columns.push_back(column);
    }
    return columns;
  }();
  return shown;
}

}  // namespace tandem::conformance
