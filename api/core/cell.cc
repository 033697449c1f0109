#include "api/core/cell.h"

namespace tandem {
namespace {

constexpr CellTraits VanillaRnn() {
  CellTraits traits = {Cell::kVanillaRnn, dnnl_vanilla_rnn, "vanilla_rnn", 1, {"a"}};
  traits.has_activation = true;
  return traits;
}

constexpr CellTraits Lstm() {
  CellTraits traits = {Cell::kLstm, dnnl_vanilla_lstm, "lstm", 4, {"i", "f", "c~", "o"}};
  traits.has_c = true;
  traits.int8 = Int8Types::kU8AndS8;
  return traits;
}

constexpr CellTraits Gru(Cell cell, dnnl_alg_kind_t alg_kind, const char* name) {
  CellTraits traits = {cell, alg_kind, name, 3, {"u", "r", "o"}};
  traits.is_gru = true;
  traits.passes = GatePasses::kCandidateSecond;
  return traits;
}

constexpr CellTraits GruWithInt8() {
  CellTraits traits = Gru(Cell::kGru, dnnl_vanilla_gru, "gru");
  traits.int8 = Int8Types::kU8;
  return traits;
}

constexpr CellTraits LinearBeforeReset(CellTraits traits) {
  traits.is_linear_before_reset = true;
  traits.gate_names[3] = "u'";
  traits.passes = GatePasses::kOne;
  return traits;
}

constexpr CellTraits WithAttention(CellTraits traits) {
  traits.has_attention = true;
  return traits;
}

// In the order of the enum.
constexpr CellTraits kTraits[kNumCells] = {
    VanillaRnn(),
    Lstm(),
    GruWithInt8(),
    LinearBeforeReset(Gru(Cell::kLbrGru, dnnl_lbr_gru, "lbr_gru")),
    WithAttention(Gru(Cell::kAugru, dnnl_vanilla_augru, "augru")),
    WithAttention(LinearBeforeReset(Gru(Cell::kLbrAugru, dnnl_lbr_augru, "lbr_augru"))),
};

constexpr bool InOrder() {
  for (int i = 0; i < kNumCells; ++i) {
    if (kTraits[i].cell != kCells[i] || static_cast<int>(kCells[i]) != i) return false;
  }
  return true;
}
static_assert(InOrder(), "one row for each cell");

}  // namespace

const CellTraits& TraitsOf(Cell cell) { return kTraits[static_cast<int>(cell)]; }

const char* ToString(Cell cell) { return TraitsOf(cell).name; }

}  // namespace tandem
