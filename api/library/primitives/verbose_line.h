// The middle of a verbose line (docs/verbose.md): prop_kind, memory_descriptors, attributes, auxiliary, problem_desc.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_VERBOSE_LINE_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_VERBOSE_LINE_H_

#include <string>

#include "api/core/reorder/reorder_problem.h"
#include "api/core/rnn/rnn_problem.h"

namespace tandem {

// "forward_inference,src_layer:f32::blocked:abc::f0 ...,,alg:vanilla_lstm ...,l1t8mb1sic4slc4dhc4dic4". `requested` is what
// the client asked for, `problem` the same with all layouts chosen: weights whose layout was left open have the property a.
std::string VerboseFields(const RnnProblem& requested, const RnnProblem& problem);
std::string VerboseFields(const ReorderProblem& problem);

// Prints why implementation `name` does not serve the problem, if that is asked for.
void PrintDispatch(const RnnProblem& problem, const char* name, const std::string& reason);
void PrintDispatch(const ReorderProblem& problem, const char* name, const std::string& reason);

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_PRIMITIVES_VERBOSE_LINE_H_
