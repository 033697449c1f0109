#include "conformance/problem/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

TensorSet Fill(const ProblemSpec& spec) {
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet tensors(problem);
  FillInputs(spec, problem, &tensors);
  return tensors;
}
TensorSet Fill(const std::string& words) { return Fill(ParseProblem(words)); }

TEST(Generator, ASmallerProblemKeepsTheValuesOfItsElements) {
  const TensorSet big = Fill("--alg=VANILLA_GRU l2t3mb4sic8slc8dhc8");
  const TensorSet small = Fill("--alg=VANILLA_GRU l1t2mb3sic4slc4dhc4");
  // src_layer[t][n][c] and weights_iter[l][d][i][g][o] at the last corner of the small problem.
  EXPECT_EQ(small[kSrcLayer].Get((1 * 3 + 2) * 4 + 3), big[kSrcLayer].Get((1 * 4 + 2) * 8 + 3));
  // The scale 1 / sqrt(inputs) is the one thing that follows the size.
  EXPECT_NEAR(small[kWeightsIter].Get((3 * 3 + 2) * 4 + 3) * std::sqrt(4.0),
              big[kWeightsIter].Get((3 * 3 + 2) * 8 + 3) * std::sqrt(8.0), 1e-6);
}

TEST(Generator, DenseDataIsSignedNonzeroAndDistinctForEveryGate) {
  const TensorSet tensors = Fill("--alg=VANILLA_LSTM l1t2mb2sic8");
  std::set<double> values;
  int negative = 0;
  for (double w : tensors[kWeightsLayer].ToDoubles()) {
    EXPECT_NE(w, 0.0);
    values.insert(w);
    negative += w < 0;
  }
  EXPECT_EQ(values.size(), 8u * 4 * 8);
  EXPECT_GT(negative, 64);
  EXPECT_LT(negative, 192);
  for (Tensor t : {kSrcIter, kSrcIterC, kBias}) {
    for (double v : tensors[t].ToDoubles()) EXPECT_NE(v, 0.0) << ToString(t);
  }
}

TEST(Generator, Int8DataUseTheFullRangeOfBytes) {
  const TensorSet tensors = Fill("--alg=VANILLA_LSTM --cfg=u8u8u8u8 l1t8mb8sic64");
  double low = 255, high = 0, w_low = 0, w_high = 0;
  for (double v : tensors[kSrcLayer].ToDoubles()) low = std::min(low, v), high = std::max(high, v);
  for (double v : tensors[kWeightsLayer].ToDoubles()) {
    w_low = std::min(w_low, v), w_high = std::max(w_high, v);
  }
  EXPECT_LT(low, 3);
  EXPECT_GT(high, 252);
  EXPECT_EQ(w_low, -128);
  EXPECT_EQ(w_high, 127);
}

TEST(Generator, TameBytesLieBetweenTheEndsOfTheirRange) {
  const TensorSet tensors = Fill("--alg=VANILLA_LSTM --cfg=u8u8u8u8 --data=tame l1t8mb8sic64");
  for (const Tensor tensor : {kSrcLayer, kSrcIter, kWeightsLayer, kWeightsIter}) {
    const std::vector<double> values = tensors[tensor].ToDoubles();
    const double zero = IsWeights(tensor) ? 0 : 128;
    int at_an_end = 0, near_zero = 0;
    for (double v : values) {
      at_an_end += std::fabs(v - zero) >= 127;
      near_zero += std::fabs(v - zero) < 42;
    }
    EXPECT_LT(at_an_end, static_cast<int>(values.size()) / 100) << ToString(tensor);
    EXPECT_GT(near_zero, static_cast<int>(values.size()) / 2) << ToString(tensor);
  }
  for (double v : Fill("--alg=VANILLA_LSTM --cfg=s8s8s8s8 --data=tame l1t8mb8sic64")[kSrcLayer].ToDoubles()) {
    EXPECT_LE(std::fabs(v), 127);
  }
}

TEST(Generator, SaturatingInt8StatesInF32ExceedBytesAndIntegers) {
  int beyond_bytes = 0, beyond_integers = 0;
  for (double v : Fill("--alg=VANILLA_LSTM --cfg=f32u8f32u8 --data=saturating l1t1mb8sic64")[kSrcIter].ToDoubles()) {
    beyond_bytes += std::fabs(v) > 256;
    beyond_integers += std::fabs(v) > 0x1p31;
  }
  EXPECT_GT(beyond_bytes, 100);
  EXPECT_GT(beyond_integers, 100);
}

TEST(Generator, SomeColumnsOfBytesHaveOneSign) {
  const std::vector<double> weights = Fill("--alg=VANILLA_GRU --cfg=u8u8u8u8 l1t1mb1sic300")[kWeightsLayer].ToDoubles();
  double lowest = 0, highest = 0;
  for (size_t column = 0; column < 3 * 300; ++column) {
    double sum = 0;
    for (size_t i = 0; i < 300; ++i) sum += weights[i * 3 * 300 + column];
    lowest = std::min(lowest, sum), highest = std::max(highest, sum);
  }
  EXPECT_EQ(lowest, 300 * -128);
  EXPECT_EQ(highest, 300 * 127);
}

TEST(Generator, SpecialDataHoldNanInfinityAndSubnormalsInOneInput) {
  const std::string words = "--alg=LBR_AUGRU --data=special --seed=";
  std::set<Tensor> holders;
  for (int seed = 1; seed <= 60; ++seed) {
    const TensorSet tensors = Fill(words + std::to_string(seed) + " l1t8mb16sic64");
    int holding = 0;
    for (const Tensor tensor : kForwardTensors) {
      int nan = 0, inf = 0, subnormal = 0;
      for (double v : tensors[tensor].ToDoubles()) {
        nan += std::isnan(v);
        inf += std::isinf(v);
        subnormal += v != 0 && std::fabs(v) < 1.17549435e-38;
      }
      if (nan + inf + subnormal == 0) continue;
      ++holding;
      holders.insert(tensor);
      if (tensor == kSrcLayer) {
        EXPECT_TRUE(nan > 0 && inf > 0 && subnormal > 0);
      }
    }
    EXPECT_LE(holding, 1) << seed;
  }
  for (const Tensor tensor : {kSrcLayer, kSrcIter, kAugruAttention, kWeightsLayer, kWeightsIter, kBias}) {
    EXPECT_EQ(holders.count(tensor), 1u) << ToString(tensor);
  }
}

double Largest(const TensorSet& tensors, Tensor tensor) {
  double largest = 0;
  for (double v : tensors[tensor].ToDoubles()) largest = std::max(largest, std::fabs(v));
  return largest;
}

// Proportional to the usual ones, so that the same seed has the same bounds.
TEST(Generator, SomeGradientsAndSomeInputsOfReluAreLarge) {
  int gradients = 0, inputs = 0;
  for (int seed = 2; seed < 34; ++seed) {
    const std::string words = "--seed=" + std::to_string(seed) + " l1t2mb3sic8";
    gradients += Largest(Fill("--prop=BWD_DW --alg=VANILLA_LSTM " + words), kDiffDstLayer) > 1e3;
    inputs += Largest(Fill("--alg=VANILLA_RNN --activation=RELU " + words), kSrcLayer) > 1e3;
    EXPECT_LT(Largest(Fill("--alg=VANILLA_RNN --activation=TANH " + words), kSrcLayer), 10);
    EXPECT_LT(Largest(Fill("--prop=BWD_DW --cfg=f16 " + words), kDiffDstLayer), 10);
  }
  EXPECT_GT(gradients, 8);
  EXPECT_GT(inputs, 8);
  EXPECT_LT(gradients + inputs, 48);
}

TEST(Generator, InfiniteWeightsMeetZeros) {
  int meetings = 0;
  for (int seed = 1; seed <= 30; ++seed) {
    const TensorSet tensors = Fill("--data=special --seed=" + std::to_string(seed) + " l1t1mb8sic64");
    for (size_t k = 0; k < 64; ++k) {
      bool is_infinite = false, is_zero = false;
      for (size_t j = 0; j < 64; ++j) is_infinite |= std::isinf(tensors[kWeightsLayer].Get(k * 64 + j));
      for (size_t n = 0; n < 8; ++n) is_zero |= tensors[kSrcLayer].Get(n * 64 + k) == 0;
      meetings += is_infinite && is_zero;
    }
  }
  EXPECT_GT(meetings, 10);
}

TEST(Generator, SpecialWeightsMeetAnAbsentState) {
  int specials = 0;
  for (int seed = 1; seed <= 30; ++seed) {
    const std::string words = "--alg=VANILLA_GRU --data=special --absent=src_iter --seed=" + std::to_string(seed);
    specials += Largest(Fill(words + " l1t1mb2sic64"), kWeightsIter) > 1e3;
  }
  EXPECT_GT(specials, 10);
}

TEST(Generator, TiesOfA16BitCellStateLieBetweenTwoNumbers) {
  for (const char* cfg : {"bf16", "f16"}) {
    const std::string words = std::string("--alg=VANILLA_LSTM --data=ties --cfg=") + cfg + " l1t1mb8sic64";
    const TensorSet tensors = Fill(words);
    const DataType type = tensors[kSrcIterC].type();
    int ties = 0;
    for (double c : tensors[kSrcIterC].ToDoubles()) {
      const double next = c + 1, stored = RoundToType(next, type);
      ties += stored != next && std::fabs((stored > next ? NextDown(stored, type) : NextUp(stored, type)) - next) ==
                                    std::fabs(stored - next);
    }
    EXPECT_GT(ties, 100) << cfg;
  }
}

TEST(Generator, SomeSpecialDataAreANanOfOnes) {
  const TensorSet tensors = Fill("--alg=VANILLA_LSTM --data=special --seed=3 l1t8mb16sic64");
  int ones = 0, others = 0;
  for (const Tensor tensor : kForwardTensors) {
    const TensorBuffer& buffer = tensors[tensor];
    for (size_t i = 0; i < buffer.size(); ++i) {
      if (!std::isnan(buffer.Get(i))) continue;
      uint32_t bits;
      std::memcpy(&bits, &buffer.bytes()[buffer.ByteOffset(i)], sizeof bits);
      ++(bits == ~uint32_t{0} ? ones : others);
    }
  }
  EXPECT_GT(ones, 0);
  EXPECT_GT(others, 0);
}

TEST(Generator, OverwrittenGradientsStartAsNanAndAccumulatedOnesDoNot) {
  EXPECT_TRUE(std::isnan(Fill("--prop=BWD_DW --flags=O sic4")[kDiffBias].Get(0)));
  const double initial = Fill("--prop=BWD_DW sic4")[kDiffBias].Get(0);
  EXPECT_TRUE(std::isfinite(initial) && initial != 0) << initial;
}

// Whoever reads beyond the end of a row finds NaN there, and numbers before it.
TEST(Generator, DataBeyondTheEndOfARowAreNan) {
  for (const std::string alg : {"VANILLA_LSTM", "LBR_AUGRU"}) {
    const ProblemSpec spec = ParseProblem("--alg=" + alg + " --prop=BWD_DW --lengths=random l1t5mb7sic3");
    const RnnProblem problem = ToRnnProblem(spec);
    const TensorSet tensors = Fill(spec);
    for (const Tensor tensor : {kSrcLayer, kAugruAttention, kDiffDstLayer}) {
      if (!problem.Has(tensor)) continue;
      const size_t channels = static_cast<size_t>(problem.md[tensor].dims[2]);
      int beyond = 0;
      for (size_t i = 0; i < tensors[tensor].size(); ++i) {
        const size_t time = i / channels / 7, row = i / channels % 7;
        const bool ended = static_cast<double>(time) >= tensors[kSequenceLengths].Get(row);
        EXPECT_EQ(std::isnan(tensors[tensor].Get(i)), ended) << ToString(tensor) << " " << time << " " << row;
        beyond += ended;
      }
      EXPECT_GT(beyond, 0) << ToString(tensor);
    }
  }
}

// Dropout has zeros and 1 / (1 - p), zoneout zeros and ones; both have numbers between. NaN stands where no step reads.
TEST(Generator, MasksHaveWhatDropoutAndZoneoutHave) {
  const ProblemSpec spec = ParseProblem(
      "--alg=VANILLA_LSTM --lengths=ones --masks=mask_layer+mask_iter+zoneout_iter+zoneout_iter_c l2t2mb5sic8");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet tensors(problem);
  FillInputs(spec, problem, &tensors);
  for (const Tensor mask : kMasks) {
    const bool is_zoneout = mask == kZoneoutIter || mask == kZoneoutIterC;
    std::map<std::string, int> found;
    for (const double value : tensors[mask].ToDoubles()) {
      ++found[std::isnan(value) ? "nan" : value == 0 ? "0" : value == 1 ? "1" : value < 1 ? "between" : "above 1"];
    }
    EXPECT_EQ(found["nan"], AxisOf(mask, 't') < 0 ? 0 : 80) << ToString(mask) << ": of the second step";
    for (const char* kind : {"0", "1", "between"}) EXPECT_GT(found[kind], 5) << ToString(mask) << " " << kind;
    EXPECT_EQ(found["above 1"] > 5, !is_zoneout) << ToString(mask);
  }
}

}  // namespace
}  // namespace tandem::conformance
