// The reports of a run: a table for the terminal, and files for people and programs.
#ifndef TANDEM_CONFORMANCE_PAGES_REPORTS_H_
#define TANDEM_CONFORMANCE_PAGES_REPORTS_H_

#include <map>
#include <string>
#include <vector>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

// Pages that show the equations of a complaint: file names in the report's directory, by ReplayLine.
using TracePages = std::map<std::string, std::string>;

// Of a problem whose bounds say nothing.
constexpr char kVacuousAdvice[] =
    "its bounds accept any number; smaller weights (--gain=0.05), fewer steps (t1) or fewer channels may tell more";
// "FAIL: ..."; the verdict is not said twice.
std::string WithVerdict(Verdict verdict, const std::string& message);
// Why the problem did not pass; where c has no tensor that gives it a type, also its type.
std::string MessageOf(const CheckedProblem& checked);
// The verdict of one problem, its replay line, and a picture of where elements fail.
std::string ComplaintText(const CheckedProblem& checked);
// Where the columns of a table are explained.
enum class ColumnLegend { kBelowTheTable, kToldBefore };
// The verdict table; below it each complaint with its replay line, then what was refused and the profiles. The verdict table has a line for each category; if that is
// longer than `columns`, it becomes two tables of at most 80 characters. 0: lines may have any length.
std::string TextReport(const CampaignResult& result, int columns = 0,
                       ColumnLegend legend = ColumnLegend::kBelowTheTable);
// Of the last result: whether a table of an earlier one had the legend.
ColumnLegend LegendFor(const std::vector<CampaignResult>& results);

// "optimized 1.0"; the name alone where no version is known.
std::string NameAndVersion(const CampaignResult& result);

// The profiles that are met or served in part, where they are too many for the headline's sentence; else none.
std::vector<ProfileStatus> ProfilesForATable(const CampaignResult& result);

// What the result says, in one line: the profiles that are met, or how many are; that a part was not judged, or what is
// wrong.
std::string Headline(const CampaignResult& result);

// This sentence says how many problems of the list were run, and what ended the run. It is empty if all were run.
std::string NotRun(const CampaignResult& result);

// Which networks the tier leaves out, in one sentence; empty if none.
std::string LeftOut(const CampaignResult& result);
// The sentence about kinds that are required and were hardly tried; empty: there are none.
std::string HardlyTried(const CampaignResult& result);
// The sentence about given problems that were not executed again and again; empty: there are none.
std::string NotRepeated(const CampaignResult& result);

// report.json, after report.schema.json.
std::string JsonReport(const std::vector<CampaignResult>& results);
// junit.xml: a suite for each implementation, with a case for each profile that it serves in part, for each problem that
// was given, and for the random problems of each category. A problem is in one case; times are those of the problems. Classes
// and names of cases are the same in each run of the same problems.
std::string JunitReport(const std::vector<CampaignResult>& results);
// index.html: tables and plots in one self-contained file.
std::string HtmlReport(const std::vector<CampaignResult>& results, const TracePages& pages = {});

// The results that a report.json holds. Throws std::runtime_error if it is none.
std::vector<CampaignResult> ReadJsonReport(const std::string& text);

// Writes the three files into `directory`, which is created. Throws std::runtime_error.
void WriteReports(const std::vector<CampaignResult>& results, const std::string& directory,
                  const TracePages& pages = {});

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_REPORTS_H_
