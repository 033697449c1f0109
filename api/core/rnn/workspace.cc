#include "api/core/rnn/workspace.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "api/core/error.h"

namespace tandem {
namespace {

// "TANDEMW1": the digit changes with the header's meaning.
constexpr uint64_t kMagic = 0x31574d45444e4154u;

struct Header {
  uint64_t magic;
  uint64_t fingerprint;
  char implementation[kWorkspaceHeaderBytes - 2 * sizeof(uint64_t)];
};
static_assert(sizeof(Header) == kWorkspaceHeaderBytes, "one cache line");

Header MakeHeader(const RnnProblem& problem, const char* implementation) {
  Header header = {};
  header.magic = kMagic;
  header.fingerprint = WorkspaceFingerprint(problem);
  std::strncpy(header.implementation, implementation, sizeof header.implementation - 1);
  return header;
}

std::string Hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%016" PRIx64, value);
  return text;
}

}  // namespace

void SealWorkspace(void* workspace, const RnnProblem& problem, const char* implementation) {
  const Header header = MakeHeader(problem, implementation);
  std::memcpy(workspace, &header, sizeof header);
}

void CheckWorkspace(const void* workspace, const RnnProblem& problem, const char* implementation) {
  const Header expected = MakeHeader(problem, implementation);
  Header found;
  std::memcpy(&found, workspace, sizeof found);
  if (found.magic != expected.magic) {
    ThrowInvalid("workspace: begins with " + Hex(found.magic) + ", but one that forward_training filled begins with " +
                 Hex(expected.magic));
  }
  found.implementation[sizeof found.implementation - 1] = '\0';
  if (std::strcmp(found.implementation, expected.implementation) != 0) {
    ThrowInvalid(std::string("workspace: was filled by implementation ") + found.implementation + ", but " +
                 expected.implementation + " is to read it");
  }
  if (found.fingerprint != expected.fingerprint) {
    ThrowInvalid("workspace: was filled for problem " + Hex(found.fingerprint) + ", but this one is " +
                 Hex(expected.fingerprint) + " (cell, direction, dims, data types or optional tensors differ)");
  }
}

}  // namespace tandem
