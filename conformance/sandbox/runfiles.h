// Files that the build puts beside the program.
#ifndef TANDEM_CONFORMANCE_SANDBOX_RUNFILES_H_
#define TANDEM_CONFORMANCE_SANDBOX_RUNFILES_H_

#include <string>

namespace tandem::conformance {

// `path` from the workspace's root, as in "conformance/plugins/onednn_plugin.so", is searched in a test's runfiles and
// beside the running program. If it is in neither, it is returned unchanged, and opening it fails.
std::string RunfilePath(const std::string& path);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_RUNFILES_H_
