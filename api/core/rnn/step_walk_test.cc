#include "api/core/rnn/step_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "api/core/rnn/rnn_problem_testing.h"

namespace tandem {
namespace {

std::vector<Dim> TimesOf(const StepWalk& walk) {
  std::vector<Dim> times;
  for (Dim step = 0; step < walk.steps(); ++step) times.push_back(walk.Time(step));
  return times;
}

void ExpectRange(Range range, Dim begin, Dim end) {
  EXPECT_EQ(range.begin, begin);
  EXPECT_EQ(range.end, end);
}

TEST(StepWalk, EvaluatesTimesUpOrDown) {
  const std::vector<Dim> up = {0, 1, 2, 3}, down = {3, 2, 1, 0};
  EXPECT_EQ(TimesOf({Direction::kLeft2Right, 0, 4, 2}), up);
  EXPECT_EQ(TimesOf({Direction::kRight2Left, 0, 4, 2}), down);
  for (const Direction direction : {Direction::kBidirectionalConcat, Direction::kBidirectionalSum}) {
    EXPECT_EQ(TimesOf({direction, 0, 4, 2}), up);
    EXPECT_EQ(TimesOf({direction, 1, 4, 2}), down);
  }
}

TEST(StepWalk, OfAProblemHasItsStepsAndRows) {
  TestShape shape;
  shape.n_iter = 5;
  shape.mb = 3;
  RnnProblem problem =
      MakeTestProblem(Cell::kGru, Propagation::kForwardInference, Direction::kRight2Left, DataType::kF32, shape);
  Validate(&problem);
  const StepWalk walk(problem, 0);
  EXPECT_EQ(walk.steps(), 5);
  EXPECT_EQ(walk.Time(0), 4);
  ExpectRange(walk.Live(0), 0, 3);
}

TEST(StepWalk, FindsTheStepOfATime) {
  for (const Dim dir : {0, 1}) {
    const StepWalk walk(Direction::kBidirectionalConcat, dir, 7, 1);
    for (Dim step = 0; step < 7; ++step) EXPECT_EQ(walk.Step(walk.Time(step)), step);
  }
}

TEST(StepWalk, TimesOfARangeAreThoseOfItsSteps) {
  for (const Dim dir : {0, 1}) {
    const StepWalk walk(Direction::kBidirectionalSum, dir, 6, 1);
    for (Dim begin = 0; begin < 6; ++begin) {
      for (Dim end = begin + 1; end <= 6; ++end) {
        const Range times = walk.Times({begin, end});
        EXPECT_EQ(times.begin, std::min(walk.Time(begin), walk.Time(end - 1)));
        EXPECT_EQ(times.size(), end - begin);
        ExpectRange(walk.Steps(times), begin, end);
      }
    }
  }
}

// Whatever the walk, a row starts once, then lives in each step until it ends once.
TEST(StepWalk, EveryRowStartsLivesAndEnds) {
  for (const Dim dir : {0, 1}) {
    const StepWalk walk(Direction::kBidirectionalConcat, dir, 4, 3);
    for (Dim row = 0; row < 3; ++row) {
      const auto has = [row](Range rows) { return rows.begin <= row && row < rows.end; };
      bool lives = false;
      for (Dim step = 0; step < walk.steps(); ++step) {
        EXPECT_EQ(has(walk.Starting(step)), step == 0);
        lives |= has(walk.Starting(step));
        EXPECT_EQ(has(walk.Live(step)), lives);
        EXPECT_EQ(has(walk.Ending(step)), step == 3);
        if (has(walk.Ending(step))) lives = false;
      }
      EXPECT_FALSE(lives);
    }
  }
}

// Rows of 4, 2, 2 and 0 steps.
TEST(StepWalk, RowsOfOtherLengthsStartOrEndOnTheirOwn) {
  const Dim live[] = {3, 3, 1, 1};
  const StepWalk forwards(Direction::kLeft2Right, 0, 4, 4, live), backwards(Direction::kRight2Left, 0, 4, 4, live);
  const auto expect = [](Range range, Dim begin, Dim end) {
    EXPECT_EQ(range.begin, begin);
    EXPECT_EQ(range.end, end);
  };
  expect(forwards.Starting(0), 0, 3);
  EXPECT_TRUE(forwards.Starting(2).empty());
  expect(forwards.Live(1), 0, 3);
  expect(forwards.Ending(1), 1, 3);
  expect(forwards.Live(2), 0, 1);
  expect(forwards.Ending(3), 0, 1);
  expect(backwards.Starting(0), 0, 1);
  EXPECT_TRUE(backwards.Starting(1).empty());
  expect(backwards.Starting(2), 1, 3);
  EXPECT_TRUE(backwards.Ending(2).empty());
  expect(backwards.Ending(3), 0, 3);
  EXPECT_TRUE(forwards.IsFirst(0, 2) && forwards.IsLast(1, 2) && backwards.IsFirst(1, 2) && backwards.IsLast(0, 2));
  EXPECT_FALSE(forwards.IsFirst(0, 2) && forwards.IsLast(0, 2));
}

TEST(StepWalk, OneStepStartsAndEndsAllRows) {
  const StepWalk walk(Direction::kRight2Left, 0, 1, 4);
  ExpectRange(walk.Live(0), 0, 4);
  ExpectRange(walk.Starting(0), 0, 4);
  ExpectRange(walk.Ending(0), 0, 4);
}

TEST(Range, IntersectionIsWhatBothHave) {
  ExpectRange(Intersection({0, 5}, {3, 9}), 3, 5);
  EXPECT_TRUE(Intersection({0, 3}, {3, 9}).empty());
  EXPECT_TRUE(Intersection({7, 9}, {0, 3}).empty());
}

}  // namespace
}  // namespace tandem
