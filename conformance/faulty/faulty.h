// An implementation with one bug, chosen by name; without a bug it is a second implementation beside the reference. It
// is a plugin like any other.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_H_

#include "conformance/faulty/mutation.h"
#include "conformance/oracle/implementation.h"
#include "conformance/sandbox/plugin_host.h"

namespace tandem::conformance {

// The plugin with one bug. Its functions, and the state that some bugs keep between calls, stay until the process ends.
// It serves plain layouts and every type, cell and propagation.
Plugin MutantPlugin(Mutation mutation);

// "mutant:SwapGatesIF". Throws std::runtime_error for an unknown name.
Plugin LoadMutant(const std::string& word);

// "exercise:1", ...: a mutant that does not tell its name (docs/exercises/README.md). Throws std::runtime_error for another
// number.
Plugin LoadExercise(const std::string& word);

// A mutant called in this process, on buffers without guard pages: not for bugs that access memory outside them.
Implementation MakeFaulty(Mutation mutation);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_H_
