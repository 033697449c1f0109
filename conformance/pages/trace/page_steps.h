// The steps of a trace page: a section for each, with links between what one step gives and another reads.
#ifndef TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_STEPS_H_
#define TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_STEPS_H_

#include <string>
#include <vector>

#include "conformance/pages/trace/traced_problem.h"

namespace tandem::conformance {

class StepSections {
 public:
  // `selection` has a step, a unit and a row. That step is open, the others are folded. Of a long problem there are the
  // selected step and its neighbours.
  StepSections(const TracedProblem& traced, const TraceSelection& selection);

  void Visit(const reference::TracedLine& line);
  std::string Html();
  // Of the equations that are shown, in their order.
  const std::vector<std::string>& ids() const { return ids_; }

 private:
  enum class Fold { kOpen, kClosed };
  struct Section {
    std::string title, id;  // the id without "#"
    Fold fold = Fold::kClosed;
  };

  bool Shows(const reference::TracedLine& line) const;
  Section SectionOf(const reference::TracedLine& line) const;
  // Where the values of a line come from.
  std::string OriginOf(const reference::TracedLine& line) const;
  std::string GivenOrigin(const reference::TracedLine& line) const;
  std::string CarriedBack(const reference::TracedLine& line) const;
  std::string LinkTo(const reference::StepIndex& step, reference::TracePhase phase) const;
  void Close();

  const RnnProblem& problem_;
  const TraceSelection& selection_;
  Dim length_ = 0;   // of the selected row
  Dim nearest_ = 0;  // steps further from the selected one are not shown
  Section open_;
  std::string html_, table_;
  std::vector<std::string> ids_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_STEPS_H_
