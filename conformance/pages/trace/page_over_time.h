// What a trace page shows of all steps: maps of every value, and lines of the selected unit and of norms.
#ifndef TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_OVER_TIME_H_
#define TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_OVER_TIME_H_

#include <map>
#include <string>
#include <tuple>

#include "conformance/pages/trace/page_plots.h"
#include "conformance/pages/trace/traced_problem.h"

namespace tandem::conformance {

class OverTime {
 public:
  // `selection` has a unit and a row.
  OverTime(const TracedProblem& traced, const TraceSelection& selection)
      : problem_(traced.problem), loss_(traced.loss), selection_(selection) {}

  void Visit(const reference::TracedLine& line);
  // Two sections; that of backward is empty where nothing runs backward.
  std::string Html() const;

 private:
  // Phase, layer, direction.
  using Place = std::tuple<reference::TracePhase, Dim, Dim>;
  using Values = std::map<std::string, ValueMap>;

  std::string Where(const Place& place) const;
  std::string Lines(const Place& place, const Values& values) const;
  std::string Norms(const Place& place, const Values& values) const;
  std::string Maps(const Place& place, const Values& values) const;
  // What must be known to read the lines of backward.
  std::string AboutNorms() const;
  std::string Section(const char* title, reference::TracePhase phase) const;

  const RnnProblem& problem_;
  const Loss loss_;
  const TraceSelection& selection_;
  std::map<Place, Values> values_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_OVER_TIME_H_
