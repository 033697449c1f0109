#include "api/library/primitives/rnn_hint.h"

#include <string>

#include "api/core/error.h"
#include "api/core/names.h"
#include "api/core/text/text.h"
#include "api/library/primitives/rnn_op_desc.h"
#include "dnnl/abi.h"

namespace tandem {
namespace {

[[noreturn]] void Refuse(const std::string& what, const std::string& hint, const std::string& backward) {
  ThrowInvalid("hint_fwd_pd: its " + what + " is " + hint + ", but backward's is " + backward);
}

template <class Enum>
const char* WordFor(Enum value) {
  return ToString(value);
}
// The client's word: an activation is an algorithm of eltwise there.
const char* WordFor(Activation activation) { return tandem_alg_kind2str(ToC(activation)); }

template <class Enum>
void CheckSame(const char* what, Enum hint, Enum backward) {
  if (hint != backward) Refuse(what, WordFor(hint), WordFor(backward));
}

std::string TypeAndDims(const MemoryDesc& md) {
  return IsZero(md) ? "absent" : std::string(ToString(TypeOf(md))) + " " + DimsToString(md);
}

void CheckTensor(Tensor tensor, const MemoryDesc& hint, const MemoryDesc& backward) {
  // A result may be wanted of one of the two only.
  if (IsResult(tensor) && (IsZero(hint) || IsZero(backward))) return;
  const std::string hint_text = TypeAndDims(hint), backward_text = TypeAndDims(backward);
  if (hint_text != backward_text) Refuse(ToString(tensor), hint_text, backward_text);
}

}  // namespace

void CheckHint(const RnnProblem& backward, const RnnProblem& hint) {
  if (!hint.IsTraining()) {
    ThrowInvalid(std::string("hint_fwd_pd: its propagation kind is ") + ToString(hint.propagation) +
                 ", but backward needs the descriptor of a forward_training");
  }
  CheckSame("cell kind", hint.cell, backward.cell);
  CheckSame("direction", hint.direction, backward.direction);
  if (HasActivation(backward.cell)) {
    CheckSame("activation", hint.activation, backward.activation);
    if (hint.alpha != backward.alpha) Refuse("alpha", NumberText(hint.alpha), NumberText(backward.alpha));
    if (hint.beta != backward.beta) Refuse("beta", NumberText(hint.beta), NumberText(backward.beta));
  }
  for (const Tensor tensor : kForwardTensors) CheckTensor(tensor, hint.md[tensor], backward.md[tensor]);
  if (HasCellState(backward.cell)) CheckSame("type of c", CellStateType(hint), CellStateType(backward));
}

}  // namespace tandem
