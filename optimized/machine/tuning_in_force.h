// The numbers that a plan uses: the table's (tuning.h), and those in their place that were measured on this machine.
#ifndef TANDEM_OPTIMIZED_MACHINE_TUNING_IN_FORCE_H_
#define TANDEM_OPTIMIZED_MACHINE_TUNING_IN_FORCE_H_

#include <string>
#include <vector>

#include "optimized/machine/target.h"
#include "optimized/machine/tuning.h"

namespace tandem {
namespace optimized {

// A number of the table that may be replaced: one that plans read. The kernels' own are constants of the compiled code.
struct TunableNumber {
  const char* name;
  double least, most;
  double multiple;  // of which it is one; 0: any number
  double (*get)(const Tuning& tuning);
  void (*set)(double value, Tuning* tuning);
};
const std::vector<TunableNumber>& TunableNumbers();

// `words` is "barrier=900,most_input_k=2048". With "target=avx2," in front they count for that target only. Throws
// invalid_arguments for a name or a value that is none, with the list of the names.
Tuning WithNumbers(const std::string& words, const Target& target, Tuning tuning);

// The processor's table, with the numbers that TANDEM_TUNING says (api/core/environment.h).
Tuning TuningInForce(const Target& target);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_MACHINE_TUNING_IN_FORCE_H_
