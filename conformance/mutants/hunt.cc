#include "conformance/mutants/hunt.h"

#include <array>

#include "conformance/compare.h"
#include "conformance/mutants/faulty.h"
#include "conformance/problem_notation.h"

namespace tandem::conformance {
namespace {

// Problems looked at before a bug is taken not to exist in a group.
constexpr uint64_t kProbe = 2000;

ProblemScope Scope(std::vector<Config> configs, bool backward) {
  ProblemScope scope;
  scope.configs = std::move(configs);
  scope.propagations = {backward ? Propagation::kBackward : Propagation::kForwardInference};
  // Long sequences and wide layers cost time and show nothing that these do not, but for offsets that wrap.
  scope.max_steps = 6;
  return scope;
}

struct Drawn {
  ProblemSpec spec;
  RnnProblem problem;
};

Drawn Draw(const MutantGroup& group, uint64_t seed, uint64_t index) {
  Drawn drawn;
  drawn.spec = RandomProblem(group.scope, seed, index);
  drawn.problem = ToRnnProblem(drawn.spec);
  return drawn;
}

// Inputs as the runner gives them: NaN in the gaps, a pattern in everything that is to be overwritten.
TensorSet Prepare(const ProblemSpec& spec, const RnnProblem& problem, uint8_t poison) {
  TensorSet tensors(problem);
  for (const Tensor t : Outputs(problem)) tensors[t].FillBytes(poison);
  if (problem.IsBackward()) {
    for (const Tensor t : {kDstLayer, kDstIter, kDstIterC}) tensors[t].FillBytes(poison);
  }
  FillInputs(spec, problem, &tensors);
  for (TensorBuffer& buffer : tensors.tensor) buffer.FillGaps(0xff);
  return tensors;
}

bool IsWritten(const RnnProblem& problem, Tensor t) {
  return IsOutput(problem, t) || t == kDstLayer || t == kDstIter || t == kDstIterC;
}

KilledBy CheckBytes(const RnnProblem& problem, const TensorSet& before, const TensorSet& after, std::string* detail) {
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor t = static_cast<Tensor>(i);
    if (!problem.Has(t)) continue;
    if (!IsWritten(problem, t) && before[t].bytes() != after[t].bytes()) {
      *detail = std::string(ToString(t)) + " was changed";
      return KilledBy::kInputs;
    }
    if (!after[t].GapsHold(0xff)) {
      *detail = std::string(ToString(t)) + ": a gap was written";
      return KilledBy::kGaps;
    }
  }
  return KilledBy::kNone;
}

// Elements bit by bit; NaN is NaN, whatever its payload.
bool SameOutputs(const RnnProblem& problem, const TensorSet& a, const TensorSet& b, std::string* detail) {
  for (const Tensor t : Outputs(problem)) {
    const size_t at = a[t].FirstDifference(b[t]);
    if (at == a[t].size()) continue;
    *detail =
        std::string(ToString(t)) + " differs between two runs at " + ToString(Locate(problem, t, at), problem.cell);
    return false;
  }
  return true;
}

KilledBy CheckBounds(const RnnProblem& problem, const TensorSet& inputs, const TensorSet& got, const Profile& profile,
                     std::string* detail) {
  OracleOptions options;
  options.profile = profile;
  options.forced = &got;
  const ProblemReport report = CompareAll(problem, RunOracle(problem, inputs, options), got);
  for (const TensorReport& row : report.rows) {
    if (row.outcome.verdict() < Verdict::kFail) continue;
    *detail = ToString(row, problem.cell);
    return KilledBy::kBounds;
  }
  return KilledBy::kNone;
}

double Scaled(const TensorBuffer& weights, size_t i, double factor) { return weights.Get(i) * factor; }

}  // namespace

const std::vector<MutantGroup>& MutantGroups() {
  static const std::vector<MutantGroup>* const kGroups = new std::vector<MutantGroup>{
      {"forward f32", Scope({Config::kF32}, false), false},
      {"forward bf16", Scope({Config::kBf16, Config::kBf16f32}, false), false},
      {"forward f16", Scope({Config::kF16, Config::kF16f32, Config::kF16c32}, false), false},
      {"forward int8",
       Scope({Config::kU8u8u8u8, Config::kU8u8u8f32, Config::kF32u8f32u8, Config::kF32u8f32f32, Config::kS8s8s8s8,
              Config::kS8s8s8f32, Config::kF32s8f32s8, Config::kF32s8f32f32},
             false),
       false},
      {"backward f32", Scope({Config::kF32}, true), true},
      {"backward bf16", Scope({Config::kBf16, Config::kBf16f32}, true), true},
      {"backward f16", Scope({Config::kF16, Config::kF16f32, Config::kF16c32}, true), true},
  };
  return *kGroups;
}

const char* ToString(KilledBy check) {
  static constexpr std::array<const char*, 6> kNames = {"survives", "crash", "inputs", "gaps", "repeat", "bounds"};
  return kNames[static_cast<size_t>(check)];
}

KilledBy CheckImplementation(const Implementation& implementation, const ProblemSpec& spec, const Profile& profile,
                             std::string* detail) {
  const RnnProblem problem = ToRnnProblem(spec);
  ProblemSpec other = spec;
  other.seed = spec.seed + 1;
  TensorSet warm_up = Prepare(other, problem, 0x00);
  const TensorSet inputs = Prepare(spec, problem, 0xff);
  TensorSet got = inputs, again = Prepare(spec, problem, 0x55);
  for (TensorSet* tensors : {&warm_up, &got, &again}) {
    const RunResult run = implementation(problem, tensors);
    if (run.status == RunStatus::kOk) continue;
    *detail = run.message;
    return KilledBy::kCrash;
  }
  const KilledBy bytes = CheckBytes(problem, inputs, got, detail);
  if (bytes != KilledBy::kNone) return bytes;
  const KilledBy bounds = CheckBounds(problem, inputs, got, profile, detail);
  if (bounds != KilledBy::kNone) return bounds;
  return SameOutputs(problem, got, again, detail) ? KilledBy::kNone : KilledBy::kRepeat;
}

Kill Hunt(const MutationInfo& info, const MutantGroup& group, uint64_t seed, uint64_t limit) {
  const Implementation faulty = MakeFaulty(info.mutation);
  Kill kill;
  kill.mutation = info.mutation;
  kill.group = group.name;
  for (uint64_t i = 0; i < limit && kill.check == KilledBy::kNone; ++i) {
    const Drawn drawn = Draw(group, seed, i);
    kill.problems = i + 1;
    if (!info.applies(drawn.problem)) continue;
    ++kill.applicable;
    kill.check = CheckImplementation(faulty, drawn.spec, Profile(), &kill.detail);
    if (kill.check != KilledBy::kNone) kill.detail += "\n    replay: " + PrintProblem(drawn.spec);
  }
  return kill;
}

bool AppliesToGroup(const MutationInfo& info, const MutantGroup& group, uint64_t seed) {
  if (info.backward != group.backward) return false;
  for (uint64_t i = 0; i < kProbe; ++i) {
    if (info.applies(Draw(group, seed, i).problem)) return true;
  }
  return false;
}

std::vector<DetectionPoint> DetectionCurve(const MutantGroup& group, uint64_t seed, uint64_t problems) {
  const Implementation sound = MakeFaulty(Mutation::kNoBug);
  std::vector<DetectionPoint> curve;
  for (const double d : {1., 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    DetectionPoint point = {group.name, d, 0, 0};
    for (uint64_t i = 0; i < problems; ++i) {
      const Drawn drawn = Draw(group, seed, i);
      const TensorSet inputs = Prepare(drawn.spec, drawn.problem, 0xff);
      TensorSet got = inputs;
      for (const Tensor t : {kWeightsLayer, kWeightsIter}) {
        for (size_t k = 0; k < got[t].size(); ++k) got[t].Set(k, Scaled(inputs[t], k, 1 + d));
      }
      if (sound(drawn.problem, &got).status != RunStatus::kOk) continue;
      std::string detail;
      ++point.problems;
      point.detected += CheckBounds(drawn.problem, inputs, got, Profile(), &detail) != KilledBy::kNone;
    }
    curve.push_back(point);
  }
  return curve;
}

}  // namespace tandem::conformance
