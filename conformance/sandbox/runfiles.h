// The build puts these files beside the program.
#ifndef TANDEM_CONFORMANCE_SANDBOX_RUNFILES_H_
#define TANDEM_CONFORMANCE_SANDBOX_RUNFILES_H_

#include <string>

namespace tandem::conformance {

// Returns where `path` from the workspace's root is, such as "conformance/plugins/onednn_plugin.so": in the tree of outputs, in
// the runfiles of the running program, or in those of a test that runs it. It asks no folder above the program, not the current
// one, and none that a variable names and that does not hold the program, so that nobody else's program is run. It may return a
// path at which there is nothing. Throws std::runtime_error if the system does not say where the program is.
std::string RunfilePath(const std::string& path);

// Returns the words that start this program: "tandem" if it is installed, "./tandem" in the source tree.
std::string CalledAs();

// Returns `text` with these words in place of "./tandem".
std::string AsCalled(std::string text);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_RUNFILES_H_
