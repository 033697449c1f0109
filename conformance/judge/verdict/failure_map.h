// A picture of where in a tensor elements fail: steps, gates or layers downwards, units to the right.
#ifndef TANDEM_CONFORMANCE_JUDGE_VERDICT_FAILURE_MAP_H_
#define TANDEM_CONFORMANCE_JUDGE_VERDICT_FAILURE_MAP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem.h"

namespace tandem::conformance {

// One character for each cell of the picture: '.' no element fails, '#' all do, a digit: so many tenths, rounded up.
struct FailureMap {
  std::string axes;  // "t=0..11 downwards, unit=0..64 to the right"
  std::vector<std::string> lines;
  bool empty() const { return lines.empty(); }
};

// Counts the failing elements of one tensor. A picture has at most 16 lines and 64 columns; in a larger tensor a
// character stands for several steps or units. Downwards are the steps of a tensor that has them, else its gates, else
// its layers and directions.
class FailureCounter {
 public:
  FailureCounter(const RnnProblem& problem, Tensor tensor);
  void Add(size_t index);
  FailureMap Picture() const;

 private:
  struct Cell {
    Dim line, column;
  };
  Cell CellOf(size_t index) const;

  const MemoryDesc md_;
  int row_axis_ = -1, unit_axis_ = -1;  // dims of the tensor; no row axis: layers and directions
  Dim rows_ = 1, units_ = 1;
  Dim lines_ = 1, columns_ = 1;
  std::vector<uint64_t> failed_, all_;  // [line][column]
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_VERDICT_FAILURE_MAP_H_
