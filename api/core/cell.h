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
  const char* name;                     // in messages: "lbr_gru"
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

const CellTraits& TraitsOf(Cell cell);

const char* ToString(Cell cell);
inline bool IsGruFamily(Cell cell) { return TraitsOf(cell).is_gru; }
inline bool IsLinearBeforeReset(Cell cell) { return TraitsOf(cell).is_linear_before_reset; }
inline bool HasAttention(Cell cell) { return TraitsOf(cell).has_attention; }
inline bool HasCellState(Cell cell) { return TraitsOf(cell).has_c; }
inline bool HasActivation(Cell cell) { return TraitsOf(cell).has_activation; }
inline Dim NumGates(Cell cell) { return TraitsOf(cell).gates; }
// Gates in bias.
inline Dim NumBiasGates(Cell cell) { return NumGates(cell) + (IsLinearBeforeReset(cell) ? 1 : 0); }

}  // namespace tandem

#endif  // TANDEM_API_CORE_CELL_H_
