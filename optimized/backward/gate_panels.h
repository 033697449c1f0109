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

// The place where the gradients of a panel's whole blocks of columns are summed: the scratchpad, where the columns behind the
// last whole block always are, or the user's tensors.
enum class WholeBlocks { kInScratch, kInPlace };

class GatePanels {
 public:
  // `layout` outlives this object.
  GatePanels(const PackedLayout& layout, Dim dhc, WholeBlocks whole_blocks)
      : layout_(layout), dhc_(dhc), whole_blocks_(whole_blocks) {}

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
  Dim Position(const GatePanel& panel) const { return PaddedColumns(panel.part) + panel.column; }
  Dim PaddedColumns() const { return PaddedColumns(layout_.n_parts); }
  Dim PositionOfGate(Dim gate) const {
    const int part = layout_.n_parts > 1 && gate >= layout_.part[1].first_gate ? 1 : 0;
    return Position({part, (gate - layout_.part[part].first_gate) * dhc_, dhc_});
  }

  // The columns of a panel whose gradients are summed in the scratchpad, and their position among all such columns.
  GatePanel InScratch(const GatePanel& panel) const {
    const Dim in_place = whole_blocks_ == WholeBlocks::kInPlace ? panel.columns / kBlock * kBlock : 0;
    return {panel.part, panel.column + in_place, panel.columns - in_place};
  }
  Dim ScratchPosition(const GatePanel& in_scratch) const {
    if (whole_blocks_ == WholeBlocks::kInScratch) return Position(in_scratch);
    return ScratchColumns(in_scratch.part);  // the last of its part
  }
  Dim ScratchColumns() const { return ScratchColumns(layout_.n_parts); }

 private:
  // Counts the columns of the parts before `end`, each rounded up to a block.
  Dim PaddedColumns(int end) const {
    Dim columns = 0;
    for (int part = 0; part < end; ++part) columns += RoundUp(ColumnsOf(part), kBlock);
    return columns;
  }
  Dim ScratchColumns(int end) const {
    if (whole_blocks_ == WholeBlocks::kInScratch) return PaddedColumns(end);
    Dim columns = 0;
    for (int part = 0; part < end; ++part) columns += RoundUp(ColumnsOf(part) % kBlock, kBlock);
    return columns;
  }

  const PackedLayout& layout_;
  Dim dhc_;
  WholeBlocks whole_blocks_;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_BACKWARD_GATE_PANELS_H_
