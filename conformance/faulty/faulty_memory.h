// The second implementation's memory: the computed steps, kept in the workspace between forward_training and backward,
// and rows in the scratchpad. All of it is the caller's memory, of any alignment.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_MEMORY_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_MEMORY_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "api/core/rnn/rnn_problem.h"
#include "conformance/faulty/mutation.h"

namespace tandem::conformance {

using Floats = std::vector<float>;

struct FaultyTrace;

// State that one call leaves to the next in the process: only the bugs read it.
struct CallMemory {
  long calls = 0;
  Dim first_threads = 0;
  Floats last_h;
  Floats weights_iter;
  Floats weights_layer, bias;                    // of the last call
  std::vector<Dim> first_lengths, last_lengths;  // of the first call, and of the last forward one
  std::array<Floats, 4> first_masks;             // of the first call
  std::map<const void*, Floats> by_address;      // of the tensor that a bug caches
  const void* dst_iter_c = nullptr;              // where the last call wrote it
  Floats last_c_prev;                            // [l][d][n][dhc] before the last step
  std::shared_ptr<const FaultyTrace> last_trace;
};

// One step of one layer and direction, kept for backward; rows of n.
struct FaultyStep {
  Dim width = 0;  // of x
  Floats x, h_prev, c_prev;
  std::array<Floats, 4> gate;
  std::array<Floats, 4> pre;  // pre-activations of the gates
  Floats linear;              // LBR: U h + b; vanilla RNN: the pre-activation
  Floats h_hat;               // before a projection
  Floats c, h;
  Floats c_seen;  // c before it is stored
  // Where mask_iter is given: h_{t-1} itself, while h_prev is masked. Where zoneout_iter_c is given: c as the cell computed it.
  Floats h_kept, c_cell;
};

struct FaultyTrace {
  std::vector<FaultyStep> steps;  // [(l * n_dir + d) * n_iter + t]
  FaultyStep& At(const RnnProblem& p, Dim l, Dim d, Dim t) {
    return steps[static_cast<size_t>((l * p.n_dir + d) * p.n_iter + t)];
  }
  const FaultyStep& At(const RnnProblem& p, Dim l, Dim d, Dim t) const {
    return steps[static_cast<size_t>((l * p.n_dir + d) * p.n_iter + t)];
  }
};

// Zeros in all that the step holds of row n of `mb`.
void ClearRow(Dim n, Dim mb, FaultyStep* step);

// The sizes that supports() asks for; some bugs ask for less than they use. No workspace for inference.
uint64_t WorkspaceBytes(const RnnProblem& problem, Mutation mutation);
uint64_t ScratchpadBytes(const RnnProblem& problem, Mutation mutation);

void SaveTrace(const RnnProblem& problem, const FaultyTrace& trace, Mutation mutation, uint8_t* workspace);
FaultyTrace LoadTrace(const RnnProblem& problem, const uint8_t* workspace);

// [n][dhc] floats.
class FaultyScratch {
 public:
  // If `user` is null, it allocates its own memory.
  FaultyScratch(const RnnProblem& problem, Mutation mutation, uint8_t* user);
  // Writes the dhc values of row `n`, and then reads them back.
  void PassThrough(Dim n, float* row) const;

 private:
  void PassThroughSharedRow(float* row) const;

  const Dim dhc_;
  const Mutation mutation_;
  std::vector<uint8_t> own_;
  uint8_t* data_;
  std::unique_ptr<std::atomic<float>[]> shared_row_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_MEMORY_H_
