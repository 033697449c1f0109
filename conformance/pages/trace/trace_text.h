// These functions write a trace as text: one equation, then a line for each element with its numbers put in.
#ifndef TANDEM_CONFORMANCE_PAGES_TRACE_TRACE_TEXT_H_
#define TANDEM_CONFORMANCE_PAGES_TRACE_TRACE_TEXT_H_

#include <ostream>

#include "conformance/pages/trace/traced_problem.h"

namespace tandem::conformance {

// Returns the number of lines whose formula does not give the reference's value; such lines say so.
int WriteTraceText(const TracedProblem& traced, const TraceSelection& selection, std::ostream* out);

// Writes the same as JSON: {"problem", "summary", "data", "lines": [{"phase", "l", "d", "t", "id", "equation", "name",
// "agrees", "elements": [...]}]}. An element has its indices, the parts of the formula with their values, the value, and the
// stored value. Of the pair (h, c) the value is h, and "cell" is c.
int WriteTraceJson(const TracedProblem& traced, const TraceSelection& selection, std::ostream* out);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_TRACE_TRACE_TEXT_H_
