#include "conformance/sandbox/runfiles.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <vector>

namespace tandem::conformance {
namespace {

constexpr char kProgram[] = "conformance/cli/tandem";

// The running program's file; empty if the system does not say.
std::string Self() {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  return length > 0 ? std::string(program, static_cast<size_t>(length)) : "";
}

// Whether `root` holds `self`, and not somebody else's program.
bool Holds(const std::string& root, const std::string& self) {
  char file[PATH_MAX];
  return realpath((root + kProgram).c_str(), file) != nullptr && self == file;
}

std::vector<std::string> Roots() {
  const std::string self = Self(), name = std::string("/") + kProgram;
  std::vector<std::string> roots;
  // The tree that the build has put the program into.
  const size_t root = self.size() - std::min(self.size(), name.size());
  if (self.compare(root, std::string::npos, name) == 0) roots.push_back(self.substr(0, root + 1));
  roots.push_back(self + ".runfiles/tandem/");
  // A test of the program has its files here. The variable may also be that of another project's test.
  const char* test = std::getenv("TEST_SRCDIR");
  const std::string runfiles = test == nullptr ? "" : std::string(test) + "/tandem/";
  if (test != nullptr && Holds(runfiles, self)) roots.push_back(runfiles);
  return roots;
}

}  // namespace

std::string RunfilePath(const std::string& path) {
  for (const std::string& root : Roots()) {
    if (access((root + path).c_str(), R_OK) == 0) return root + path;
  }
  return path;
}

}  // namespace tandem::conformance
