#include "api/core/rnn/sequence_lengths.h"

#include <string>

#include "api/core/error.h"

namespace tandem {

void CheckSequenceLengths(const RnnProblem& problem, const RnnBuffers& buffers) {
  const SequenceLengths lengths(problem, buffers);
  for (Dim n = 0; lengths.given() && n < problem.mb; ++n) {
    const Dim length = lengths.Of(n, problem.n_iter);
    if (length >= 0 && length <= problem.n_iter) continue;
    ThrowInvalid("sequence_lengths: row " + std::to_string(n) + " has length " + std::to_string(length) +
                 ", but must have 0 to " + std::to_string(problem.n_iter) + " (n_iter)");
  }
}

// FNV-1a over the lengths.
int64_t FingerprintOf(const RnnProblem& problem, const RnnBuffers& buffers) {
  const SequenceLengths lengths(problem, buffers);
  if (!lengths.given()) return 0;
  uint64_t hash = 0xcbf29ce484222325u;
  for (Dim n = 0; n < problem.mb; ++n) {
    hash = (hash ^ static_cast<uint64_t>(lengths.Of(n, problem.n_iter))) * 0x100000001b3u;
  }
  return static_cast<int64_t>(hash >> 2 | 1);
}

}  // namespace tandem
