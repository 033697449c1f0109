#include "conformance/sandbox/runfiles.h"

#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <vector>

namespace tandem::conformance {

std::string RunfilePath(const std::string& path) {
  std::vector<std::string> roots;
  if (const char* runfiles = std::getenv("TEST_SRCDIR")) {
    roots.push_back(std::string(runfiles) + "/tandem/");
  }
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) {
    const std::string self(program, static_cast<size_t>(length));
    roots.push_back(self + ".runfiles/tandem/");
    // The root of the build's outputs lies some folders above bazel-bin/conformance/cli/PROGRAM.
    for (size_t end = self.rfind('/'); end != std::string::npos && end > 0; end = self.rfind('/', end - 1)) {
      roots.push_back(self.substr(0, end + 1));
    }
  }
  for (const std::string& root : roots) {
    if (access((root + path).c_str(), R_OK) == 0) return root + path;
  }
  return path;
}

}  // namespace tandem::conformance
