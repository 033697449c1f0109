// The mutated implementation as a shared library, like a vendor's. The environment variable TANDEM_MUTANT names the
// bug; without it there is no bug. TANDEM_MUTANT_SERVES=PlainLstm, =OneLbrGru or =Nothing makes it refuse all other
// problems.
#include <cstdlib>
#include <string>

#include "conformance/faulty/faulty_plugin.h"

namespace tandem::conformance {
namespace {

// Null if there is no bug of that name. The variable is read at the first call on a problem: the judge loads this
// library once for all bugs.
const tandem_plugin* Chosen() {
  const char* name = std::getenv("TANDEM_MUTANT");
  const MutationInfo* info = FindMutation(name != nullptr ? name : "NoBug");
  return info != nullptr ? FaultyPlugin(info->mutation) : nullptr;
}

const tandem_description* Describe(const tandem_plugin*) {
  const tandem_plugin* chosen = Chosen();
  return chosen != nullptr ? chosen->describe(chosen) : nullptr;
}

bool IsPlainLstm(const tandem_problem* p) {
  return p->cell == tandem_lstm && p->propagation == tandem_forward_inference &&
         p->tensor[tandem_src_layer].data_type == tandem_f32 && p->tensor[tandem_weights_peephole].ndims == 0 &&
         p->tensor[tandem_weights_projection].ndims == 0;
}

// As much as a kernel of one cell has: no stack of layers, no other direction, of any type.
bool IsOneLbrGru(const tandem_problem* p) {
  return p->cell == tandem_lbr_gru && p->n_layer == 1 && p->direction == tandem_left2right;
}

bool IsServed(const tandem_problem* problem) {
  const char* variable = std::getenv("TANDEM_MUTANT_SERVES");
  if (variable == nullptr) return true;
  const std::string serves = variable;
  return (serves == "PlainLstm" && IsPlainLstm(problem)) || (serves == "OneLbrGru" && IsOneLbrGru(problem));
}

int32_t Supports(const tandem_plugin*, const tandem_problem* problem, tandem_requirements* needs, char* reason,
                 size_t reason_size) {
  if (!IsServed(problem)) return tandem_not_supported;
  static const tandem_plugin* const kChosen = Chosen();
  return kChosen->supports(kChosen, problem, needs, reason, reason_size);
}

int32_t Run(const tandem_plugin*, const tandem_problem* problem, const tandem_plugin_memory* memory, char* message,
            size_t message_size) {
  static const tandem_plugin* const kChosen = Chosen();
  return kChosen->run(kChosen, problem, memory, message, message_size);
}

constexpr tandem_plugin kPlugin = {sizeof(tandem_plugin), TANDEM_PLUGIN_ABI, Describe, Supports, Run};

}  // namespace
}  // namespace tandem::conformance

extern "C" const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  return host_abi == TANDEM_PLUGIN_ABI ? &tandem::conformance::kPlugin : nullptr;
}
