// A trace shows int8: for every value that becomes a byte the byte, its real number, scale and rounding, and for every matrix
// product the integers. The functions for other arithmetic do nothing.
#ifndef TANDEM_REFERENCE_TEACHING_TRACE_TRACE_INT8_H_
#define TANDEM_REFERENCE_TEACHING_TRACE_TRACE_INT8_H_

#include "reference/numerics/numerics_dynamic.h"
#include "reference/numerics/numerics_int8.h"
#include "reference/teaching/trace/trace_lines.h"

namespace tandem {
namespace reference {

using Int8 = QuantizedNumerics<double>;
using Dynamic = DynamicNumerics<double>;

// s, z, Z and sat().
void AddQuantization(const RnnProblem& problem, Evaluator* evaluator);
// The bytes that `real`, numbers of bytes, were made of.
Mat<double> ByteOf(const RnnProblem& problem, const Mat<double>& real);

// The weights' bytes.
void TellQuantizedParameters(const RnnProblem& problem, const CellParameters<Int8>& p, LineTeller* teller);
// [INT8.6], if the weights are in s8.
void TellQuantizedParameters(const RnnProblem& problem, const CellParameters<StorageNumerics<double>>& p,
                             LineTeller* teller);
// [INT8.3] of W x and U h' for each gate. Where U multiplies another state than h', TellQuantizedOperand tells it.
void TellProducts(const RnnProblem& problem, const Int8& num, const CellParameters<Int8>& p, const CellInput<Int8>& in,
                  LineTeller* teller);
// Dynamic quantization: [INT8.7] to [INT8.9] of x and h', [INT8.10] for each gate.
void TellProducts(const RnnProblem& problem, const Dynamic& num, const CellParameters<Dynamic>& p,
                  const CellInput<Dynamic>& in, LineTeller* teller);
// r * h' before [GRU.3]: [INT8.1] and [INT8.2].
void TellQuantizedOperand(const RnnProblem& problem, const Int8& num, const StepLine& line, LineTeller* teller);
// h, and before a projection h^: [INT8.1] and [INT8.2]. The teller's evaluator has the values before they were stored.
void TellQuantizedState(const RnnProblem& problem, const Int8& num, const CellResult<Int8>& result, LineTeller* teller);

// Says whether the byte of the real number `stored` is the one of `value`, or its neighbour if `value` lies at a tie within the
// rounding of some f32 operations.
bool AdmitsByte(const RnnProblem& problem, double value, double stored);

template <class N>
void TellQuantizedParameters(const RnnProblem&, const CellParameters<N>&, LineTeller*) {}
template <class N>
void TellProducts(const RnnProblem&, const N&, const CellParameters<N>&, const CellInput<N>&, LineTeller*) {}
template <class N>
void TellQuantizedOperand(const RnnProblem&, const N&, const StepLine&, LineTeller*) {}
template <class N>
void TellQuantizedState(const RnnProblem&, const N&, const CellResult<N>&, LineTeller*) {}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TRACE_TRACE_INT8_H_
