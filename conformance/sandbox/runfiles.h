// Files that the build puts beside the program.
#ifndef TANDEM_CONFORMANCE_SANDBOX_RUNFILES_H_
#define TANDEM_CONFORMANCE_SANDBOX_RUNFILES_H_

#include <string>

namespace tandem::conformance {

// Where `path` from the workspace's root, such as "conformance/plugins/onednn_plugin.so", is: in the tree of outputs or the
// runfiles of the running program, or in those of a test that runs it. No folder above the program, not the current one, and
// none that a variable names and that does not hold the program, is asked, so that nobody else's program is run. If it is
// nowhere, a path at which there is nothing. Throws std::runtime_error if the system does not say where the program is.
std::string RunfilePath(const std::string& path);

// What a user types to start this program: "tandem" where it is installed, "./tandem" in the source tree.
std::string CalledAs();

// `text` with that in place of "./tandem".
std::string AsCalled(std::string text);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_RUNFILES_H_
