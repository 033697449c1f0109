// Every execution of the backend, for any problem, allocates nothing and may run in two threads at once, and neither shows in the
// bits.
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "api/core/os/os.h"
#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/tests/forward_testing.h"

namespace {
std::atomic<long> allocations{0};
}  // namespace

// Replaced for the whole program, so that a test can count.
void* operator new(size_t bytes) {
  ++allocations;
  void* data = std::malloc(bytes == 0 ? 1 : bytes);
  if (data == nullptr) throw std::bad_alloc();
  return data;
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  ++allocations;
  void* data = tandem::os::AllocateAligned(static_cast<size_t>(alignment), bytes);
  if (data == nullptr) throw std::bad_alloc();
  return data;
}
void operator delete(void* data) noexcept { std::free(data); }
void operator delete(void* data, size_t) noexcept { std::free(data); }
void operator delete(void* data, std::align_val_t) noexcept { tandem::os::FreeAligned(data); }
void operator delete(void* data, size_t, std::align_val_t) noexcept { tandem::os::FreeAligned(data); }

namespace tandem {
namespace optimized {
namespace {

// A plan with everything that it reads and writes. Backward has the workspace of a forward run.
class Executed {
 public:
  Executed(const RnnProblem& problem, const TeamOptions& team, const std::string& name)
      : name_(name), problem_(problem) {
    Validate(&problem_);
    plan_ = CreateRnnForTeam(problem_, team, nullptr);
    tensors_ = MakeTensors(problem_, 7);
    for (int i = 0; i < kNumTensors; ++i) buffers_.tensor[i] = tensors_[i].empty() ? nullptr : tensors_[i].data();
    workspace_.resize(plan_->workspace_bytes(), static_cast<char>(0xff));
    buffers_.workspace = workspace_.data();
    scratch_.resize(plan_->scratchpad_bytes() + 4, static_cast<char>(0xff));
    buffers_.scratchpad = scratch_.data() + 4;
    if (problem_.IsBackward()) RunForward();
  }
  void Run() { plan_->Execute(buffers_); }
  const std::string& name() const { return name_; }
  const Tensors& tensors() const { return tensors_; }

 private:
  void RunForward() {
    const std::unique_ptr<const RnnPlan> plan = CreateRnn(ForwardOf(problem_), nullptr);
    Bytes scratch(plan->scratchpad_bytes());
    RnnBuffers buffers = buffers_;
    buffers.scratchpad = scratch.data();
    plan->Execute(buffers);
  }

  std::string name_;
  RnnProblem problem_;
  std::unique_ptr<const RnnPlan> plan_;
  Tensors tensors_;
  Bytes workspace_, scratch_;
  RnnBuffers buffers_;
};

enum class Extras { kNone, kPeepholeAndProjection };

Executed MakeExecution(const TeamOptions& team, Cell cell, DataType x, Propagation propagation, Extras extras) {
  const bool int8 = x == DataType::kU8 || x == DataType::kS8;
  const bool extra = extras == Extras::kPeepholeAndProjection;
  // Two blocks of units and a piece, so that three threads have some each.
  const TestShape shape = {HasAttention(cell) ? 1 : 2, 3, 3, 37, 37, extra ? 53 : 37, 37};
  const Direction direction = HasAttention(cell) ? Direction::kLeft2Right : Direction::kBidirectionalConcat;
  RnnProblem p = MakeTestProblem(cell, propagation, direction, x, shape);
  if (extra) Add(&p, shape, x, kWeightsProjection);
  if (extra && !int8) Add(&p, shape, x, kWeightsPeephole);
  if (int8) {
    p.attr.rnn_data_scale = 100.f;
    p.attr.rnn_weights.values = {900.f};
    p.attr.rnn_weights_projection.values = {500.f};
  }
  return Executed(p, team,
                  std::string(ToString(cell)) + " " + ToString(x) + " " + ToString(propagation) +
                      (extra ? " with peephole and projection" : ""));
}

// Every cell, type and propagation kind that the backend serves.
template <class Visit>
void ForEachExecution(const TeamOptions& team, const Visit& visit) {
  for (const DataType x : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
    for (const Propagation propagation : AllOf<Propagation>()) {
      for (const Cell cell : kCells) visit([&] { return MakeExecution(team, cell, x, propagation, Extras::kNone); });
      visit([&] { return MakeExecution(team, Cell::kLstm, x, propagation, Extras::kPeepholeAndProjection); });
    }
  }
  const Propagation inference = Propagation::kForwardInference;
  for (const DataType x : {DataType::kU8, DataType::kS8}) {
    visit([&] { return MakeExecution(team, Cell::kLstm, x, inference, Extras::kNone); });
  }
  visit([&] { return MakeExecution(team, Cell::kLstm, DataType::kU8, inference, Extras::kPeepholeAndProjection); });
  visit([&] { return MakeExecution(team, Cell::kGru, DataType::kU8, inference, Extras::kNone); });
}

class Execution : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Execution, TargetsThatDifferHere(), NameOfTarget);

TEST_P(Execution, AllocatesNothing) {
  for (const Division& parts : {Division{1, 1, 1}, Division{2, 1, 2}, Division{1, 3, 1}}) {
    const DividedTeam team(parts);
    ForEachExecution(team.options(), [&](const auto& make) {
      Executed execution = make();
      // The first run starts the thread team.
      execution.Run();
      const long before = allocations;
      execution.Run();
      EXPECT_EQ(allocations - before, 0) << execution.name() << " on " << parts.threads() << " threads";
    });
  }
}

TEST_P(Execution, InTwoThreadsAtOnceGivesTheBitsOfOne) {
  const DividedTeam team({1, 1, 2});
  ForEachExecution(team.options(), [&](const auto& make) {
    Executed alone = make();
    alone.Run();
    Executed first = make(), second = make();
    std::thread other([&] { second.Run(); });
    first.Run();
    other.join();
    for (int i = 0; i < kNumTensors; ++i) {
      EXPECT_TRUE(first.tensors()[i] == alone.tensors()[i]) << alone.name() << ": " << ToString(static_cast<Tensor>(i));
      EXPECT_TRUE(second.tensors()[i] == alone.tensors()[i])
          << alone.name() << ": " << ToString(static_cast<Tensor>(i)) << " of the other thread";
    }
  });
}

void ExpectTheBitsOfOneThread(const RnnProblem& problem) {
  const DividedTeam single({1, 1, 1});
  Executed one(problem, single.options(), "one thread");
  one.Run();
  for (const Division& parts : {Division{1, 1, 16}, Division{1, 16, 1}, Division{2, 4, 2}, Division{1, 3, 5}}) {
    const DividedTeam team(parts);
    const std::string name = std::string(ToString(problem.cell)) + " " + ToString(problem.propagation) +
                             (problem.Has(kSequenceLengths) ? " with lengths" : "") + ", rows / " +
                             std::to_string(parts.rows) + ", units / " + std::to_string(parts.units);
    Executed many(problem, team.options(), name);
    many.Run();
    for (int i = 0; i < kNumTensors; ++i) {
      EXPECT_TRUE(many.tensors()[i] == one.tensors()[i]) << name << ": " << ToString(static_cast<Tensor>(i));
    }
  }
}

// More threads than most machines that run this have cores, so that threads lose theirs in the middle of a step.
TEST_P(Execution, OnUpToSixteenThreadsGivesTheBitsOfOne) {
  const TestShape shape = {1, 4, 16, 24, 256, 256, 256};
  for (const Cell cell : {Cell::kLstm, Cell::kGru}) {
    for (const Propagation propagation : {Propagation::kForwardInference, Propagation::kBackward}) {
      for (const bool lengths : {false, true}) {
        RnnProblem problem = MakeTestProblem(cell, propagation, Direction::kBidirectionalSum, DataType::kF32, shape);
        problem.attr.rnn_sequence_lengths = lengths;
        Validate(&problem);
        ExpectTheBitsOfOneThread(problem);
      }
    }
  }
}

// Counts the runs on a team that differ from the bits of one thread. The team has more threads than most machines have
// cores, so that some are late.
int RunsThatDiffer(const RnnProblem& problem, const Division& parts, int runs) {
  const DividedTeam single({1, 1, 1});
  Executed one(problem, single.options(), "one thread");
  one.Run();
  const DividedTeam team(parts);
  Executed many(problem, team.options(), "many threads");
  int wrong = 0;
  for (int run = 0; run < runs; ++run) {
    many.Run();
    wrong += many.tensors()[kDstLayer] != one.tensors()[kDstLayer];
  }
  return wrong;
}

// Threads that take one direction after the other: one of them may begin the second while another still reads the rows that
// were copied for the first. bf16 is copied; of two or three steps a direction has one before the sum and one after.
TEST_P(Execution, OfOneDirectionAfterTheOtherGivesTheBitsOfOneThread) {
  for (const Dim n_iter : {2, 3}) {
    const TestShape shape = {1, n_iter, 1, 9, 251, 251, 251};
    const RnnProblem problem = MakeTestProblem(Cell::kLstm, Propagation::kForwardInference,
                                               Direction::kBidirectionalSum, DataType::kBf16, shape);
    EXPECT_EQ(RunsThatDiffer(problem, {1, 1, 8}, 20), 0) << n_iter << " steps";
  }
}

// The same of one part of the rows after the other: 400 rows are four, whose x is copied to one place.
TEST_P(Execution, OfOnePartOfTheRowsAfterTheOtherGivesTheBitsOfOneThread) {
  const TestShape shape = {1, 1, 400, 251, 115, 115, 115};
  const RnnProblem problem =
      MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kBf16, shape);
  EXPECT_EQ(RunsThatDiffer(problem, {1, 1, 8}, 10), 0);
}

// Each group of threads keeps W x of 128 cells at once, as many as it has room for.
TEST_P(Execution, OfGroupsWithAsManyCellsAsTheyKeepGivesTheBitsOfOneThread) {
  for (const Dim mb : {16, 150}) {
    const TestShape shape = {1, 40, mb, 19, 33, 33, 33};
    RnnProblem problem =
        MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape);
    problem.attr.rnn_sequence_lengths = true;
    Validate(&problem);
    EXPECT_EQ(RunsThatDiffer(problem, {1, 4, 1}, 5), 0) << mb << " rows";
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
