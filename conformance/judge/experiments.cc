#include "conformance/judge/experiments.h"

#include "conformance/problem/base/counter_random.h"

namespace tandem::conformance {
namespace {

// The order of the draws is data: it decides which problems get which experiment.
enum Draw : uint64_t {
  kRelation,
  kRelationNumber,
  kHandedOn,
  kHandedOnNumber,
  kWarmUp,
  kQuality,
  kQualityRow,
  kThreads,
  kInterlude,
  kJudgedRow,
  kRepeated,
  kInCompany,
  kWarmUpNumber,
};

// A problem line without a seed has this one.
constexpr uint64_t kDefaultSeed = 1;

}  // namespace

Experiments ExperimentsOf(uint64_t seed, const CheckOptions& options) {
  const auto draw = [seed](Draw which) { return CounterRandom(seed, kStreamExperiments, which); };
  const auto one_in = [&](uint64_t every, Draw which) { return every > 0 && draw(which) % every == 0; };
  Experiments e;
  e.relation = one_in(options.relations_every, kRelation);
  e.handed_on = one_in(options.hand_on_every, kHandedOn);
  e.warm_up = one_in(options.warm_up_every, kWarmUp);
  // A user who writes a problem by hand sees its quality.
  e.quality = one_in(options.quality_every, kQuality) || (options.quality_every > 0 && seed == kDefaultSeed);
  e.repeated = one_in(options.repeat_every, kRepeated);
  e.in_company = one_in(options.company_every, kInCompany);
  e.relation_number = draw(kRelationNumber);
  e.handed_on_number = draw(kHandedOnNumber);
  e.warm_up_number = draw(kWarmUpNumber);
  e.threads = 1 + static_cast<int>(draw(kThreads) % 3);
  e.interlude = draw(kInterlude) % 2 == 0 ? Interlude::kNone : Interlude::kOtherForward;
  e.judged_row = draw(kJudgedRow);
  e.quality_row = draw(kQualityRow);
  return e;
}

}  // namespace tandem::conformance
