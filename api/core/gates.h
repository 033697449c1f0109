// The places of a cell's gates in weights and bias, by their roles. No other code counts gates.
#ifndef TANDEM_API_CORE_GATES_H_
#define TANDEM_API_CORE_GATES_H_

#include "api/core/cell.h"

namespace tandem {

// The position of a gate in weights and bias; -1 if the cell has none of the role.
constexpr int FindGate(const CellTraits& traits, GateRole role) {
  for (int i = 0; i < traits.bias_gates; ++i) {
    if (traits.gate[i].role == role) return i;
  }
  return -1;
}
// The same in weights_peephole.
constexpr int FindPeephole(const CellTraits& traits, GateRole role) {
  int place = 0;
  for (const GateTraits& gate : traits.gate) {
    if (gate.peephole == Peephole::kNone) continue;
    if (gate.role == role) return place;
    ++place;
  }
  return -1;
}
// The gate of place `place` in weights_peephole.
constexpr int GateOfPeephole(const CellTraits& traits, Dim place) {
  int gate = 0;
  while (traits.gate[gate].peephole == Peephole::kNone || place-- > 0) ++gate;
  return gate;
}

// The positions of gates that equations name; not of a role that the cell lacks.
template <Cell kCell, GateRole kRole>
constexpr int GateOf() {
  static_assert(FindGate(TraitsOf(kCell), kRole) >= 0);
  return FindGate(TraitsOf(kCell), kRole);
}
template <Cell kCell, GateRole kRole>
constexpr int PeepholeOf() {
  static_assert(FindPeephole(TraitsOf(kCell), kRole) >= 0);
  return FindPeephole(TraitsOf(kCell), kRole);
}

struct VanillaGate {
  enum : int { kOnly = GateOf<Cell::kVanillaRnn, GateRole::kOnly>() };
};
struct LstmGate {
  enum : int {
    kInput = GateOf<Cell::kLstm, GateRole::kInput>(),
    kForget = GateOf<Cell::kLstm, GateRole::kForget>(),
    kCandidate = GateOf<Cell::kLstm, GateRole::kCandidate>(),
    kOutput = GateOf<Cell::kLstm, GateRole::kOutput>(),
  };
};
struct LstmPeephole {
  enum : int {
    kInput = PeepholeOf<Cell::kLstm, GateRole::kInput>(),
    kForget = PeepholeOf<Cell::kLstm, GateRole::kForget>(),
    kOutput = PeepholeOf<Cell::kLstm, GateRole::kOutput>(),
  };
};
// The gates of all four GRU cells. u' is that of LBR-GRU and LBR-AUGRU.
struct GruGate {
  enum : int {
    kUpdate = GateOf<Cell::kGru, GateRole::kUpdate>(),
    kReset = GateOf<Cell::kGru, GateRole::kReset>(),
    kCandidate = GateOf<Cell::kGru, GateRole::kCandidate>(),
    kUPrime = GateOf<Cell::kLbrGru, GateRole::kUPrime>(),
  };
};
static_assert(GruGate::kUpdate == GateOf<Cell::kLbrGru, GateRole::kUpdate>() &&
              GruGate::kReset == GateOf<Cell::kLbrGru, GateRole::kReset>() &&
              GruGate::kCandidate == GateOf<Cell::kLbrGru, GateRole::kCandidate>());

}  // namespace tandem

#endif  // TANDEM_API_CORE_GATES_H_
