// The reports of a run are a table for the terminal, and files for people and programs.
#ifndef TANDEM_CONFORMANCE_PAGES_REPORTS_H_
#define TANDEM_CONFORMANCE_PAGES_REPORTS_H_

#include <map>
#include <string>
#include <vector>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

// These pages show the equations of a complaint. ReplayLine is the key; the value is a file name in the report's directory.
using TracePages = std::map<std::string, std::string>;

// The advice is for a problem whose bounds say nothing.
constexpr char kVacuousAdvice[] =
    "its bounds accept any number; smaller weights (--gain=0.05), fewer steps (t1) or fewer channels may tell more";
// Returns "FAIL: ..."; the verdict is not said twice.
std::string WithVerdict(Verdict verdict, const std::string& message);
// Says why the problem did not pass, and the type of c if no tensor gives c a type.
std::string MessageOf(const CheckedProblem& checked);
// Returns the verdict of one problem, its replay line, and a picture of where elements fail.
std::string ComplaintText(const CheckedProblem& checked);
// The columns of a table are explained in one of these places.
enum class ColumnLegend { kBelowTheTable, kToldBefore };
// Returns the verdict table, then each complaint with its replay line, the refusals and the profiles. The table has a line for
// each category; if it is wider than `columns`, it becomes two tables of at most 80 characters. 0 is no limit.
std::string TextReport(const CampaignResult& result, int columns = 0,
                       ColumnLegend legend = ColumnLegend::kBelowTheTable);
// Returns the place for the last result. A table of an earlier one may have had the legend.
ColumnLegend LegendFor(const std::vector<CampaignResult>& results);

// Returns "optimized 1.0"; the name alone if no version is known.
std::string NameAndVersion(const CampaignResult& result);

// Returns the profiles that are met or served in part, if they are too many for the headline's sentence; else none.
std::vector<ProfileStatus> ProfilesForATable(const CampaignResult& result);

// Returns the result in one line: the profiles that are met, or how many are; that a part was not judged, or what is wrong.
std::string Headline(const CampaignResult& result);

// This sentence says how many problems of the list were run, and what ended the run. It is empty if all were run.
std::string NotRun(const CampaignResult& result);

// Says which networks the tier leaves out, in one sentence; empty if none.
std::string LeftOut(const CampaignResult& result);
// Returns the sentence about kinds that are required and were hardly tried; empty if there are none.
std::string HardlyTried(const CampaignResult& result);
// Returns the sentence about given problems that were not executed again and again; empty if there are none.
std::string NotRepeated(const CampaignResult& result);

// Returns report.json, in the format of report.schema.json.
std::string JsonReport(const std::vector<CampaignResult>& results);
// Returns junit.xml. It has a suite for each implementation, with a case for each profile that it serves in part, for each
// problem that was given, and for the random problems of each category. A problem is in one case; times are those of the
// problems. Classes and names of cases are the same in each run of the same problems.
std::string JunitReport(const std::vector<CampaignResult>& results);
// Returns index.html: tables and plots in one self-contained file.
std::string HtmlReport(const std::vector<CampaignResult>& results, const TracePages& pages = {});

// Returns the results that a report.json holds. Throws std::runtime_error if it is none.
std::vector<CampaignResult> ReadJsonReport(const std::string& text);

// Writes the three files into `directory`, which is created. Throws std::runtime_error.
void WriteReports(const std::vector<CampaignResult>& results, const std::string& directory,
                  const TracePages& pages = {});

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_REPORTS_H_
