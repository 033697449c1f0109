// The cells, and what each is made of: one row of a table, so that no switch elsewhere repeats it.
#ifndef TANDEM_API_CORE_CELL_H_
#define TANDEM_API_CORE_CELL_H_

#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {

using Dim = dnnl_dim_t;

enum class Cell { kVanillaRnn, kLstm, kGru, kLbrGru, kAugru, kLbrAugru };

constexpr Cell kCells[] = {Cell::kVanillaRnn, Cell::kLstm, Cell::kGru, Cell::kLbrGru, Cell::kAugru, Cell::kLbrAugru};
constexpr int kNumCells = sizeof kCells / sizeof *kCells;

// The gates of a time step are computed in one pass over the weights, or in two: a candidate that multiplies its
// weights with r * h has to wait for r.
enum class GatePasses { kOne, kCandidateSecond };

// The 8-bit types of src_layer that a cell takes.
enum class Int8Types { kNone, kU8, kU8AndS8 };

constexpr int kMostGates = 4;

// Sections "Vanilla RNN" to "Linear-Before-Reset AUGRU" of the specification's chapter on RNN.
struct CellTraits {
  Cell cell;
  dnnl_alg_kind_t alg_kind;             // as descriptors name it
  const char* alg_name;                 // dnnl::algorithm's enumerator: "vanilla_lstm"
  const char* name;                     // in messages: "lstm"
  Dim gates;                            // of weights_layer and weights_iter
  const char* gate_names[kMostGates];   // in their order there, the specification's letters; then the bias' own
  bool is_gru = false;                  // u, r, o; h_t = u h_{t-1} + (1 - u) o
  bool is_linear_before_reset = false;  // bias has one gate more, u', which the reset gate multiplies
  bool has_c = false;                   // src_iter_c, dst_iter_c; peephole and projection may be given
  bool has_attention = false;           // augru_attention; left2right and one layer only
  bool has_activation = false;          // activation, alpha: chosen by the user
  GatePasses passes = GatePasses::kOne;
  Int8Types int8 = Int8Types::kNone;
};

namespace cells {

constexpr CellTraits VanillaRnn() {
  CellTraits traits = {Cell::kVanillaRnn, dnnl_vanilla_rnn, "vanilla_rnn", "vanilla_rnn", 1, {"a"}};
  traits.has_activation = true;
  return traits;
}

constexpr CellTraits Lstm() {
  CellTraits traits = {Cell::kLstm, dnnl_vanilla_lstm, "vanilla_lstm", "lstm", 4, {"i", "f", "c~", "o"}};
  traits.has_c = true;
  traits.int8 = Int8Types::kU8AndS8;
  return traits;
}

constexpr CellTraits Gru() {
  CellTraits traits = {Cell::kGru, dnnl_vanilla_gru, "vanilla_gru", "gru", 3, {"u", "r", "o"}};
  traits.is_gru = true;
  traits.passes = GatePasses::kCandidateSecond;
  traits.int8 = Int8Types::kU8;
  return traits;
}

constexpr CellTraits LbrGru() {
  CellTraits traits = {Cell::kLbrGru, dnnl_lbr_gru, "lbr_gru", "lbr_gru", 3, {"u", "r", "o", "u'"}};
  traits.is_gru = true;
  traits.is_linear_before_reset = true;
  return traits;
}

// `traits` of the cell without attention.
constexpr CellTraits WithAttention(CellTraits traits, Cell cell, dnnl_alg_kind_t alg_kind, const char* alg_name,
                                   const char* name) {
  traits.cell = cell;
  traits.alg_kind = alg_kind;
  traits.alg_name = alg_name;
  traits.name = name;
  traits.has_attention = true;
  traits.int8 = Int8Types::kNone;
  return traits;
}

}  // namespace cells

// In the order of the enum.
inline constexpr CellTraits kCellTraits[kNumCells] = {
    cells::VanillaRnn(),
    cells::Lstm(),
    cells::Gru(),
    cells::LbrGru(),
    cells::WithAttention(cells::Gru(), Cell::kAugru, dnnl_vanilla_augru, "vanilla_augru", "augru"),
    cells::WithAttention(cells::LbrGru(), Cell::kLbrAugru, dnnl_lbr_augru, "lbr_augru", "lbr_augru"),
};

constexpr bool CellTraitsAreInOrder() {
  for (int i = 0; i < kNumCells; ++i) {
    if (kCellTraits[i].cell != kCells[i] || static_cast<int>(kCells[i]) != i) return false;
  }
  return true;
}
static_assert(CellTraitsAreInOrder(), "one row for each cell");

constexpr const CellTraits& TraitsOf(Cell cell) { return kCellTraits[static_cast<int>(cell)]; }

constexpr const char* ToString(Cell cell) { return TraitsOf(cell).name; }
constexpr bool IsGruFamily(Cell cell) { return TraitsOf(cell).is_gru; }
constexpr bool IsLinearBeforeReset(Cell cell) { return TraitsOf(cell).is_linear_before_reset; }
constexpr bool HasAttention(Cell cell) { return TraitsOf(cell).has_attention; }
constexpr bool HasCellState(Cell cell) { return TraitsOf(cell).has_c; }
constexpr bool HasActivation(Cell cell) { return TraitsOf(cell).has_activation; }
constexpr Dim NumGates(Cell cell) { return TraitsOf(cell).gates; }
// Gates in bias.
constexpr Dim NumBiasGates(Cell cell) { return NumGates(cell) + (IsLinearBeforeReset(cell) ? 1 : 0); }

}  // namespace tandem

#endif  // TANDEM_API_CORE_CELL_H_
