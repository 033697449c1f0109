#include "conformance/faulty/mutants/hunt.h"

#include "conformance/faulty/faulty.h"
#include "conformance/judge/campaign.h"
#include "conformance/problem/random/random_problem.h"

namespace tandem::conformance {
namespace {

// Problems looked at before a bug is taken not to exist in a group.
constexpr uint64_t kProbe = 2000;

ProblemScope Scope(std::vector<Config> configs, bool backward) {
  ProblemScope scope;
  scope.configs = std::move(configs);
  scope.lengths_one_in = 6;
  scope.norms_one_in = 6;
  scope.masks_one_in = 6;
  scope.other_activations = OtherActivations();
  scope.gates_one_in = 4;
  scope.propagations = {backward ? Propagation::kBackward : Propagation::kForwardInference};
  return scope;
}

}  // namespace

const std::vector<MutantGroup>& MutantGroups() {
  static const std::vector<MutantGroup>* const kGroups = new std::vector<MutantGroup>{
      {"forward f32", Scope({Config::kF32}, false), false},
      {"forward bf16", Scope({Config::kBf16, Config::kBf16f32}, false), false},
      {"forward f16", Scope({Config::kF16, Config::kF16f32, Config::kF16c32}, false), false},
      {"forward w8", Scope({Config::kF32w8, Config::kBf16w8}, false), false},
      {"forward dynamic", Scope({Config::kF32w8dyn}, false), false},
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

CheckOptions HuntOptions() {
  CheckOptions options = OptionsFor(Tier::kQuick).check;
  options.timeout_seconds = 5;
  return options;
}

std::string NameOfCheck(const CheckedProblem& checked) {
  if (checked.outcome.verdict() < Verdict::kFail) return "";
  if (checked.finding != Finding::kNone) return ToString(checked.finding);
  for (const TensorReport& row : checked.report.rows) {
    if (row.outcome.verdict() < Verdict::kFail) continue;
    return std::string(ToString(row.kind)) + " " + ToString(row.tensor);
  }
  return ToString(checked.outcome.verdict());
}

HuntingGround::HuntingGround(const MutantGroup& group, uint64_t seed) : group_(group) {
  for (uint64_t i = 0; i < kProbe; ++i) {
    const ProblemSpec spec = RandomProblem(group.scope, seed, i);
    drawn_.push_back({spec, ToRnnProblem(spec)});
  }
}

bool HuntingGround::CanShow(const MutationInfo& info) const {
  if (info.backward != group_.backward) return false;
  for (const Drawn& drawn : drawn_) {
    if (info.applies(drawn.problem)) return true;
  }
  return false;
}

Kill HuntingGround::Hunt(const MutationInfo& info, uint64_t limit) const {
  const Plugin plugin = MutantPlugin(info.mutation);
  const CheckOptions options = HuntOptions();
  Kill kill;
  kill.mutation = info.mutation;
  kill.group = group_.name;
  for (const Drawn& drawn : drawn_) {
    if (kill.killed() || kill.problems == limit) break;
    ++kill.problems;
    if (!info.applies(drawn.problem)) continue;
    ++kill.applicable;
    const CheckedProblem checked = CheckProblem(plugin, drawn.spec, options);
    kill.check = NameOfCheck(checked);
    kill.detail = checked.message;
    kill.replay = ReplayLine(checked);
  }
  return kill;
}

}  // namespace tandem::conformance
