// A problem with memory for every tensor, for tests that run a plan directly.
#ifndef TANDEM_REFERENCE_TESTS_TEST_CASE_H_
#define TANDEM_REFERENCE_TESTS_TEST_CASE_H_

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "api/core/error.h"
#include "api/core/rnn/rnn_problem_testing.h"
#include "reference/backend.h"
#include "reference/stack/layout.h"
#include "reference/stack/tensor_view.h"

namespace tandem {
namespace reference {

struct TestCase {
  RnnProblem problem;
  std::array<std::vector<unsigned char>, kNumTensors> memory;
  std::vector<unsigned char> workspace;

  RnnBuffers Buffers() {
    RnnBuffers buffers;
    for (int tensor = 0; tensor < kNumTensors; ++tensor) {
      if (!memory[tensor].empty()) buffers.tensor[tensor] = memory[tensor].data();
    }
    buffers.workspace = workspace.data();
    return buffers;
  }
  TensorView View(Tensor tensor) { return TensorView(problem.md[tensor], memory[tensor].data()); }

  // Calls visit(index) for the first element of every run along the last dim.
  template <class Visit>
  void ForEachRow(Tensor tensor, Visit visit) const {
    const MemoryDesc& md = problem.md[tensor];
    Dim index[DNNL_MAX_NDIMS] = {};
    for (int d = 0; d >= 0;) {
      visit(index);
      for (d = md.ndims - 2; d >= 0 && ++index[d] == md.dims[d]; --d) index[d] = 0;
    }
  }
  // Elements in the order of the logical indices, last one fastest.
  std::vector<double> Get(Tensor tensor) {
    std::vector<double> values;
    ForEachRow(tensor, [&](const Dim* index) {
      const Mat<double> row = View(tensor).Slice(index, problem.md[tensor].ndims - 1, kSingleColumn);
      values.insert(values.end(), row.data(), row.data() + row.size());
    });
    return values;
  }
  void Set(Tensor tensor, const std::vector<double>& values) {
    const int last = problem.md[tensor].ndims - 1;
    size_t at = 0;
    ForEachRow(tensor, [&](const Dim* index) {
      Mat<double> row(problem.md[tensor].dims[last], 1);
      for (Dim i = 0; i < row.size(); ++i) row(i, 0) = values[at++];
      View(tensor).StoreSlice(index, last, kSingleColumn, row);
    });
  }
  void Fill(Tensor tensor, double value) {
    if (problem.Has(tensor)) Set(tensor, std::vector<double>(NumElements(problem.md[tensor]), value));
  }
  template <class Distribution>
  void FillRandom(Tensor tensor, Distribution distribution, std::mt19937* rng) {
    if (!problem.Has(tensor)) return;
    std::vector<double> values(NumElements(problem.md[tensor]));
    for (double& value : values) value = distribution(*rng);
    Set(tensor, values);
  }
};

// Validates, resolves `any`, and gives every present tensor zeroed memory.
inline TestCase MakeTestCase(RnnProblem problem) {
  Validate(&problem);
  std::string why_not;
  if (!ResolveLayouts(&problem, &why_not)) ThrowInvalid(why_not);
  TestCase test;
  test.problem = problem;
  for (int tensor = 0; tensor < kNumTensors; ++tensor) {
    const MemoryDesc& md = problem.md[tensor];
    test.memory[tensor].resize(SizeInBytes(md) + static_cast<size_t>(md.offset0) * SizeOf(TypeOf(md)));
  }
  return test;
}

inline RnnProblem OneOfEverything(Cell cell) {
  TestShape shape;
  shape.n_iter = shape.mb = shape.slc = shape.sic = shape.dhc = shape.dic = 1;
  return MakeTestProblem(cell, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape);
}

// Runs the plan of the problem on its memory; the workspace is made when first needed.
inline void RunCase(TestCase* test) {
  std::string why_not;
  const std::unique_ptr<const RnnPlan> plan = CreateRnn(test->problem, &why_not);
  if (!plan) ThrowInvalid("no plan: " + why_not);
  if (test->workspace.empty()) test->workspace.resize(plan->workspace_bytes());
  plan->Execute(test->Buffers());
}

// Forward training on `backward`'s memory and layouts; the workspace is left in `backward`.
inline void RunForward(TestCase* backward) {
  const std::unique_ptr<const RnnPlan> plan = CreateRnn(ForwardOf(backward->problem), nullptr);
  backward->workspace.assign(plan->workspace_bytes(), 0);
  plan->Execute(backward->Buffers());
}

// Floating inputs: normal, of a size that keeps gates away from saturation. Attention lies in (0, 1).
inline void FillInputs(TestCase* test, uint32_t seed) {
  std::mt19937 rng(seed);
  for (int tensor = 0; tensor < kNumTensors; ++tensor) {
    const Tensor t = static_cast<Tensor>(tensor);
    if (IsForwardOutput(t) || IsBackwardOutput(t)) continue;
    if (tensor == kAugruAttention) {
      test->FillRandom(kAugruAttention, std::uniform_real_distribution<double>(0.1, 0.9), &rng);
    } else {
      test->FillRandom(static_cast<Tensor>(tensor), std::normal_distribution<double>(0.0, 0.6), &rng);
    }
  }
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TESTS_TEST_CASE_H_
