// f32 weights in 16 bits, where the fpmath mode permits it: which, when, and that nothing else changes.
#include <cmath>

#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/kernels/kernels.h"
#include "optimized/tests/forward_testing.h"
#include "optimized/weights/layout.h"

namespace tandem {
namespace optimized {
namespace {

constexpr auto kModes = AllOf<FpmathMode>();

// Targets that widen f16 in one instruction: all but x86's before F16C, and those that emulate vectors.
bool WidensF16(const Target& target) {
#if HWY_ARCH_X86
  return target.highway <= HWY_AVX2;
#else
  return target != HWY_EMU128;
#endif
}

RnnProblem WithAnyWeights(RnnProblem problem, FpmathMode mode) {
  problem.attr.fpmath_mode = mode;
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    MemoryDesc* md = &problem.md[tensor];
    if (!IsZero(*md)) *md = MakeAny(Dims(md->dims, md->dims + md->ndims), TypeOf(*md));
  }
  return problem;
}

PackedLayout ChosenLayout(FpmathMode mode, Tensor tensor, Propagation propagation = Propagation::kForwardInference) {
  RnnProblem problem = WithAnyWeights(MakeTestProblem(Cell::kLstm, propagation), mode);
  Validate(&problem);
  return PackedLayoutOf(CreateRnn(problem, nullptr)->problem().md[tensor]);
}

class FpmathModes : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, FpmathModes, EveryTarget(), NameOfTarget);

TEST_P(FpmathModes, DecidesHowF32WeightsArePacked) {
  const Target target = TargetInForce();
  for (const Propagation propagation : {Propagation::kForwardInference, Propagation::kForwardTraining}) {
    for (const Tensor tensor : {kWeightsLayer, kWeightsIter}) {
      const auto storage = [&](FpmathMode mode) { return ChosenLayout(mode, tensor, propagation).storage; };
      EXPECT_EQ(storage(FpmathMode::kStrict), DataType::kF32);
      EXPECT_EQ(storage(FpmathMode::kTf32), DataType::kF32);
      EXPECT_EQ(storage(FpmathMode::kBf16), DataType::kBf16);
      EXPECT_EQ(storage(FpmathMode::kF16), WidensF16(target) ? DataType::kF16 : DataType::kF32);
      EXPECT_EQ(storage(FpmathMode::kAny), DataType::kBf16);
    }
  }
}

TEST_P(FpmathModes, HalvesPackedWeightsWhereItNarrowsThem) {
  const size_t whole = ChosenLayout(FpmathMode::kStrict, kWeightsIter).bytes;
  for (const FpmathMode mode : kModes) {
    const PackedLayout layout = ChosenLayout(mode, kWeightsIter);
    EXPECT_EQ(layout.bytes, layout.storage == DataType::kF32 ? whole : whole / 2) << ToString(mode);
  }
}

// Every target takes what another one packed, but for f16 where it has no kernels.
TEST_P(FpmathModes, AdmitsPackedWeightsThatAreNoNarrowerThanItPermits) {
  const Target target = TargetInForce();
  const RnnProblem plain = MakeTestProblem(Cell::kLstm);
  for (const DataType storage : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
    for (const FpmathMode mode : kModes) {
      SCOPED_TRACE(std::string(TargetName(target)) + " " + ToString(storage) + " " + ToString(mode));
      RnnProblem problem = plain;
      problem.attr.fpmath_mode = mode;
      for (const Tensor tensor : {kWeightsLayer, kWeightsIter}) {
        MemoryDesc* md = &problem.md[tensor];
        *md = MakePackedDesc(*md, MakePackedLayout(*md, PackedKind::kForward, storage, GatePasses::kOne));
      }
      Validate(&problem);
      const bool permitted = storage == DataType::kF32 || mode == FpmathMode::kAny ||
                             (storage == DataType::kBf16 && mode == FpmathMode::kBf16) ||
                             (storage == DataType::kF16 && mode == FpmathMode::kF16);
      const bool multiplied = StorageFor(storage, target) == storage;
      std::string why_not;
      EXPECT_EQ(CreateRnn(problem, &why_not) != nullptr, permitted && multiplied) << why_not;
      const char* reason = multiplied ? "fpmath" : "has no kernels";
      EXPECT_EQ(why_not.find(reason) != std::string::npos, !permitted || !multiplied) << why_not;
    }
  }
}

// One tensor packed, by an earlier primitive, and one plain or to be chosen.
TEST_P(FpmathModes, FollowsThePackedWeightsWhereOthersAreNotPacked) {
  for (const DataType storage : {DataType::kF32, DataType::kBf16, StorageFor(DataType::kF16, TargetInForce())}) {
    for (const Tensor given : {kWeightsLayer, kWeightsIter}) {
      RnnProblem problem = MakeTestProblem(Cell::kLstm);
      problem.attr.fpmath_mode = FpmathMode::kAny;
      MemoryDesc* md = &problem.md[given];
      *md = MakePackedDesc(*md, MakePackedLayout(*md, PackedKind::kForward, storage, GatePasses::kOne));
      Validate(&problem);
      EXPECT_NE(CreateRnn(problem, nullptr), nullptr) << ToString(storage) << " " << ToString(given);
      MemoryDesc* other = &problem.md[given == kWeightsLayer ? kWeightsIter : kWeightsLayer];
      *other = MakeAny(Dims(other->dims, other->dims + other->ndims), DataType::kF32);
      const auto plan = CreateRnn(problem, nullptr);
      ASSERT_NE(plan, nullptr) << ToString(storage) << " " << ToString(given);
      for (const Tensor tensor : {kWeightsLayer, kWeightsIter}) {
        EXPECT_EQ(PackedLayoutOf(plan->problem().md[tensor]).storage, storage) << ToString(tensor);
      }
    }
  }
}

float RoundedTo(DataType type, float x) {
  if (type == DataType::kBf16) return Bf16ToFloat(FloatToBf16(x));
  return type == DataType::kF16 ? Fp16ToFloat(FloatToFp16(x)) : x;
}

// Says whether rows of A are rounded, too.
bool NarrowsRows(const Target& target, DataType storage) {
  return KernelsFor(storage, DataType::kF32, target, {Factors::kNarrowed, SumOrder::kOwn}).run !=
         KernelsFor(storage, DataType::kF32, target).run;
}

void Round(DataType type, std::vector<char>* values) {
  for (size_t i = 0; i < values->size() / sizeof(float); ++i) {
    StoreElement(DataType::kF32, RoundedTo(type, LoadElement(DataType::kF32, *values, i)), i, values);
  }
}

// Products round src_layer and states; rounding them before changes nothing, except where a GRU uses h' itself.
void ExpectRoundedRows(const RnnProblem& narrow, DataType storage, Tensors* got) {
  Tensors rounded = *got;
  Round(storage, &rounded[kSrcLayer]);
  if (narrow.cell == Cell::kLstm || narrow.cell == Cell::kVanillaRnn) Round(storage, &rounded[kSrcIter]);
  EXPECT_FALSE(rounded[kSrcLayer] == (*got)[kSrcLayer]);
  RunForward(narrow, WeightsForm::kPacked, got);
  RunForward(narrow, WeightsForm::kPacked, &rounded);
  for (const Tensor tensor : {kDstLayer, kDstIter, kDstIterC}) {
    EXPECT_TRUE((*got)[tensor] == rounded[tensor]) << ToString(tensor) << " differs";
  }
}

// Weights, some of them subnormal in f16. Against f32 their rounding is the only difference, and that of the rows that they
// are multiplied with, where products take these narrow, too; plain weights are not rounded.
void ExpectRoundedWeights(const RnnProblem& plain, FpmathMode mode, WeightsForm form, const Target& target) {
  RnnProblem narrow = plain;
  narrow.attr.fpmath_mode = mode;
  RnnProblem packed = WithAnyWeights(narrow, mode);
  Validate(&packed);
  const MemoryDesc chosen = CreateRnn(packed, nullptr)->problem().md[kWeightsIter];
  const DataType storage = form == WeightsForm::kPlain ? DataType::kF32 : PackedLayoutOf(chosen).storage;
  Tensors got = MakeTensors(plain, 8);
  Tensors rounded = got, unrounded = got;
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    for (size_t i = 0; i < got[tensor].size() / sizeof(float); ++i) {
      float weight = LoadElement(DataType::kF32, got[tensor], i);
      if (i % 5 == 0) weight *= 0x1p-15f;
      StoreElement(DataType::kF32, weight, i, &got[tensor]);
      StoreElement(DataType::kF32, weight, i, &unrounded[tensor]);
      StoreElement(DataType::kF32, RoundedTo(storage, weight), i, &rounded[tensor]);
    }
  }
  if (form == WeightsForm::kPacked && NarrowsRows(target, storage)) return ExpectRoundedRows(narrow, storage, &got);
  RunForward(narrow, form, &got);
  RunForward(plain, form, &rounded);
  RunForward(plain, form, &unrounded);
  for (const Tensor tensor : {kDstLayer, kDstIter, kDstIterC}) {
    EXPECT_TRUE(got[tensor] == rounded[tensor]) << ToString(tensor) << " differs";
  }
  EXPECT_EQ(got[kDstLayer] == unrounded[kDstLayer], storage == DataType::kF32);
}

TEST_P(FpmathModes, DoesToResultsWhatRoundingTheWeightsDoes) {
  const Target target = TargetInForce();
  for (const Cell cell : kCells) {
    const bool attention = HasAttention(cell);
    const Direction direction = attention ? Direction::kLeft2Right : Direction::kBidirectionalConcat;
    const TestShape shape = {attention ? 1 : 2, 3, 5, 37, 37, cell == Cell::kLstm ? 53 : 37, 37};
    for (const Propagation propagation : {Propagation::kForwardInference, Propagation::kForwardTraining}) {
      RnnProblem plain = MakeTestProblem(cell, propagation, direction, DataType::kF32, shape);
      if (cell == Cell::kLstm) Add(&plain, shape, DataType::kF32, kWeightsProjection);
      for (const FpmathMode mode : {FpmathMode::kBf16, FpmathMode::kF16, FpmathMode::kAny}) {
        for (const WeightsForm form : {WeightsForm::kPlain, WeightsForm::kPacked}) {
          SCOPED_TRACE(std::string(TargetName(target)) + " " + ToString(cell) + " " + ToString(propagation) +
                       " fpmath " + ToString(mode) + (form == WeightsForm::kPlain ? " plain" : " packed"));
          ExpectRoundedWeights(plain, mode, form, target);
        }
      }
    }
  }
}

// 65520 is the first number that f16 takes for an infinity. A mode that permits bf16 has f32's range.
TEST_P(FpmathModes, F16TakesWeightsBeyondItsRangeForInfinities) {
  const Target target = TargetInForce();
  for (const float weight : {65519.f, 65520.f, 1e20f}) {
    for (const FpmathMode mode : kModes) {
      SCOPED_TRACE(std::string(TargetName(target)) + " " + ToString(mode));
      RnnProblem problem = MakeTestProblem(Cell::kVanillaRnn);
      problem.attr.fpmath_mode = mode;
      problem.activation = Activation::kRelu;
      Tensors tensors = MakeTensors(problem, 9);
      for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kSrcLayer, kSrcIter}) {
        const float value = tensor == kWeightsLayer ? weight : tensor == kSrcLayer ? 1.f : 0.f;
        for (size_t i = 0; i < tensors[tensor].size() / sizeof(float); ++i) {
          StoreElement(DataType::kF32, value, i, &tensors[tensor]);
        }
      }
      RunForward(problem, WeightsForm::kPacked, &tensors);
      const bool overflows = mode == FpmathMode::kF16 && WidensF16(target) && weight >= 65520.f;
      EXPECT_EQ(std::isinf(LoadElement(DataType::kF32, tensors[kDstLayer], 0)), overflows) << weight;
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
