// The columns of the gates' weights, cut into the panels that the gradients of the weights are computed in.
//
// A column is a unit of a gate. The gates of a part (layout.h) lie one after the other without padding, as those of an input
// channel do in the user's tensors; in the gates' gradients their blocks of 16 units alternate.
#ifndef TANDEM_OPTIMIZED_BACKWARD_GATE_PANELS_H_
#define TANDEM_OPTIMIZED_BACKWARD_GATE_PANELS_H_

#include <algorithm>

#include "optimized/kernels/backward_kernels.h"
#include "optimized/weights/layout.h"

namespace tandem {
namespace optimized {

// Columns of one part, from `column` of it on.
struct GatePanel {
  int part;
  Dim column;
  Dim columns;
};

// Units of one block of one gate, which are columns of a panel from `at` on.
struct PanelUnits {
  Dim gate, unit, n;
  Dim at;
};

class GatePanels {
 public:
  // `layout` outlives this object.
  GatePanels(const PackedLayout& layout, Dim dhc) : layout_(layout), dhc_(dhc) {}

  // Panels of 64 columns, and what is left of each part.
  template <class Visit>
  void ForEach(const Visit& visit) const {
    for (int part = 0; part < layout_.n_parts; ++part) {
      for (Dim column = 0; column < ColumnsOf(part); column += kPanelColumns) {
        visit(GatePanel{part, column, std::min(kPanelColumns, ColumnsOf(part) - column)});
      }
    }
  }
  template <class Visit>
  void ForEachUnits(const GatePanel& panel, const Visit& visit) const {
    const Dim first_gate = layout_.part[panel.part].first_gate;
    Dim n = 0;
    for (Dim at = 0; at < panel.columns; at += n) {
      const Dim gate = (panel.column + at) / dhc_, unit = (panel.column + at) % dhc_;
      n = std::min({kBlock - unit % kBlock, dhc_ - unit, panel.columns - at});
      visit(PanelUnits{first_gate + gate, unit, n, at});
    }
  }

  Dim ColumnsOf(int part) const { return layout_.part[part].gates * dhc_; }
  // The position of a panel's first column among those of all parts, each of which begins with a block.
  Dim Position(const GatePanel& panel) const {
    Dim position = panel.column;
    for (int part = 0; part < panel.part; ++part) position += RoundUp(ColumnsOf(part), kBlock);
    return position;
  }
  Dim PositionOfGate(Dim gate) const {
    const int part = layout_.n_parts > 1 && gate >= layout_.part[1].first_gate ? 1 : 0;
    return Position({part, (gate - layout_.part[part].first_gate) * dhc_, dhc_});
  }

 private:
  const PackedLayout& layout_;
  Dim dhc_;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_BACKWARD_GATE_PANELS_H_
