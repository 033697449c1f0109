// Rows of different lengths, the longest first: at any time the live rows are then the first ones, so that a step works on
// one range of rows as it does without lengths.
#ifndef TANDEM_OPTIMIZED_FORWARD_SORTED_ROWS_H_
#define TANDEM_OPTIMIZED_FORWARD_SORTED_ROWS_H_

#include "api/core/range.h"
#include "api/core/rnn/sequence_lengths.h"
#include "optimized/weights/regions.h"

namespace tandem {
namespace optimized {

class SortedRows {
 public:
  // The place where an execution keeps them in its scratchpad. A problem without lengths needs none.
  struct Scratch {
    Region<Dim> order;  // [N]: the user's rows
    Region<Dim> live;   // [T]: how many rows have a step at this time
    Region<Dim> cells;  // [T + 1]: how many have one before it, over all times
  };
  static Scratch Plan(const RnnProblem& problem, Regions* regions);

  SortedRows(const RnnProblem& problem, const RnnBuffers& buffers, const Scratch& at, char* scratchpad);

  // For StepWalk; null without lengths.
  const Dim* live() const { return live_; }
  Dim UserRow(Dim n) const { return order_ == nullptr ? n : order_[n]; }
  // The live cells (t, n) of all times before this one.
  Dim CellsBefore(Dim time) const { return cells_ == nullptr ? time * mb_ : cells_[time]; }
  Dim Length(Dim n) const { return lengths_.Of(UserRow(n), n_iter_); }
  // The rows from here on have no step.
  Dim FirstEmpty() const { return live_ == nullptr ? mb_ : live_[0]; }
  // One of `parts` ranges of rows that take equally long: the longest rows are few.
  Range Share(int part, int parts) const;

 private:
  Dim MostRows(Dim begin, Dim cost) const;
  Dim Cost(Dim begin, Dim end) const;

  SequenceLengths lengths_;
  Dim n_iter_, mb_;
  const Dim* order_ = nullptr;
  const Dim* live_ = nullptr;
  const Dim* cells_ = nullptr;
};

enum class Access { kRead, kWrite };

// Sorted rows are read and stored in another order than they lie: no processor fetches the next one ahead.
template <Access access>
void PrefetchRow(const char* row, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch(row + at, access == Access::kWrite, 3);
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_SORTED_ROWS_H_
