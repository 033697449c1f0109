// Evaluates the lines of one step and tells them to a visitor, compared with what the reference computed.
#ifndef TANDEM_REFERENCE_TEACHING_TRACE_TRACE_LINES_H_
#define TANDEM_REFERENCE_TEACHING_TRACE_TRACE_LINES_H_

#include <cmath>
#include <string>
#include <vector>

#include "reference/numerics/numerics_dynamic.h"
#include "reference/teaching/book/step_values.h"
#include "reference/teaching/trace/trace.h"

namespace tandem {
namespace reference {

// The way values of one kind are stored.
struct StoredValues {
  std::function<double(double)> store;  // the real number that the stored value stands for
  std::string type;                     // "bf16"
  // Says whether `value` may become `stored`, where f32 operations of the reference decide at a tie. If it is null, only
  // store(value) is admitted.
  std::function<bool(double value, double stored)> admits;
  std::function<double(double stored)> byte;  // the byte that stands for `stored`; null: not stored as bytes
};

// The name of the sum of U_o h' and B_u', as linear-before-reset cells save it for backward.
constexpr char kSavedLinear[] = "linear";

class LineTeller {
 public:
  LineTeller(const RnnProblem& problem, const TraceVisitor& visit);

  Evaluator& evaluator() { return evaluator_; }
  const RnnProblem& problem() const { return problem_; }
  // `dead`: the rows without a step at this time.
  void SetStep(TracePhase phase, const StepIndex& step, Columns dead = {});
  void SetStateStorage(StoredValues storage);
  void SetCellStorage(StoredValues storage) { cell_ = std::move(storage); }

  // A value that is given: an input of the step, a weight.
  void TellInput(const std::string& name, const Mat<double>& value);
  // Evaluates `line`, takes the reference's value if `expected` has one, and tells it.
  void TellStepLine(const StepLine& line, const NamedValues& expected);
  // A formula of the table on values of its own: the stack's equations, int8. `expected` is what the reference has for
  // it, `stored` what it has after storage; either may be empty.
  void TellFormula(const std::string& id, const Formula& formula, const Evaluator& evaluator,
                   const Mat<double>& expected, const Mat<double>& stored, const std::string& about = "");
  // [INT8.1] of the evaluator's x, which the reference stores as the real numbers `stored`, with the bytes `bytes`.
  void TellQuantization(const Formula& formula, const Evaluator& evaluator, const Mat<double>& bytes,
                        const Mat<double>& stored, const std::string& about);
  // A formula that rounds to integers, which the reference has as `integers`: at a tie its f32 operations decide.
  void TellIntegers(const std::string& id, const Formula& formula, const Evaluator& evaluator,
                    const Mat<double>& integers, const std::string& about);
  // [STACK.1], or [STACK.2] with c: the step whose lines have just been told.
  void TellCall(const std::string& id, const Mat<double>& h, const Mat<double>& c = {});
  // The reference's sum over all steps of a gradient that the lines of the steps have added up.
  void TellTotal(const std::string& name, const Mat<double>& value);
  // Another value of this gradient; `about` says which.
  void TellGradient(const std::string& name, const Mat<double>& value, const std::string& about);

 private:
  // Returns the reference's storage of the values that `name` stands for, or null if they are not stored.
  const StoredValues* StorageOf(const std::string& name) const;
  // Both but for the columns `dead`.
  bool Agree(const Mat<double>& found, const Mat<double>& expected, const Columns& dead) const;
  // `expected` is stored, `found` is not yet.
  bool AgreesStored(const StoredValues& storage, const Mat<double>& found, const Mat<double>& expected,
                    const Columns& dead) const;
  // A norm takes the stored Δ. The lines before it have taken Δ as it was computed.
  void StoreDeltas(const Expression& e);
  TracedLine NewLine(const std::string& id, const Formula& formula) const;
  TracedLine NewValue(const std::string& name, const Mat<double>& value) const;
  void SetBytes(const StoredValues& storage, TracedLine* line) const;

  const RnnProblem& problem_;
  const TraceVisitor& visit_;
  Evaluator evaluator_;
  TracePhase phase_ = TracePhase::kParameters;
  StepIndex step_ = {};
  Columns dead_;
  StoredValues state_, cell_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TRACE_TRACE_LINES_H_
