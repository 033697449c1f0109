// These experiments are made with a problem beside the run that every problem gets. The seed draws each independently of the
// others, so that any two of them meet, and a replay line repeats them all.
#ifndef TANDEM_CONFORMANCE_JUDGE_EXPERIMENTS_H_
#define TANDEM_CONFORMANCE_JUDGE_EXPERIMENTS_H_

#include "conformance/judge/check.h"

namespace tandem::conformance {

struct Experiments {
  // CheckOptions has their frequencies.
  bool relation, handed_on, warm_up, quality, repeated, in_company;
  // The numbers choose the relation and its free parameters, and the parameters that differ in the run before the problem.
  uint64_t relation_number, handed_on_number, warm_up_number;
  int threads;           // 1 to 3
  Interlude interlude;   // the backward problem's; every second one has none
  uint64_t judged_row;   // modulo mb; used if the oracle judges a single row of a backward problem
  uint64_t quality_row;  // modulo mb
};

Experiments ExperimentsOf(uint64_t seed, const CheckOptions& options);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_EXPERIMENTS_H_
