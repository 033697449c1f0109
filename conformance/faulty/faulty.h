// An implementation with one bug, or with none: then it is a second implementation beside the reference. It is a plugin
// like any other; the bug is chosen by name.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_H_

#include "conformance/faulty/mutation.h"
#include "conformance/host/plugin_host.h"
#include "conformance/judgement/implementation.h"

namespace tandem::conformance {

// As the runner takes it. The functions live as long as the process, and so does what some bugs keep between calls.
// Plain layouts, every type, cell and propagation.
Plugin MutantPlugin(Mutation mutation);

// "mutant:SwapGatesIF". Throws std::runtime_error for an unknown name.
Plugin LoadMutant(const std::string& word);

// The same called in this process, on buffers that nobody guards: not for bugs that stray from them.
Implementation MakeFaulty(Mutation mutation);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_H_
