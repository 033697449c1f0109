// An implementation with one bug, or with none: then it is a second implementation beside the reference.
#ifndef TANDEM_CONFORMANCE_MUTANTS_FAULTY_H_
#define TANDEM_CONFORMANCE_MUTANTS_FAULTY_H_

#include "conformance/implementation.h"
#include "conformance/mutants/mutation.h"

namespace tandem::conformance {

// Keeps state between calls where the bug is about that. Plain layouts, every type and cell.
Implementation MakeFaulty(Mutation mutation);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_MUTANTS_FAULTY_H_
