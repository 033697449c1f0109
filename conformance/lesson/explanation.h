// This function writes one equation with the numbers of one element put in, for a page.
#ifndef TANDEM_CONFORMANCE_LESSON_EXPLANATION_H_
#define TANDEM_CONFORMANCE_LESSON_EXPLANATION_H_

#include <nlohmann/json.hpp>

#include "reference/teaching/trace/trace.h"

namespace tandem::conformance {

// Returns {"value", "stages": [MathML], "parts": [{"name", "value", "terms": [[a, b], ...]}]}. A part that is a matrix product
// has its terms. `line` is the line of a visit, whose values can still be read.
nlohmann::ordered_json ExplanationOf(const reference::TracedLine& line, reference::ElementAt at);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_LESSON_EXPLANATION_H_
