// The contract at the top of activations-inl.h, held against double precision on every target of the machine.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/tests/activations_test.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include "hwy/highway.h"
#include "optimized/kernels/activations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

// `count` is a multiple of every vector length; see kBatch.
int64_t SigmoidArray(const float* in, float* out, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) hn::StoreU(Sigmoid(d, hn::LoadU(d, in + i)), d, out + i);
  return HWY_TARGET;
}

int64_t TanhArray(const float* in, float* out, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) hn::StoreU(Tanh(d, hn::LoadU(d, in + i)), d, out + i);
  return HWY_TARGET;
}

// Negative slope 0.25, exact in binary.
int64_t ReluArray(const float* in, float* out, size_t count) {
  const hn::ScalableTag<float> d;
  const auto alpha = hn::Set(d, 0.25f);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) hn::StoreU(Relu(d, hn::LoadU(d, in + i), alpha), d, out + i);
  return HWY_TARGET;
}

// The arguments are made negative, because the contract of Exp has none above 0.
int64_t ExpArray(const float* in, float* out, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::StoreU(Exp(d, hn::Neg(hn::Abs(hn::LoadU(d, in + i)))), d, out + i);
  }
  return HWY_TARGET;
}

int64_t Expm1Array(const float* in, float* out, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::StoreU(Expm1(d, hn::Neg(hn::Abs(hn::LoadU(d, in + i)))), d, out + i);
  }
  return HWY_TARGET;
}

int64_t SoftplusArray(const float* in, float* out, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) hn::StoreU(Softplus(d, hn::LoadU(d, in + i)), d, out + i);
  return HWY_TARGET;
}

bool HasFma() { return HWY_NATIVE_FMA != 0; }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "api/core/float_environment.h"
#include "gtest/gtest.h"

namespace tandem {
namespace optimized {
namespace {

HWY_EXPORT(SigmoidArray);
HWY_EXPORT(TanhArray);
HWY_EXPORT(ReluArray);
HWY_EXPORT(ExpArray);
HWY_EXPORT(Expm1Array);
HWY_EXPORT(SoftplusArray);
HWY_EXPORT(HasFma);

constexpr size_t kBatch = 4096;
constexpr double kSmallestNormal = 0x1p-126;
const float kInf = std::numeric_limits<float>::infinity();

constexpr const char* kNames[] = {"sigmoid", "tanh", "relu", "exp", "expm1", "softplus"};
enum class Function { kSigmoid, kTanh, kRelu, kExp, kExpm1, kSoftplus };

// While it lives, HWY_DYNAMIC_DISPATCH runs the code compiled for `target`.
class ForcedTarget {
 public:
  explicit ForcedTarget(int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~ForcedTarget() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ForcedTarget(const ForcedTarget&) = delete;
  ForcedTarget& operator=(const ForcedTarget&) = delete;
};

// Runs `function` on the target that dispatch has been forced to, and fails if another one ran.
std::vector<float> Apply(Function function, std::vector<float> in, int64_t target) {
  const size_t count = in.size();
  in.resize((count + kBatch - 1) / kBatch * kBatch, 0.f);
  std::vector<float> out(in.size(), -7.f);
  int64_t ran = 0;
  switch (function) {
    case Function::kSigmoid:
      ran = HWY_DYNAMIC_DISPATCH(SigmoidArray)(in.data(), out.data(), in.size());
      break;
    case Function::kTanh:
      ran = HWY_DYNAMIC_DISPATCH(TanhArray)(in.data(), out.data(), in.size());
      break;
    case Function::kRelu:
      ran = HWY_DYNAMIC_DISPATCH(ReluArray)(in.data(), out.data(), in.size());
      break;
    case Function::kExp:
      ran = HWY_DYNAMIC_DISPATCH(ExpArray)(in.data(), out.data(), in.size());
      break;
    case Function::kExpm1:
      ran = HWY_DYNAMIC_DISPATCH(Expm1Array)(in.data(), out.data(), in.size());
      break;
    case Function::kSoftplus:
      ran = HWY_DYNAMIC_DISPATCH(SoftplusArray)(in.data(), out.data(), in.size());
      break;
  }
  EXPECT_EQ(ran, target) << "dispatch ignored the forced target";
  out.resize(count);
  return out;
}

// The contract at the top of activations-inl.h.
double MaxUlp(Function function, float x) {
  if (function == Function::kTanh) return 1.5;
  if (function != Function::kSigmoid) return 3;
  return x > -15.5f ? 1.75 : 2;
}

double Exact(Function function, double x) {
  if (function == Function::kTanh) return std::tanh(x);
  const double e = std::exp(-std::fabs(x));
  if (function == Function::kExp) return e;
  if (function == Function::kExpm1) return std::expm1(-std::fabs(x));
  if (function == Function::kSoftplus) return std::fmax(x, 0) + std::log1p(e);
  return x > 0 ? 1 / (1 + e) : e / (1 + e);
}

// Distance in units of the last place of an f32 in the exact value's binade.
double UlpError(float got, double exact) {
  int exponent;
  std::frexp(exact, &exponent);
  return std::fabs(got - exact) / std::ldexp(1.0, exponent - 24);
}

uint32_t Bits(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

float FromBits(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// Every `step`-th bit pattern of both signs up to infinity, and every pattern within 300 of where something changes.
template <class Visit>
void SweepFloats(uint32_t step, const Visit& visit) {
  std::vector<float> batch;
  const auto add = [&](uint32_t magnitude) {
    batch.push_back(FromBits(magnitude));
    batch.push_back(FromBits(magnitude | 0x80000000u));
    if (batch.size() >= kBatch) {
      visit(batch);
      batch.clear();
    }
  };
  for (uint64_t bits = 0; bits <= Bits(kInf); bits += step) add(static_cast<uint32_t>(bits));
  for (const float edge :
       {0x1p-126f, 0x1p-12f, 0.17328680f, 0.30325189f, 0.34657359f, 0.5f,     0.64982548f, 1.f,
        5.f,       9.0109f,  9.02f,       11.f,        15.5f,       15.5958f, 16.2889f,    16.9821f,
        17.33f,    87.3365f, 87.6831f,    88.f,        88.0297f,    88.3f,    88.7228f,    103.972f}) {
    for (uint32_t bits = Bits(edge) - 300; bits <= Bits(edge) + 300; ++bits) add(bits);
  }
  visit(batch);
}

struct Worst {
  double ulp = 0;
  float at = 0;
  float got = 0;
  double share = 0;  // the largest of the contract's bound
  float share_at = 0;
  size_t checked = 0;

  void Add(double error, double bound, float in, float out) {
    if (!(error <= ulp)) ulp = error, at = in, got = out;
    if (!(error / bound <= share)) share = error / bound, share_at = in;
  }
};

void Judge(Function function, const std::vector<float>& in, const std::vector<float>& out, Worst* worst) {
  for (size_t i = 0; i < in.size(); ++i) {
    const double exact = Exact(function, in[i]);
    ++worst->checked;
    if (std::fabs(exact) >= kSmallestNormal) {
      worst->Add(UlpError(out[i], exact), MaxUlp(function, in[i]), in[i], out[i]);
    } else if (!(std::fabs(out[i]) <= kSmallestNormal)) {
      worst->Add(kInf, 1, in[i], out[i]);
    }
    const float lowest = function == Function::kTanh || function == Function::kExpm1 ? -1.f : 0.f;
    const float largest = function == Function::kSoftplus ? kInf : 1.f;
    if (!(out[i] >= lowest && out[i] <= largest)) worst->Add(kInf, 1, in[i], out[i]);
  }
}

class Activations : public testing::TestWithParam<int64_t> {
 protected:
  void ExpectWithinUlp(Function function, uint32_t step) {
    Worst worst;
    SweepFloats(step,
                [&](const std::vector<float>& in) { Judge(function, in, Apply(function, in, GetParam()), &worst); });
    const char* name = kNames[static_cast<int>(function)];
    std::printf("%s %s: worst %.3f ulp at %a (got %a) of %zu inputs\n", hwy::TargetName(GetParam()), name, worst.ulp,
                worst.at, worst.got, worst.checked);
    EXPECT_GT(worst.checked, 0x80000000u / step);
    EXPECT_LE(worst.share, 1) << name << " of " << worst.share_at;
    EXPECT_GT(worst.ulp, 0.5) << "no error at all: the sweep did not run the kernel";
  }

  ForcedTarget forced_{GetParam()};
};

// Every step-th f32. --test_env=TANDEM_SWEEP_STEP=1 tries them all, in about five minutes for each function and target.
uint32_t SweepStep() {
  const char* step = std::getenv("TANDEM_SWEEP_STEP");
  return step != nullptr ? static_cast<uint32_t>(std::max(1, std::atoi(step))) : 4099;
}

TEST_P(Activations, SigmoidIsWithinTwoUlp) { ExpectWithinUlp(Function::kSigmoid, SweepStep()); }
TEST_P(Activations, TanhIsWithinOneAndAHalfUlp) { ExpectWithinUlp(Function::kTanh, SweepStep()); }

TEST_P(Activations, OthersAreWithinThreeUlp) {
  for (const Function function : {Function::kExp, Function::kExpm1, Function::kSoftplus}) {
    ExpectWithinUlp(function, 4 * SweepStep());
  }
}

TEST_P(Activations, ZerosAndInfinitiesAreExact) {
  const std::vector<float> in = {0.f, -0.f, kInf, -kInf, FromBits(0x7f7fffff), FromBits(0xff7fffff)};
  const std::vector<float> sigmoid = Apply(Function::kSigmoid, in, GetParam());
  EXPECT_EQ(sigmoid, (std::vector<float>{0.5f, 0.5f, 1.f, 0.f, 1.f, 0.f}));
  const std::vector<float> tanh = Apply(Function::kTanh, in, GetParam());
  EXPECT_EQ(tanh, (std::vector<float>{0.f, -0.f, 1.f, -1.f, 1.f, -1.f}));
  EXPECT_FALSE(std::signbit(tanh[0]));
  EXPECT_TRUE(std::signbit(tanh[1]));
}

TEST_P(Activations, TinyArgumentsOfTanhAreReturned) {
  const std::vector<float> in = {0x1p-126f, -0x1p-126f, 0x1p-149f, -0x1p-149f, 1e-20f, -3e-9f};
  EXPECT_EQ(Apply(Function::kTanh, in, GetParam()), in);
}

TEST_P(Activations, NanGivesNanWhateverItsPayload) {
  std::vector<float> in;
  for (const uint32_t payload : {0x400000u, 0x400001u, 0x4000ffu, 0x7fffffu, 0x555555u, 0x4001ffu}) {
    in.push_back(FromBits(0x7f800000u | payload));
    in.push_back(FromBits(0xff800000u | payload));
  }
  for (const Function function :
       {Function::kSigmoid, Function::kTanh, Function::kRelu, Function::kExp, Function::kExpm1, Function::kSoftplus}) {
    for (const float y : Apply(function, in, GetParam())) EXPECT_TRUE(std::isnan(y)) << y;
  }
}

TEST_P(Activations, ReluScalesWhatIsNotPositive) {
  const std::vector<float> in = {3.f, 0.f, -0.f, -8.f, kInf, -kInf, 0x1p-126f};
  EXPECT_EQ(Apply(Function::kRelu, in, GetParam()), (std::vector<float>{3.f, 0.f, -0.f, -2.f, kInf, -kInf, 0x1p-126f}));
}

TEST_P(Activations, HoldWhileTheProcessorFlushesSubnormals) {
  for (const Function function : {Function::kSigmoid, Function::kTanh}) {
    Worst worst;
    SweepFloats(65537, [&](const std::vector<float>& in) {
      std::vector<float> out;
      {
        const FloatEnvironment flushing(Subnormals::kZero);
        out = Apply(function, in, GetParam());
      }
      Judge(function, in, out, &worst);
    });
    EXPECT_LE(worst.share, 1) << "at " << worst.share_at;
  }
}

std::string TargetNameOf(const testing::TestParamInfo<int64_t>& info) { return hwy::TargetName(info.param); }

INSTANTIATE_TEST_SUITE_P(Target, Activations, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()), TargetNameOf);

TEST(ActivationsTargets, ThisMachineHasSome) { EXPECT_FALSE(hwy::SupportedAndGeneratedTargets().empty()); }

TEST(ActivationsTargets, FusedMultiplyAddGivesTheSameBitsAtEveryVectorWidth) {
  for (const Function function :
       {Function::kSigmoid, Function::kTanh, Function::kExp, Function::kExpm1, Function::kSoftplus}) {
    SweepFloats(65537, [&](const std::vector<float>& in) {
      std::vector<float> first;
      for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        const ForcedTarget forced(target);
        if (!HWY_DYNAMIC_DISPATCH(HasFma)()) continue;
        const std::vector<float> out = Apply(function, in, target);
        if (first.empty()) first = out;
        ASSERT_EQ(std::memcmp(first.data(), out.data(), out.size() * sizeof(float)), 0) << hwy::TargetName(target);
      }
    });
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem

#endif  // HWY_ONCE
