#include "conformance/pages/trace/page_steps.h"

#include <algorithm>
#include <cstdlib>

#include "api/core/rnn/step_walk.h"
#include "conformance/pages/page.h"
#include "conformance/pages/trace/page_parts.h"
#include "conformance/problem/row_lengths.h"

namespace tandem::conformance {
namespace {

using reference::StepIndex;
using reference::TracedLine;
using reference::TracePhase;

// All steps are shown where all layers and directions have no more than this.
constexpr Dim kMostSections = 24;

// What belongs to the last layer's output, not to one step: [STACK.3] and its like, and their gradients.
bool IsOfOutputs(const TracedLine& line) {
  for (const char* id : {"STACK.3", "STACK.4", "STACK.5", "INT8.4", "INT8.5"}) {
    if (line.id == id) return true;
  }
  return false;
}
bool IsOfGradientsThatComeIn(const TracedLine& line) { return line.id == "STACK.B1" || line.id == "STACK.B2"; }

std::string AtTime(Dim time) { return "t = " + std::to_string(time); }

std::string StepId(const StepIndex& step, TracePhase phase) {
  return std::string(phase == TracePhase::kBackward ? "backward" : "forward") + "-l" + std::to_string(step.layer) +
         "-d" + std::to_string(step.dir) + "-t" + std::to_string(step.time);
}

}  // namespace

StepSections::StepSections(const TracedProblem& traced, const TraceSelection& selection)
    : problem_(traced.problem),
      selection_(selection),
      length_(RowLengthsOf(traced.problem, traced.tensors)[static_cast<size_t>(*selection.row)]) {
  nearest_ = problem_.n_iter * problem_.n_layer * problem_.n_dir <= kMostSections ? problem_.n_iter : 1;
}

bool StepSections::Shows(const TracedLine& line) const {
  if (line.phase != TracePhase::kForward && line.phase != TracePhase::kBackward) return true;
  return std::abs(line.step.time - *selection_.step) <= nearest_;
}

StepSections::Section StepSections::SectionOf(const TracedLine& line) const {
  const std::string at = "layer " + std::to_string(line.step.layer) + ", " + DirectionName(problem_, line.step.dir);
  const std::string place = "-l" + std::to_string(line.step.layer) + "-d" + std::to_string(line.step.dir);
  const Fold fold = line.step.time == *selection_.step ? Fold::kOpen : Fold::kClosed;
  if (IsOfOutputs(line)) return {"dst_layer, all steps", "dst_layer", Fold::kClosed};
  if (IsOfGradientsThatComeIn(line)) return {"diff_dst_layer, all steps", "diff_dst_layer", Fold::kClosed};
  if (line.id == "STACK.B4") return {"diff_src_layer, all steps", "diff_src_layer", Fold::kClosed};
  switch (line.phase) {
    case TracePhase::kParameters:
      return {"Weights of " + at, "weights" + place, Fold::kClosed};
    case TracePhase::kForward:
      return {"Forward, " + AtTime(line.step.time) + ", " + at, StepId(line.step, line.phase), fold};
    case TracePhase::kBackward:
      return {"Backward, " + AtTime(line.step.time) + ", " + at, StepId(line.step, line.phase), fold};
    case TracePhase::kGradients:
      return {"Gradients of the weights of " + at, "gradients" + place, Fold::kClosed};
  }
  return {};
}

void StepSections::Visit(const TracedLine& line) {
  if (!Shows(line)) return;
  const bool has_row = !IsDead(line, std::min<Dim>(*selection_.row, line.value.cols() - 1));
  if (!has_row) return;
  Section section = SectionOf(line);
  if (section.id != open_.id) {
    Close();
    open_ = std::move(section);
  }
  if (!line.id.empty() && std::find(ids_.begin(), ids_.end(), line.id) == ids_.end()) ids_.push_back(line.id);
  const std::string origin = OriginOf(line);
  table_ += line.id.empty() ? GivenRow(line, selection_, origin) : EquationRow(line, selection_, origin);
}

std::string StepSections::LinkTo(const StepIndex& step, TracePhase phase) const {
  const std::string name = AtTime(step.time) + (problem_.n_layer > 1 ? ", layer " + std::to_string(step.layer) : "");
  if (std::abs(step.time - *selection_.step) > nearest_) return name;
  return "<a href=\"#" + StepId(step, phase) + "\">" + name + "</a>";
}

std::string StepSections::GivenOrigin(const TracedLine& line) const {
  const StepIndex& at = line.step;
  const StepWalk walk(problem_, at.dir);
  const std::string name = line.Name();
  if (line.phase == TracePhase::kBackward)
    return name == "dh" ? "of [STACK.B3]" : name == "dc" ? "of [STACK.B7]; [LSTM.B2] adds to it" : "";
  if (name == "x") {
    return at.layer == 0 ? "of src_layer" : "h of " + LinkTo({at.layer - 1, at.dir, at.time}, TracePhase::kForward);
  }
  if (name != "h'" && name != "c'") return "";
  const Tensor initial = name == "h'" ? kSrcIter : kSrcIterC;
  if (!walk.IsFirst(at.time, length_)) {
    const Dim before = walk.Time(walk.Step(at.time) - 1);
    return name.substr(0, 1) + " of " + LinkTo({at.layer, at.dir, before}, TracePhase::kForward);
  }
  return problem_.Has(initial) ? std::string("of ") + ToString(initial)
                               : std::string("0: there is no ") + ToString(initial);
}

// The two parts of dh, and dc: from the layer above and from the step after.
std::string StepSections::CarriedBack(const TracedLine& line) const {
  const StepIndex& at = line.step;
  const StepWalk walk(problem_, at.dir);
  const bool is_h = line.id == "STACK.B3";
  const bool last = walk.IsLast(at.time, length_);
  const Tensor given = is_h ? kDiffDstIter : kDiffDstIterC;
  std::string from = is_h ? "dh'" : "dc'";
  if (last && !problem_.Has(given)) {
    from += std::string(" is 0: there is no ") + ToString(given);
  } else if (last) {
    from += std::string(" comes from ") + ToString(given);
  } else {
    from += " comes from " + LinkTo({at.layer, at.dir, walk.Time(walk.Step(at.time) + 1)}, TracePhase::kBackward);
  }
  if (!is_h) return from;
  const std::string above = at.layer == problem_.n_layer - 1
                                ? "<a href=\"#diff_dst_layer\">diff_dst_layer</a>"
                                : LinkTo({at.layer + 1, at.dir, at.time}, TracePhase::kBackward);
  return "dx comes from " + above + "; " + from;
}

std::string StepSections::OriginOf(const TracedLine& line) const {
  std::string origin;
  if (line.id.empty()) origin = line.about.empty() ? GivenOrigin(line) : HtmlText(line.about);
  if (const std::string tensor = TensorOf(line); !tensor.empty()) {
    const std::string adds = line.phase == TracePhase::kBackward ? "adds to " : "";
    origin = adds + tensor + (origin.empty() ? "" : "; " + origin);
  }
  if (line.id == "STACK.B3" || line.id == "STACK.B7") origin = CarriedBack(line);
  if (IsOfOutputs(line) || IsOfGradientsThatComeIn(line) || line.id == "STACK.B4") origin = AtTime(line.step.time);
  return origin.empty() || line.id.empty() ? origin : "<br><small>" + origin + "</small>";
}

void StepSections::Close() {
  if (!table_.empty()) {
    std::string values;
    if (open_.id.rfind("backward", 0) == 0) {
      values = "<p>Gates and states are those of <a href=\"#forward" + open_.id.substr(8) +
               "\">the same step of forward</a>, as the workspace stores them, in " + ToString(problem_.SrcType()) +
               ": the last digits may differ.</p>\n";
    }
    html_ += "<details id=\"" + open_.id + "\"" + (open_.fold == Fold::kOpen ? " open" : "") + "><summary><h3>" +
             open_.title + "</h3></summary>\n" + values +
             Scrollable(open_.title, "<table class=rows>\n" + table_ + "</table>") + "</details>\n";
  }
  table_.clear();
}

std::string StepSections::Html() {
  Close();
  return html_;
}

}  // namespace tandem::conformance
