#include "conformance/sandbox/runfiles.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace tandem::conformance {
namespace {

constexpr char kProgram[] = "conformance/cli/tandem";
constexpr char kInTree[] = "./tandem";
// An installation is laid out below PREFIX/lib/tandem as the tree of outputs (tools/package/install.sh).
constexpr char kInstalled[] = "/lib/tandem/";

// Returns the running program's file.
std::string Self() {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) return std::string(program, static_cast<size_t>(length));
  throw std::runtime_error(std::string("the system does not say where this program is: /proc/self/exe: ") +
                           std::strerror(errno));
}

// Returns whether `root` holds `self`, at the place that it has in the tree of outputs, and not somebody else's program.
bool Holds(const std::string& root, const std::string& self) {
  for (size_t at = self.find('/'); at != std::string::npos; at = self.find('/', at + 1)) {
    char file[PATH_MAX];
    if (realpath((root + self.substr(at + 1)).c_str(), file) != nullptr && self == file) return true;
  }
  return false;
}

std::vector<std::string> Roots() {
  const std::string self = Self(), name = std::string("/") + kProgram;
  std::vector<std::string> roots;
  // This is the tree that the build has put the program into.
  const size_t root = self.size() - std::min(self.size(), name.size());
  if (self.compare(root, std::string::npos, name) == 0) roots.push_back(self.substr(0, root + 1));
  // A test has its files here, also one that another test starts. The variable may be that of another project's test, too.
  // These files come first: the folder beside the program is as old as the last build that asked for the program itself.
  const char* test = std::getenv("TEST_SRCDIR");
  const std::string runfiles = test == nullptr ? "" : std::string(test) + "/tandem/";
  if (test != nullptr && Holds(runfiles, self)) roots.push_back(runfiles);
  roots.push_back(self + ".runfiles/tandem/");
  return roots;
}

}  // namespace

std::string RunfilePath(const std::string& path) {
  const std::vector<std::string> roots = Roots();
  for (const std::string& root : roots) {
    if (access((root + path).c_str(), R_OK) == 0) return root + path;
  }
  return roots.front() + path;
}

std::string CalledAs() {
  const std::string installed = std::string(kInstalled) + kProgram;
  try {
    const std::string self = Self();
    const size_t end = self.size() - std::min(self.size(), installed.size());
    return self.compare(end, std::string::npos, installed) == 0 ? "tandem" : kInTree;
  } catch (const std::runtime_error&) {
    return kInTree;  // the message about the failure is on its way
  }
}

std::string AsCalled(std::string text) {
  const std::string name = CalledAs(), in_tree = kInTree;
  for (size_t at = 0; name != in_tree && (at = text.find(in_tree, at)) != std::string::npos; at += name.size()) {
    text.replace(at, in_tree.size(), name);
  }
  return text;
}

}  // namespace tandem::conformance
