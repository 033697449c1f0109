// The attribute rnn_layer_normalization: which sums of an RNN are normalized. Tandem's own (docs/layer_normalization.md).
#ifndef TANDEM_API_CORE_ATTRIBUTES_LAYER_NORM_H_
#define TANDEM_API_CORE_ATTRIBUTES_LAYER_NORM_H_

#include <tuple>

namespace tandem {

// The part of a pre-activation W x + U h' + B that is normalized. Bias and peephole join it afterwards.
enum class NormKind {
  kNone,
  kSum,    // W x + U h'
  kParts,  // W x, and apart from it U h'
};
constexpr const char* ToString(NormKind kind) {
  switch (kind) {
    case NormKind::kNone:
      return "none";
    case NormKind::kSum:
      return "sum";
    case NormKind::kParts:
      return "parts";
  }
  return nullptr;
}

// The numbers of a row of the minibatch that have one mean and one variance.
enum class NormScope {
  kGate,  // the dhc channels of a gate
  kRow,   // the channels of all gates
};
constexpr const char* ToString(NormScope scope) {
  switch (scope) {
    case NormScope::kGate:
      return "gate";
    case NormScope::kRow:
      return "row";
  }
  return nullptr;
}

// Whether LSTM's c_t is normalized, over its dhc channels.
enum class CellNorm {
  kNone,
  kOutput,  // only the c_t of tanh(c_t)
  kState,   // c_t as all that reads it has it: tanh, the peephole of the output gate, the next step, dst_iter_c
};
constexpr const char* ToString(CellNorm cell) {
  switch (cell) {
    case CellNorm::kNone:
      return "none";
    case CellNorm::kOutput:
      return "output";
    case CellNorm::kState:
      return "state";
  }
  return nullptr;
}

struct LayerNorm {
  NormKind kind = NormKind::kNone;
  NormScope scope = NormScope::kGate;
  CellNorm cell = CellNorm::kNone;
  float epsilon = 1e-5f;  // is added to the variance

  // Says whether anything is normalized.
  bool given() const { return kind != NormKind::kNone || cell != CellNorm::kNone; }
  // The products of a pre-activation that have norms: their sum, or W x and U h'.
  constexpr int NumProducts() const { return kind == NormKind::kNone ? 0 : kind == NormKind::kSum ? 1 : 2; }
  // The number of norms of a cell with `gates` gates, each with gains and offsets of its own: those of W x or of the sum, one for
  // each gate, those of U h', and that of c_t.
  template <class Count>
  Count NumNorms(Count gates) const {
    return static_cast<Count>(NumProducts()) * gates + (cell == CellNorm::kNone ? 0 : 1);
  }
};

inline auto Fields(const LayerNorm& norm) { return std::tie(norm.kind, norm.scope, norm.cell, norm.epsilon); }

}  // namespace tandem

#endif  // TANDEM_API_CORE_ATTRIBUTES_LAYER_NORM_H_
