// Many rows may add W x in each step, few rows have it hoisted. Both sum in the same order: the same bits.
#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/kernels/kernels.h"
#include "optimized/tests/forward_testing.h"

namespace tandem {
namespace optimized {
namespace {

// All rows on one thread, then a third of them on each of three.
void ExpectTheBitsOfFewRows(const RnnProblem& problem, const std::string& name) {
  Tensors many = MakeTensors(problem, 11);
  Tensors few = many;
  Bytes workspace_of_many, workspace_of_few;
  {
    const WithThreads threads(1);
    RunForward(problem, WeightsForm::kPacked, &many, {}, &workspace_of_many);
  }
  const DividedTeam team({1, 3, 1});
  RunForward(problem, WeightsForm::kPacked, &few, team.options(), &workspace_of_few);
  for (const Tensor tensor : {kDstLayer, kDstIter, kDstIterC}) {
    EXPECT_TRUE(few[tensor] == many[tensor]) << name << ": " << ToString(tensor);
  }
  EXPECT_TRUE(workspace_of_few == workspace_of_many) << name << ": workspace";
}

std::string Named(const char* what, const Target& target, Dim mb) {
  return std::string(what) + ", " + TargetName(target) + ", " + std::to_string(mb) + " rows";
}

class ManyRows : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, ManyRows, EveryTarget(), NameOfTarget);

// From 64 to 69 rows, the last tiles have each height that they can have.
TEST_P(ManyRows, HaveTheBitsOfFew) {
  const Target target = TargetInForce();
  for (Dim mb = kLeastInputRows; mb < kLeastInputRows + 6; ++mb) {
    const TestShape shape = {2, 3, mb, 37, 37, 37, 37};
    ExpectTheBitsOfFewRows(MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kBidirectionalConcat,
                                           DataType::kF32, shape),
                           Named("both ways", target, mb));
  }
}

// W x of 1500 k is added on some targets, and on others hoisted in two pieces.
TEST_P(ManyRows, HaveTheBitsOfFewWithLongSums) {
  const Target target = TargetInForce();
  const TestShape shape = {1, 2, 97, 1500, 16, 16, 16};
  ExpectTheBitsOfFewRows(
      MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape),
      Named("long sums", target, shape.mb));
}

// More rows than W x is hoisted for at once. 1000 k of them and of two panels exceed an L2 cache of 1 MB: one pass, unless x has
// to be copied. The last panels of cells of one to three gates are not full.
TEST_P(ManyRows, HaveTheBitsOfFewInOnePass) {
  const Target target = TargetInForce();
  const TestShape shape = {1, 2, 300, 960, 40, 40, 40};
  for (const Cell cell : kCells) {
    RnnProblem problem =
        MakeTestProblem(cell, Propagation::kForwardTraining, Direction::kLeft2Right, DataType::kF32, shape);
    ExpectTheBitsOfFewRows(problem, Named(ToString(cell), target, shape.mb));
    problem.md[kSrcLayer] = MakeStrided({2, shape.mb, 960}, DataType::kF32, {1, 2 * 960, 2});
    ExpectTheBitsOfFewRows(problem, Named("copied", target, shape.mb));
  }
}

TEST_P(ManyRows, HaveTheBitsOfFewWithEveryOption) {
  const Target target = TargetInForce();
  const TestShape shape = {1, 4, 131, 40, 19, 33, 19};
  RnnProblem all =
      MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kRight2Left, DataType::kF32, shape);
  Add(&all, shape, DataType::kF32, kWeightsProjection);
  Add(&all, shape, DataType::kF32, kWeightsPeephole);
  ExpectTheBitsOfFewRows(all, Named("projected", target, shape.mb));

  const TestShape trained = {1, 4, 70, 23, 37, 37, 37};
  RnnProblem training =
      MakeTestProblem(Cell::kLstm, Propagation::kForwardTraining, Direction::kLeft2Right, DataType::kF32, trained);
  ExpectTheBitsOfFewRows(training, Named("trained", target, trained.mb));

  // x has to be copied before it can be multiplied.
  RnnProblem scattered = training;
  scattered.md[kSrcLayer] = MakeStrided({4, 70, 23}, DataType::kF32, {1, 4 * 23, 4});
  ExpectTheBitsOfFewRows(scattered, Named("scattered", target, trained.mb));
}

// One row, a few and more than a tile of any kind; k of less than a tile, and of more than one piece. (Each thread has one row
// of three.)
TEST_P(ManyRows, HaveTheBitsOfFewInNarrowTypes) {
  const Target target = TargetInForce();
  for (const Dim mb : {3, 37, 50}) {
    const TestShape shape = {1, 2, mb, 2100, 41, 41, 41};
    for (const Cell cell : {Cell::kVanillaRnn, Cell::kLstm, Cell::kGru}) {
      for (const DataType x : {DataType::kBf16, DataType::kU8}) {
        if (x == DataType::kU8 && cell == Cell::kVanillaRnn) continue;
        const RnnProblem problem =
            MakeTestProblem(cell, Propagation::kForwardInference, Direction::kLeft2Right, x, shape);
        ExpectTheBitsOfFewRows(problem, Named(ToString(cell), target, mb) + " of " + ToString(x));
      }
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
