// The cells, and what each is made of: one row of a table, so that no switch elsewhere repeats it.
//
// A cell's row says of each gate what its pre-activation sums, and what activates it. Places that only need to know what a
// cell consists of ask the row; places where the equations differ switch over Cell. Both are complete: a new enumerator does
// not compile without a row (FindTraits), nor where a switch has no case for it (-Wswitch-enum).
#ifndef TANDEM_API_CORE_CELL_H_
#define TANDEM_API_CORE_CELL_H_

#include <array>
#include <cstddef>

#include "api/core/enums.h"
#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {

using Dim = dnnl_dim_t;

enum class Cell { kVanillaRnn, kLstm, kGru, kLbrGru, kAugru, kLbrAugru };

// The purpose of a gate. A cell has no role twice.
enum class GateRole {
  kOnly,       // a, whose value is h_t
  kInput,      // i, the weight of c~ in c_t
  kForget,     // f, the weight of c_{t-1} in c_t
  kCandidate,  // c~ of LSTM, o of GRU: what is new in the state
  kOutput,     // o of LSTM
  kUpdate,     // u, the weight of h_{t-1} in h_t; that of the candidate is 1 - u
  kReset,      // r
  kUPrime,     // u': the bias that r multiplies together with U_o h_{t-1}
};

// The function that makes a gate of its pre-activation.
enum class GateFunction {
  kNone,
  kSigmoid,
  kTanh,
  kChosen,  // the problem's activation
};
constexpr const char* ToString(GateFunction function) {
  switch (function) {
    case GateFunction::kNone:
      return "none";
    case GateFunction::kSigmoid:
      return "sigmoid";
    case GateFunction::kTanh:
      return "tanh";
    case GateFunction::kChosen:
      return "chosen";
  }
  return nullptr;
}

// The factor that a gate's weights_layer multiply.
enum class LayerProduct { kNone, kInput };

// The factor that a gate's weights_iter multiply, and the place where the product enters.
enum class IterProduct {
  kNone,            // a gate without recurrent weights
  kState,           // U h_{t-1} is one term of the pre-activation
  kResetState,      // so is U (r * h_{t-1}), which has to wait for r
  kStateThenReset,  // so is r * (U h_{t-1} + B_u')
};

// The c that a gate with a peephole sees.
enum class Peephole { kNone, kPreviousC, kNewC };

struct GateTraits {
  GateRole role = GateRole::kOnly;
  const char* name = nullptr;  // the specification's letter
  GateFunction function = GateFunction::kNone;
  LayerProduct layer = LayerProduct::kNone;
  IterProduct iter = IterProduct::kNone;
  Peephole peephole = Peephole::kNone;
};

// The rule by which h_t comes from the gates.
enum class StateRule {
  kGate,   // h_t = a
  kFromC,  // h_t = o tanh(c_t): src_iter_c and dst_iter_c; peephole and projection may be given
  kBlend,  // h_t = u h_{t-1} + (1 - u) o
};

enum class Attention {
  kNone,
  kScalesUpdate,  // augru_attention; left2right and one layer only
};

// The 8-bit types of src_layer that a cell takes.
enum class Int8Types { kNone, kU8, kU8AndS8 };

// The gates of a time step are computed in one pass over the weights, or in two: a candidate that multiplies its
// weights with r * h has to wait for r.
enum class GatePasses { kOne, kCandidateSecond };

constexpr int kMostGates = 4;

// Sections "Vanilla RNN" to "Linear-Before-Reset AUGRU" of the specification's chapter on RNN.
struct CellTraits {
  Cell cell;
  dnnl_alg_kind_t alg_kind;  // as descriptors name it
  const char* alg_name;      // dnnl::algorithm's enumerator: "vanilla_lstm"
  const char* name;          // in messages: "lstm"
  StateRule state;
  GateTraits gate[kMostGates];  // in the order of the weights; then those that only bias has
  Attention attention = Attention::kNone;
  Int8Types int8 = Int8Types::kNone;

  // Derived() sets the members that follow.
  Cell without_attention = Cell::kVanillaRnn;  // the cell itself where it has none
  Dim gates = 0;                               // of weights_layer and weights_iter
  Dim bias_gates = 0;                          // of bias
  Dim peepholes = 0;                           // of weights_peephole
  GatePasses passes = GatePasses::kOne;
  bool has_iter_product = false;  // weights_iter is a tensor of this cell
  bool resets_iter_product = false;
  bool has_activation = false;
};

namespace cells {

constexpr CellTraits Derived(CellTraits traits) {
  traits.without_attention = traits.cell;
  for (const GateTraits& gate : traits.gate) {
    if (gate.name == nullptr) break;
    ++traits.bias_gates;
    if (gate.layer != LayerProduct::kNone || gate.iter != IterProduct::kNone) ++traits.gates;
    if (gate.peephole != Peephole::kNone) ++traits.peepholes;
    if (gate.iter == IterProduct::kResetState) traits.passes = GatePasses::kCandidateSecond;
    if (gate.iter == IterProduct::kStateThenReset) traits.resets_iter_product = true;
    if (gate.iter != IterProduct::kNone) traits.has_iter_product = true;
    if (gate.function == GateFunction::kChosen) traits.has_activation = true;
  }
  return traits;
}

// A gate of both products.
constexpr GateTraits Gate(GateRole role, const char* name, GateFunction function,
                          IterProduct iter = IterProduct::kState, Peephole peephole = Peephole::kNone) {
  return {role, name, function, LayerProduct::kInput, iter, peephole};
}

inline constexpr CellTraits kVanillaRnn = Derived({Cell::kVanillaRnn,
                                                   dnnl_vanilla_rnn,
                                                   "vanilla_rnn",
                                                   "vanilla_rnn",
                                                   StateRule::kGate,
                                                   {Gate(GateRole::kOnly, "a", GateFunction::kChosen)}});

inline constexpr CellTraits kLstm =
    Derived({Cell::kLstm,
             dnnl_vanilla_lstm,
             "vanilla_lstm",
             "lstm",
             StateRule::kFromC,
             {Gate(GateRole::kInput, "i", GateFunction::kSigmoid, IterProduct::kState, Peephole::kPreviousC),
              Gate(GateRole::kForget, "f", GateFunction::kSigmoid, IterProduct::kState, Peephole::kPreviousC),
              Gate(GateRole::kCandidate, "c~", GateFunction::kTanh),
              Gate(GateRole::kOutput, "o", GateFunction::kSigmoid, IterProduct::kState, Peephole::kNewC)},
             Attention::kNone,
             Int8Types::kU8AndS8});

inline constexpr CellTraits kGru =
    Derived({Cell::kGru,
             dnnl_vanilla_gru,
             "vanilla_gru",
             "gru",
             StateRule::kBlend,
             {Gate(GateRole::kUpdate, "u", GateFunction::kSigmoid), Gate(GateRole::kReset, "r", GateFunction::kSigmoid),
              Gate(GateRole::kCandidate, "o", GateFunction::kTanh, IterProduct::kResetState)},
             Attention::kNone,
             Int8Types::kU8});

inline constexpr CellTraits kLbrGru =
    Derived({Cell::kLbrGru,
             dnnl_lbr_gru,
             "lbr_gru",
             "lbr_gru",
             StateRule::kBlend,
             {Gate(GateRole::kUpdate, "u", GateFunction::kSigmoid),
              Gate(GateRole::kReset, "r", GateFunction::kSigmoid),
              Gate(GateRole::kCandidate, "o", GateFunction::kTanh, IterProduct::kStateThenReset),
              {GateRole::kUPrime, "u'"}},
             Attention::kNone,
             Int8Types::kU8AndS8});

// `traits` of the cell without attention.
constexpr CellTraits WithAttention(CellTraits traits, Cell cell, dnnl_alg_kind_t alg_kind, const char* alg_name,
                                   const char* name) {
  traits.cell = cell;
  traits.alg_kind = alg_kind;
  traits.alg_name = alg_name;
  traits.name = name;
  traits.attention = Attention::kScalesUpdate;
  traits.int8 = Int8Types::kNone;
  return traits;
}

inline constexpr CellTraits kAugru = WithAttention(kGru, Cell::kAugru, dnnl_vanilla_augru, "vanilla_augru", "augru");
inline constexpr CellTraits kLbrAugru =
    WithAttention(kLbrGru, Cell::kLbrAugru, dnnl_lbr_augru, "lbr_augru", "lbr_augru");

}  // namespace cells

// Null for a value that is no enumerator.
constexpr const CellTraits* FindTraits(Cell cell) {
  switch (cell) {
    case Cell::kVanillaRnn:
      return &cells::kVanillaRnn;
    case Cell::kLstm:
      return &cells::kLstm;
    case Cell::kGru:
      return &cells::kGru;
    case Cell::kLbrGru:
      return &cells::kLbrGru;
    case Cell::kAugru:
      return &cells::kAugru;
    case Cell::kLbrAugru:
      return &cells::kLbrAugru;
  }
  return nullptr;
}

constexpr const char* ToString(Cell cell) {
  const CellTraits* const traits = FindTraits(cell);
  return traits == nullptr ? nullptr : traits->name;
}

inline constexpr int kNumCells = CountOf<Cell>();
inline constexpr auto kCells = AllOf<Cell>();

inline constexpr std::array<CellTraits, kNumCells> kCellTraits = TableOf<CellTraits, Cell>(FindTraits);

constexpr const CellTraits& TraitsOf(Cell cell) { return kCellTraits[static_cast<size_t>(cell)]; }

static_assert(HasRowForEach(kCellTraits, &CellTraits::cell, LastOf<Cell>()), "each cell has its own row");

constexpr const char* GateName(Cell cell, Dim gate) { return TraitsOf(cell).gate[gate].name; }
constexpr Dim NumGates(Cell cell) { return TraitsOf(cell).gates; }
// Gates in bias.
constexpr Dim NumBiasGates(Cell cell) { return TraitsOf(cell).bias_gates; }
constexpr Dim NumPeepholes(Cell cell) { return TraitsOf(cell).peepholes; }
// The gates of the first pass over the weights; a second one has the last gate.
constexpr Dim NumFirstPassGates(Cell cell) {
  return NumGates(cell) - (TraitsOf(cell).passes == GatePasses::kCandidateSecond ? 1 : 0);
}

// u h_{t-1} + (1 - u) o: h_{t-1} is also read unit by unit, so it is as wide as h_t.
constexpr bool BlendsState(Cell cell) { return TraitsOf(cell).state == StateRule::kBlend; }
constexpr bool HasCellState(Cell cell) { return TraitsOf(cell).state == StateRule::kFromC; }
constexpr bool HasAttention(Cell cell) { return TraitsOf(cell).attention != Attention::kNone; }
constexpr bool HasActivation(Cell cell) { return TraitsOf(cell).has_activation; }
constexpr bool HasIterProduct(Cell cell) { return TraitsOf(cell).has_iter_product; }
// U_o h_{t-1} + B_u' is kept apart from W_o x, because r multiplies it: bias has the gate u'.
constexpr bool IsLinearBeforeReset(Cell cell) { return TraitsOf(cell).resets_iter_product; }
// U_o multiplies r * h_{t-1}.
constexpr bool WaitsForReset(Cell cell) { return TraitsOf(cell).passes == GatePasses::kCandidateSecond; }

}  // namespace tandem

#endif  // TANDEM_API_CORE_CELL_H_
