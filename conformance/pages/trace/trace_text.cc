#include "conformance/pages/trace/trace_text.h"

#include "conformance/oracle/oracle_forward.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

using reference::ElementAt;
using reference::Notation;
using reference::TracedLine;
using reference::TracePhase;

// A matrix product of at most this many terms is written out.
constexpr Dim kMostTerms = 8;
constexpr reference::NumberStyle kPart = {7, reference::Digits::kSignificant, Notation::kText, kMostTerms};
constexpr reference::NumberStyle kResult = {9};

class TextWriter {
 public:
  TextWriter(const TraceSelection& selection, std::ostream* out) : selection_(selection), out_(*out) {}
  int disagreements() const { return disagreements_; }

  void Write(const TracedLine& line) {
    if (!line.agrees) ++disagreements_;
    if (line.agrees && !selection_.Shows(line)) return;
    if (line.agrees && selection_.Elements(line).empty()) return;  // the line has only rows without a step
    WriteHeading(line);
    if (line.id.empty()) return WriteInput(line);
    out_ << "[" << line.id << "]  " << Show(line.formula, Notation::kText);
    out_ << (line.about.empty() ? "" : "   for " + line.about) << "\n";
    for (const ElementAt at : selection_.Elements(line)) WriteElement(line, at);
    if (!line.agrees) out_ << "  THE REFERENCE HAS ANOTHER VALUE THAN THIS EQUATION\n";
  }

 private:
  // Writes a heading for every step, and one for the weights of each layer and direction.
  void WriteHeading(const TracedLine& line) {
    const reference::StepIndex& s = line.step;
    std::string heading = "l=" + std::to_string(s.layer) + " d=" + std::to_string(s.dir);
    if (line.phase == TracePhase::kParameters) heading += "  weights";
    if (line.phase == TracePhase::kForward) heading += " t=" + std::to_string(s.time) + "  forward";
    if (line.phase == TracePhase::kGradients) heading += "  gradients of weights";
    if (line.phase == TracePhase::kBackward) heading += " t=" + std::to_string(s.time) + "  backward";
    if (heading == heading_) return;
    heading_ = heading;
    out_ << "\n== " << heading << "\n";
  }

  // Writes x, h' or a weight: one row of numbers for each row of the minibatch or of the matrix.
  void WriteInput(const TracedLine& line) {
    const bool per_row = reference::IsPerRow(line);
    const Mat value = per_row ? Mat(line.value.transpose()) : line.value;
    const Dim rows = std::min<Dim>(value.rows(), per_row ? selection_.rows : selection_.units);
    const Dim units = std::min<Dim>(value.cols(), selection_.units);
    const std::string tensor = TensorOf(line),
                      both = tensor + (tensor.empty() || line.about.empty() ? "" : "; ") + line.about;
    const std::string note = both.empty() ? "" : " (" + both + ")";
    for (Dim row = 0; row < rows; ++row) {
      if (per_row && IsDead(line, row)) continue;
      if (!per_row && selection_.unit && row != *selection_.unit && rows > 1) continue;
      out_ << line.Name() << (per_row ? "  n=" : "  unit=") << row << note << " ";
      for (Dim j = 0; j < units; ++j) out_ << " " << ShowNumber(value(row, j), kResult);
      out_ << (units < value.cols() ? " ...\n" : "\n");
    }
  }

  void WriteElement(const TracedLine& line, ElementAt at) {
    out_ << "  " << ElementName(line, at) << "  " << line.Name();
    if (line.before && line.evaluated.right.kind != reference::Expression::Kind::kConcat) {
      std::vector<std::string> stages = Explain(*line.before, line.evaluated, at, kPart).stages;
      stages.pop_back();
      for (const std::string& stage : stages) out_ << " = " << stage;
      out_ << " = " << ShowNumber(Explain(*line.before, line.evaluated, at, kResult).value, kResult);
    } else {
      out_ << " = " << ValueText(line, at, kResult);
    }
    if (!line.stored_as.empty()) {
      out_ << "  -> " << line.stored_as << " ";
      if (line.bytes.size() > 0) out_ << ShowNumber(ElementOf(line.bytes, at), kResult) << ", which stands for ";
      out_ << ShowNumber(ElementOf(line.stored, at), kResult);
    }
    out_ << "\n";
  }

  using Mat = reference::Mat<double>;

  const TraceSelection& selection_;
  std::ostream& out_;
  std::string heading_;
  int disagreements_ = 0;
};

}  // namespace

int WriteTraceText(const TracedProblem& traced, const TraceSelection& selection, std::ostream* out) {
  *out << "# " << PrintProblem(traced.spec) << "\n# " << Summary(traced) << "\n";
  if (IsInt8(traced.spec) && traced.spec.data == DataKind::kDense && traced.data_file.empty()) {
    *out << "# many of these bytes lie at the ends of their range, which finds mistakes; --data=tame has usual ones\n";
  }
  *out << "# ids: docs/equations.md; first " << selection.rows << " rows of the batch (--rows), ";
  if (selection.unit) {
    *out << "unit " << *selection.unit;
  } else {
    *out << "first " << selection.units << " units (--units)";
  }
  if (selection.step) *out << ", step " << *selection.step;
  *out << "\n# a line of W or U has the weights of one unit: a number for each input\n";
  if (!traced.data_file.empty()) *out << "# tensors from " << traced.data_file << "\n";
  TextWriter writer(selection, out);
  reference::Trace(traced.problem, BuffersOf(traced.tensors), [&](const TracedLine& line) { writer.Write(line); });
  return writer.disagreements();
}

}  // namespace tandem::conformance
