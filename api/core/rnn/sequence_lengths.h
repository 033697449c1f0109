// sequence_lengths: how many time steps each row of the minibatch has. Tandem's own (docs/sequence_lengths.md).
#ifndef TANDEM_API_CORE_RNN_SEQUENCE_LENGTHS_H_
#define TANDEM_API_CORE_RNN_SEQUENCE_LENGTHS_H_

#include <cstdint>

#include "api/core/rnn/implementation.h"

namespace tandem {

// The lengths of an execution; without the tensor every row has n_iter steps.
class SequenceLengths {
 public:
  SequenceLengths() = default;
  SequenceLengths(const RnnProblem& problem, const RnnBuffers& buffers)
      : lengths_(problem.Has(kSequenceLengths) ? static_cast<const int32_t*>(buffers.tensor[kSequenceLengths])
                                               : nullptr) {}

  bool given() const { return lengths_ != nullptr; }
  // True if row n of the minibatch has a step at this time. Both directions of a row run within its length.
  bool IsLive(Dim time, Dim n) const { return !given() || time < lengths_[n]; }
  Dim Of(Dim n, Dim n_iter) const { return given() ? lengths_[n] : n_iter; }

 private:
  const int32_t* lengths_ = nullptr;
};

// Throws invalid_arguments for a length outside [0, n_iter].
void CheckSequenceLengths(const RnnProblem& problem, const RnnBuffers& buffers);

// A workspace remembers this number of them: 0 without lengths, else positive. Other lengths have another one, but for 1 of 2^62.
int64_t FingerprintOf(const RnnProblem& problem, const RnnBuffers& buffers);

}  // namespace tandem

#endif  // TANDEM_API_CORE_RNN_SEQUENCE_LENGTHS_H_
