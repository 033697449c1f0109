// Runs forward plans on seeded data, for tests.
#ifndef TANDEM_OPTIMIZED_TESTS_FORWARD_TESTING_H_
#define TANDEM_OPTIMIZED_TESTS_FORWARD_TESTING_H_

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem.h"
#include "api/core/targets_testing.h"
#include "api/core/threadpool.h"
#include "optimized/backend.h"
#include "optimized/machine/target.h"
#include "optimized/threads/team_options.h"
#include "optimized/weights/element.h"
#include "optimized/weights/weights_packer.h"

namespace tandem {
namespace optimized {

inline std::vector<std::string> NamesOfTargets() {
  std::vector<std::string> names;
  for (const Target& target : TargetsOfThisMachine()) names.push_back(TargetName(target));
  return names;
}

// The parameters of suites of OnEachTarget: all targets, or those whose difference is large.
inline auto EveryTarget() { return ::testing::ValuesIn(NamesOfTargets()); }
inline auto TargetsThatDifferHere() {
  return ::testing::ValuesIn(TargetsThatDiffer(NamesOfTargets(), EmulatedTiles::kYes));
}

// Limits the number of threads for as long as it lives.
class WithThreads {
 public:
  explicit WithThreads(int threads) : saved_(MaxConcurrency()) { SetMaxConcurrency(threads); }
  ~WithThreads() { SetMaxConcurrency(saved_); }

 private:
  int saved_;
};

// A team of exactly as many threads as the division has parts, however busy the machine is.
class DividedTeam {
 public:
  explicit DividedTeam(const Division& division) : threads_(division.threads()), options_{division, &never_smaller_} {}
  DividedTeam(const DividedTeam&) = delete;
  DividedTeam& operator=(const DividedTeam&) = delete;
  const TeamOptions& options() const { return options_; }  // for plans that do not outlive it

 private:
  WithThreads threads_;
  TeamBackoff never_smaller_{BackoffSwitch::kOff};
  TeamOptions options_;
};

using Bytes = std::vector<char>;
using Tensors = std::array<Bytes, kNumTensors>;  // in the layouts of a problem with plain tensors

inline bool IsOutput(Tensor tensor) { return !IsDiff(tensor) && RoleOf(tensor) == TensorRole::kResult; }

inline void StoreElement(DataType type, float value, size_t i, Bytes* bytes) {
  // Bytes: a uniform value over most of their range.
  if (type == DataType::kU8) (*bytes)[i] = static_cast<char>(static_cast<uint8_t>(128 + 120 * value));
  if (type == DataType::kS8) (*bytes)[i] = static_cast<char>(120 * value);
  if (!IsFloating(type)) return;
  VisitFloating(type, [&](auto element) {
    const auto stored = element.From(value);
    std::memcpy(bytes->data() + sizeof stored * i, &stored, sizeof stored);
  });
}

inline float LoadElement(DataType type, const Bytes& bytes, size_t i) {
  return LoadFloat(bytes.data(), type, static_cast<Dim>(i));
}

// Uniform values: weights scaled by the number of terms, attention in [0, 1), all else in [-1, 1). Outputs are filled too:
// a test then sees what was not written.
inline Tensors MakeTensors(const RnnProblem& p, uint32_t seed) {
  Tensors tensors;
  for (int i = 0; i < kNumTensors; ++i) {
    const MemoryDesc& md = p.md[i];
    if (IsZero(md)) continue;
    std::mt19937 random(seed * 64 + static_cast<uint32_t>(i));
    const bool weights = IsWeights(static_cast<Tensor>(i)) && SizeOf(TypeOf(md)) > 1;
    const float high = weights ? 1.5f / std::sqrt(static_cast<float>(md.dims[2])) : 1.f;
    std::uniform_real_distribution<float> value(i == kAugruAttention ? 0.f : -high, high);
    tensors[i].resize(SizeInBytes(md));
    // Rows that are full, empty and between.
    for (Dim n = 0; i == kSequenceLengths && n < p.mb; ++n) {
      reinterpret_cast<int32_t*>(tensors[i].data())[n] = static_cast<int32_t>((5 * n + p.n_iter) % (p.n_iter + 1));
    }
    for (size_t e = 0; e < tensors[i].size() / SizeOf(TypeOf(md)); ++e) {
      StoreElement(TypeOf(md), value(random), e, &tensors[i]);
    }
  }
  return tensors;
}

enum class WeightsForm { kPlain, kPacked };

// Executes `plain` (all tensors plain) on `tensors`; its outputs end there. With kPacked the weights are given to the plan
// in the layout that it chooses. A workspace is left in `saved`, if given.
inline void RunForward(const RnnProblem& plain, WeightsForm form, Tensors* tensors, const TeamOptions& team = {},
                       Bytes* saved = nullptr) {
  RnnProblem problem = plain;
  for (int i = 0; i < kNumTensors && form == WeightsForm::kPacked; ++i) {
    MemoryDesc* md = &problem.md[i];
    if (!IsWeights(static_cast<Tensor>(i)) || IsZero(*md)) continue;
    *md = MakeAny(Dims(md->dims, md->dims + md->ndims), TypeOf(*md));
  }
  Validate(&problem);
  std::string why_not;
  const std::unique_ptr<const RnnPlan> plan = CreateRnnForTeam(problem, team, &why_not);
  if (plan == nullptr) throw std::runtime_error(why_not);
  RnnBuffers buffers;
  Tensors packed;
  for (int i = 0; i < kNumTensors; ++i) {
    const MemoryDesc& md = plan->problem().md[i];
    if (IsZero(md)) continue;
    buffers.tensor[i] = (*tensors)[i].data();
    if (!IsOpaque(md)) continue;
    const PackedLayout layout = PackedLayoutOf(md);
    packed[i].resize(layout.bytes);
    WeightsPacker(plain.md[i], layout, TypeOf(md)).Pack((*tensors)[i].data(), packed[i].data());
    buffers.tensor[i] = packed[i].data();
  }
  // Every byte of scratch starts as part of a NaN, and the start is misaligned.
  Bytes scratch(plan->scratchpad_bytes() + 4, static_cast<char>(0xff));
  buffers.scratchpad = scratch.data() + 4;
  Bytes workspace(plan->workspace_bytes(), static_cast<char>(0xff));
  buffers.workspace = workspace.data();
  plan->Execute(buffers);
  if (saved != nullptr) *saved = workspace;
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_TESTS_FORWARD_TESTING_H_
