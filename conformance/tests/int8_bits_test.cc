// int8 arithmetic is compared bit for bit: reference, optimized on every Highway target, reorders and the oracle.
//
// The problems are those of determined_int8.h. The test compares these bitwise: dst_layer, dst_iter and dst_iter_c of reference
// and of optimized, with plain and with packed weights; an f32 src_iter and the bytes that a reorder makes of it; f32 outputs
// and those that a reorder makes of the bytes. The oracle must accept every element. Outputs that are not determined (states
// after activations that are not exact) are left to `./tandem check`, which judges them by bounds.
//
// Each test of a type takes 300 random problems. TANDEM_INT8_PROBLEMS=3000 is the full run; TANDEM_INT8_SEED and
// TANDEM_INT8_FIRST choose others, and a failure prints them:
//
//   ./tandem test --test_env=TANDEM_INT8_PROBLEMS=3000 --test_filter='*Int8*' //conformance/tests:optimized_test
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "conformance/judge/verdict/check_bounds.h"
#include "conformance/oracle/bounded_int8.h"
#include "conformance/tests/determined_int8.h"
#include "conformance/tests/in_process.h"
#include "conformance/tests/optimized_targets.h"
#include "reference/backend.h"

namespace tandem::conformance {
namespace {

constexpr Tensor kWeights[] = {kWeightsLayer, kWeightsIter, kWeightsProjection};

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

void Reorder(const MemoryDesc& src, const void* from, const MemoryDesc& dst, void* to, const Attributes& attr) {
  std::string why_not;
  const auto plan = ChooseReorder({src, dst, attr}, {}, &why_not).plan;
  ASSERT_NE(plan, nullptr) << why_not;
  ReorderBuffers buffers;
  buffers.src = from, buffers.dst = to;
  plan->Execute(buffers);
}

MemoryDesc OfType(MemoryDesc md, DataType type) {
  md.data_type = static_cast<dnnl_data_type_t>(type);
  return md;
}

TensorSet Execute(RnnFactory factory, const RnnProblem& problem, const TensorSet& inputs) {
  TensorSet tensors = inputs;
  const RunResult run = InProcess(factory)(problem, &tensors);
  EXPECT_EQ(run.status, RunStatus::kOk) << run.message;
  return tensors;
}

// Runs as a client does it: weights are `any`, and f32 ones are reordered into the layout that the plan chose.
TensorSet RunPacked(const DeterminedInt8& made) {
  RnnProblem problem = made.problem;
  for (const Tensor tensor : kWeights) {
    MemoryDesc& md = problem.md[tensor];
    if (problem.Has(tensor)) md = MakeAny(Dims(md.dims, md.dims + md.ndims), DataType::kS8);
  }
  Validate(&problem);
  std::string why_not;
  const auto plan = CreateOptimized(problem, &why_not);
  EXPECT_NE(plan, nullptr) << why_not;
  TensorSet tensors = made.inputs;
  RnnBuffers buffers;
  for (int t = 0; t < kNumTensors; ++t) buffers.tensor[t] = tensors.tensor[t].data();
  std::vector<std::vector<uint8_t>> packed;
  for (const Tensor tensor : kWeights) {
    if (!problem.Has(tensor)) continue;
    const MemoryDesc& md = plan->problem().md[tensor];
    const TensorBuffer& f32 = made.f32_weights[tensor];
    packed.emplace_back(SizeInBytes(md));
    Reorder(f32.md(), f32.data(), md, packed.back().data(), problem.attr);
    buffers.tensor[tensor] = packed.back().data();
    // A reorder back gives the bytes of the plain reorder.
    TensorBuffer plain(made.inputs[tensor].md());
    Reorder(md, packed.back().data(), plain.md(), plain.data(), problem.attr);
    EXPECT_EQ(plain.bytes(), made.inputs[tensor].bytes()) << ToString(tensor) << " packed and plain";
  }
  std::vector<uint8_t> scratchpad(plan->scratchpad_bytes() + 1, 0xff);
  buffers.scratchpad = scratchpad.data();
  plan->Execute(buffers);
  return tensors;
}

void ExpectSameOutputs(const RnnProblem& problem, const TensorSet& got, const TensorSet& want,
                       const std::string& what) {
  for (const Tensor tensor : Outputs(problem)) {
    const size_t at = got[tensor].FirstDifference(want[tensor]);
    EXPECT_EQ(at, want[tensor].size()) << what << ": " << ToString(tensor) << " element " << at << " is "
                                       << got[tensor].Get(at) << ", want " << want[tensor].Get(at);
  }
}

// Runs the same problem with a byte in place of every f32 state. One reorder makes src_iter, another f32 outputs from the
// resulting bytes. A sum of directions is no byte's real value; its formula has tests of its own.
void ExpectReordersAgree(const DeterminedInt8& made, const TensorSet& want) {
  const RnnProblem& given = made.problem;
  RnnProblem bytes = given;
  const DataType type = given.SrcType();
  for (const Tensor tensor : {kSrcIter, kDstIter, kDstLayer}) {
    if (given.Has(tensor)) bytes.md[tensor] = OfType(given.md[tensor], type);
  }
  Validate(&bytes);
  TensorSet inputs(bytes);
  for (int t = 0; t < kNumTensors; ++t) {
    const Tensor tensor = static_cast<Tensor>(t);
    if (given.Has(tensor) && Equal(given.md[tensor], bytes.md[tensor])) inputs[tensor] = made.inputs[tensor];
  }
  const auto attr = [&] {
    Attributes data = given.attr;
    data.rnn_weights_projection = {};  // with them reading spec would refuse a 4-D s8 tensor
    return data;
  }();
  if (given.Has(kSrcIter)) {
    Reorder(given.md[kSrcIter], made.inputs[kSrcIter].data(), bytes.md[kSrcIter], inputs[kSrcIter].data(), attr);
  }
  const TensorSet got = Execute(reference::CreateRnn, bytes, inputs);
  for (const Tensor tensor : Outputs(given)) {
    const bool sum = tensor == kDstLayer && given.direction == Direction::kBidirectionalSum;
    if (tensor == kDstIterC || (sum && TypeOf(given.md[tensor]) == DataType::kF32)) continue;
    TensorBuffer real(given.md[tensor]);
    Reorder(bytes.md[tensor], got[tensor].data(), real.md(), real.data(), attr);
    const size_t at = real.FirstDifference(want[tensor]);
    EXPECT_EQ(at, real.size()) << "reorder: " << ToString(tensor) << " element " << at << " is " << real.Get(at)
                               << ", want " << want[tensor].Get(at);
  }
}

class Int8Bits : public testing::TestWithParam<Config> {};

TEST_P(Int8Bits, AreTheSameEverywhere) {
  const uint64_t seed = FromEnvironment("TANDEM_INT8_SEED", 1), first = FromEnvironment("TANDEM_INT8_FIRST", 0);
  const uint64_t count = FromEnvironment("TANDEM_INT8_PROBLEMS", 300);
  const std::vector<std::string> targets = TargetsOfThisMachine();
  ASSERT_FALSE(targets.empty());
  std::printf("seed %llu, problems %llu to %llu, %zu targets\n", static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(first + count - 1),
              targets.size());
  for (uint64_t index = first; index < first + count && !HasFailure(); ++index) {
    const DeterminedInt8 made = MakeDeterminedInt8(GetParam(), seed, index);
    SCOPED_TRACE("replay: ./tandem test --test_env=TANDEM_INT8_SEED=" + std::to_string(seed) +
                 " --test_env=TANDEM_INT8_FIRST=" + std::to_string(index) +
                 " --test_env=TANDEM_INT8_PROBLEMS=1 --test_filter='*/" + TypesOf(GetParam()).name +
                 "' //conformance/tests:int8_bits_test\nshape: " + PrintProblem(made.spec) + "\nscale " +
                 std::to_string(made.problem.attr.rnn_data_scale) + ", shift " +
                 std::to_string(made.problem.attr.rnn_data_shift));
    const TensorSet want = Execute(reference::CreateRnn, made.problem, made.inputs);
    for (const std::string& target : targets) {
      const ForcedTarget forced(target);
      ExpectSameOutputs(made.problem, Execute(CreateOptimized, made.problem, made.inputs), want, target);
      ExpectSameOutputs(made.problem, RunPacked(made), want, target + " with packed weights");
    }
    ExpectReordersAgree(made, want);
    for (const TensorReport& row : CheckBounds({made.problem, made.inputs, want}, Declaration()).rows) {
      EXPECT_LE(row.outcome.verdict(), Verdict::kVacuous) << ToString(row, made.problem.cell);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Int8Bits,
                         testing::Values(Config::kU8u8u8u8, Config::kU8u8u8f32, Config::kF32u8f32u8,
                                         Config::kF32u8f32f32, Config::kS8s8s8s8, Config::kS8s8s8f32,
                                         Config::kF32s8f32s8, Config::kF32s8f32f32),
                         [](const auto& info) { return TypesOf(info.param).name; });

// Returns parameters whose zero points are ties, or are ties only in f32.
std::vector<DataQparams> TieParameters() {
  std::vector<DataQparams> all;
  for (const Reading reading : AllOf<Reading>()) {
    for (const float scale : {0.5f, 2.f, 40.5f, 55.f, 59.f, 63.7f}) {
      for (const float shift : {0.f, 0.3f, 1.5f, 2.25f}) all.push_back({scale, shift, reading});
    }
  }
  all.push_back({63.f, 88.5f, Reading::kOnednn});
  return all;
}

BoundedQuantization OracleOf(const DataQparams& q) {
  RnnProblem problem;
  problem.md[kSrcLayer] = MakeDense({1, 1, 1}, DataType::kU8);
  problem.attr.rnn_data_scale = q.scale, problem.attr.rnn_data_shift = q.shift, problem.attr.reading = q.reading;
  return BoundedQuantization(problem);
}

// An f32 next to a tie may round to either side in another order of operations; a tie in all orders has one right byte.
TEST(OracleOfInt8, AcceptsTheDefinedByteAndNoOtherAtATieThatAllOrdersGive) {
  int ties = 0;
  for (const DataQparams& q : TieParameters()) {
    const BoundedQuantization oracle = OracleOf(q);
    for (float half = -3.f; half <= 258.f; half += 0.5f) {
      const float x = DequantizeData(half, q);
      const Bounded before = oracle.Before(Bounded(x)), byte = oracle.Quantized(before);
      const double defined = QuantizeData<uint8_t>(x, q);
      EXPECT_EQ(before.value(), ScaleAndShift(x, q));
      EXPECT_LE(byte.lo(), defined);
      EXPECT_GE(byte.hi(), defined);
      if (before.error() > 0) continue;
      EXPECT_EQ(byte.lo(), byte.hi()) << "scale " << q.scale << " shift " << q.shift << " x " << x;
      ties += before.value() - std::floor(before.value()) == 0.5;
    }
  }
  EXPECT_GT(ties, 1000);
}

TEST(OracleOfInt8, AddsBytesAsExactIntegers) {
  for (const DataQparams& q : TieParameters()) {
    const BoundedQuantization oracle = OracleOf(q);
    for (int a = 0; a < 256; a += 3) {
      for (int b = 0; b < 256; ++b) {
        const Bounded byte = oracle.Quantized(oracle.SumBefore(Bounded(a), Bounded(b)));
        const double defined = SumOfDirections(static_cast<uint8_t>(a), static_cast<uint8_t>(b), q);
        ASSERT_LE(byte.lo(), defined) << a << " + " << b << ", scale " << q.scale << " shift " << q.shift;
        ASSERT_GE(byte.hi(), defined) << a << " + " << b << ", scale " << q.scale << " shift " << q.shift;
      }
    }
  }
  const BoundedQuantization oracle = OracleOf({59.f, 1.5f, Reading::kSpec});
  const Bounded byte = oracle.Quantized(oracle.SumBefore(Bounded(82), Bounded(106)));
  EXPECT_EQ(byte.lo(), 100);
  EXPECT_EQ(byte.hi(), 100);
}

}  // namespace
}  // namespace tandem::conformance
