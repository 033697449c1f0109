// What is done with a problem beside the run that every problem gets. The seed draws each experiment independently of
// the others, so that any two of them meet, and a replay line repeats them all.
#ifndef TANDEM_CONFORMANCE_JUDGE_EXPERIMENTS_H_
#define TANDEM_CONFORMANCE_JUDGE_EXPERIMENTS_H_

#include "conformance/judge/check.h"

namespace tandem::conformance {

struct Experiments {
  // As CheckOptions has their frequencies.
  bool relation, handed_on, warm_up, quality, repeated, in_company;
  // Chooses the relation and what it leaves open, and which parameters the run before the problem has otherwise.
  uint64_t relation_number, handed_on_number, warm_up_number;
  int threads;           // 1 to 3
  Interlude interlude;   // of a backward problem; every second one has none
  uint64_t judged_row;   // modulo mb: where the oracle judges a single row of a backward problem
  uint64_t quality_row;  // modulo mb
};

Experiments ExperimentsOf(uint64_t seed, const CheckOptions& options);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_EXPERIMENTS_H_
