// Pictures of where in a tensor elements fail: steps, gates, layers or rows of the batch downwards, units to the right.
#ifndef TANDEM_CONFORMANCE_JUDGE_VERDICT_FAILURE_MAP_H_
#define TANDEM_CONFORMANCE_JUDGE_VERDICT_FAILURE_MAP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem.h"

namespace tandem::conformance {

// One character for each cell of the picture: '.' no element fails, '#' all do, a digit: so many tenths, rounded up.
struct FailurePicture {
  std::string axes;  // "t=0..11 downwards, unit=0..64 to the right"
  std::vector<std::string> lines;
};
// The first has the steps of a tensor that has them downwards, else its gates, else its layers and directions. The
// second, only where rows of the batch fail differently, has these.
using FailureMap = std::vector<FailurePicture>;

// Counts the failing elements of one tensor. A picture has at most 16 lines and 64 columns; in a larger tensor a
// character stands for several steps, rows or units.
class FailureCounter {
 public:
  FailureCounter(const RnnProblem& problem, Tensor tensor);
  void Add(size_t index);
  FailureMap Pictures() const;

 private:
  // The elements of a tensor with some of its axes downwards and the last one to the right.
  class Grid {
   public:
    // `axes` are dims of the tensor, the outermost first.
    Grid(const MemoryDesc& md, std::vector<int> axes, std::string name);
    void Add(size_t index) { ++failed_[CellOf(index)]; }
    FailurePicture Picture() const;

   private:
    size_t CellOf(size_t index) const;

    MemoryDesc md_;
    std::vector<int> axes_;
    std::string name_;
    Dim rows_ = 1, units_ = 1;
    Dim lines_ = 1, columns_ = 1;
    std::vector<uint64_t> failed_, all_;  // [line][column]
  };
  std::vector<Grid> grids_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_VERDICT_FAILURE_MAP_H_
