// forward_training leaves this in the workspace for backward, all of it f32.
//
//   header (api/core/rnn/workspace.h)
//   for each layer, for each direction:
//     gates  [T][N][gates_row]  activated gates (relu: before it) in Column() order (layout.h);
//                               u without attention
//     h      [T][N][h_row]      hidden state (after the projection), rounded to the source type
//     c      [T][N][unit_row]   LSTM: cell state, rounded to the type of dst_iter_c
//     linear [T][N][unit_row]   LBR cells: U_o h_{t-1} + b_u'
//     h_cell [T][N][h_row]      vanilla RNN with zoneout_iter: h before it was mixed
//     c_cell [T][N][unit_row]   zoneout_iter_c: c before it was mixed
//     norm   [T][N][norm_row]   layer normalization: W x and U h', or their sum, in Column() order
//
// T counts the tensor's time steps, so right2left fills it from the end. What a row holds beyond dhc (h: dic) is not
// used.
#ifndef TANDEM_OPTIMIZED_FORWARD_WORKSPACE_LAYOUT_H_
#define TANDEM_OPTIMIZED_FORWARD_WORKSPACE_LAYOUT_H_

#include <cstddef>

#include "api/core/memory/memory_desc_checks.h"
#include "api/core/rnn/rnn_problem.h"
#include "api/core/rnn/workspace.h"
#include "optimized/weights/layout.h"

namespace tandem {
namespace optimized {

// The name under which forward_training seals its workspace. Any target's backward reads any target's.
constexpr const char* kWorkspaceOwner = "hwy";

struct WorkspaceLayout {
  Dim n_dir = 0, n_iter = 0, mb = 0;
  Dim gates_row = 0;   // G * dhc rounded up to blocks
  Dim unit_row = 0;    // dhc rounded up to blocks
  Dim h_row = 0;       // dic rounded up to blocks
  Dim c_row = 0;       // unit_row, or 0 where the cell has no c
  Dim linear_row = 0;  // unit_row, or 0 where the cell is not linear before reset
  Dim h_cell_row = 0;  // h_row, or 0 where backward does not need it
  Dim c_cell_row = 0;  // unit_row, or 0 without zoneout of c
  Dim norm_row = 0;    // gates_row for each product that is normalized
  size_t bytes = 0;    // of the whole workspace

  // Bytes from the workspace's start to minibatch row 0 of time step t.
  size_t Gates(Dim l, Dim d, Dim t) const { return Section(l, d, 0) + Row(t, gates_row); }
  size_t H(Dim l, Dim d, Dim t) const { return Section(l, d, gates_row) + Row(t, h_row); }
  size_t C(Dim l, Dim d, Dim t) const { return Section(l, d, gates_row + h_row) + Row(t, c_row); }
  size_t Linear(Dim l, Dim d, Dim t) const { return Section(l, d, gates_row + h_row + c_row) + Row(t, linear_row); }
  size_t HOfCell(Dim l, Dim d, Dim t) const {
    return Section(l, d, gates_row + h_row + c_row + linear_row) + Row(t, h_cell_row);
  }
  size_t COfCell(Dim l, Dim d, Dim t) const {
    return Section(l, d, gates_row + h_row + c_row + linear_row + h_cell_row) + Row(t, c_cell_row);
  }
  size_t Norm(Dim l, Dim d, Dim t) const { return Section(l, d, PerRow() - norm_row) + Row(t, norm_row); }
  // The floats of each (t, n) of a layer.
  Dim PerRow() const { return gates_row + h_row + c_row + linear_row + h_cell_row + c_cell_row + norm_row; }

 private:
  size_t Floats(Dim count) const { return static_cast<size_t>(count) * sizeof(float); }
  size_t Row(Dim t, Dim row) const { return Floats(t * mb * row); }
  // Start of the section that follows `before` floats of each (t, n).
  size_t Section(Dim l, Dim d, Dim before) const {
    return kWorkspaceHeaderBytes + Floats(n_iter * mb * ((l * n_dir + d) * PerRow() + before));
  }
};

inline WorkspaceLayout MakeWorkspaceLayout(const RnnProblem& problem) {
  WorkspaceLayout layout;
  layout.n_dir = problem.n_dir;
  layout.n_iter = problem.n_iter;
  layout.mb = problem.mb;
  layout.unit_row = RoundUp(problem.dhc, kBlock);
  layout.gates_row = problem.n_gates * layout.unit_row;
  layout.h_row = RoundUp(problem.dic, kBlock);
  layout.c_row = HasCellState(problem.cell) ? layout.unit_row : 0;
  layout.linear_row = IsLinearBeforeReset(problem.cell) ? layout.unit_row : 0;
  // A slope of the vanilla RNN is that of the cell's own h; the other cells' slopes are those of their gates.
  layout.h_cell_row = problem.Has(kZoneoutIter) && HasActivation(problem.cell) ? layout.h_row : 0;
  layout.c_cell_row = problem.Has(kZoneoutIterC) ? layout.unit_row : 0;
  layout.norm_row = problem.attr.rnn_layer_norm.NumProducts() * layout.gates_row;
  Dim floats = layout.PerRow();
  for (const Dim factor : {problem.n_layer, problem.n_dir, problem.n_iter, problem.mb, Dim{sizeof(float)}}) {
    floats = CheckedProduct(floats, factor, "workspace");
  }
  layout.bytes = layout.Gates(problem.n_layer, 0, 0);
  return layout;
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_WORKSPACE_LAYOUT_H_
