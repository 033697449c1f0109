#include "optimized/forward/sorted_rows.h"

#include <algorithm>
#include <vector>

#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"

namespace tandem {
namespace optimized {
namespace {

class Sorted {
 public:
  explicit Sorted(const std::vector<int32_t>& lengths, Dim n_iter) : lengths_(lengths) {
    TestShape shape;
    shape.mb = static_cast<Dim>(lengths.size());
    shape.n_iter = n_iter;
    problem_ =
        MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape);
    problem_.attr.rnn_sequence_lengths = true;
    Validate(&problem_);
    Regions regions;
    const SortedRows::Scratch at = SortedRows::Plan(problem_, &regions);
    scratchpad_.resize(regions.BytesWithSlack());
    RnnBuffers buffers;
    buffers.tensor[kSequenceLengths] = lengths_.data();
    rows_ = std::make_unique<SortedRows>(problem_, buffers, at, Regions::FirstLine(scratchpad_.data()));
  }
  const SortedRows* operator->() const { return rows_.get(); }
  std::vector<Dim> Order() const {
    std::vector<Dim> order;
    for (Dim n = 0; n < problem_.mb; ++n) order.push_back(rows_->UserRow(n));
    return order;
  }

 private:
  std::vector<int32_t> lengths_;
  RnnProblem problem_;
  std::vector<char> scratchpad_;
  std::unique_ptr<SortedRows> rows_;
};

TEST(SortedRows, TheLongestComeFirstAndEqualOnesKeepTheirOrder) {
  const Sorted rows({2, 0, 5, 2, 5, 1}, 5);
  EXPECT_EQ(rows.Order(), (std::vector<Dim>{2, 4, 0, 3, 5, 1}));
  EXPECT_EQ(rows->FirstEmpty(), 5);
  EXPECT_EQ(std::vector<Dim>(rows->live(), rows->live() + 5), (std::vector<Dim>{5, 4, 2, 2, 2}));
  EXPECT_EQ(rows->Length(0), 5);
  EXPECT_EQ(rows->Length(5), 0);
}

TEST(SortedRows, CountsTheCellsBeforeATime) {
  const Sorted rows({2, 0, 5, 2, 5, 1}, 5);
  const Dim cells[] = {0, 5, 9, 11, 13, 15};
  for (Dim t = 0; t <= 5; ++t) EXPECT_EQ(rows->CellsBefore(t), cells[t]) << t;
}

TEST(SortedRows, SharesAreAllRowsAndTakeAboutEquallyLong) {
  std::vector<int32_t> lengths;
  for (int n = 0; n < 64; ++n) lengths.push_back(n * n % 101);
  const Sorted rows(lengths, 100);
  for (const int parts : {1, 2, 3, 8, 70}) {
    Dim end = 0;
    std::vector<Dim> cells;
    for (int part = 0; part < parts; ++part) {
      const Range share = rows->Share(part, parts);
      EXPECT_EQ(share.begin, end);
      end = share.end;
      Dim sum = 0;
      for (Dim n = share.begin; n < share.end; ++n) sum += rows->Length(n);
      cells.push_back(sum);
    }
    EXPECT_EQ(end, 64) << parts;
    // No row has more than 100 cells, and no step more than the constant of the model.
    const Dim most = *std::max_element(cells.begin(), cells.end());
    EXPECT_LE(most, rows->CellsBefore(100) / parts + 500) << parts;
  }
}

TEST(SortedRows, WithoutAnyStepAllSharesTogetherHaveAllRows) {
  const Sorted rows({0, 0, 0}, 4);
  EXPECT_EQ(rows->FirstEmpty(), 0);
  EXPECT_EQ(rows->Share(0, 2).begin, 0);
  EXPECT_EQ(rows->Share(1, 2).end, 3);
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
