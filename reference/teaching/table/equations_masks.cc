// Masks: dropout of what a cell reads, zoneout of what it gives.
#include "reference/teaching/table/equations.h"

namespace tandem {
namespace reference {
namespace {

constexpr char kPlace[] = "reference/stack/masks.h";
constexpr char kState[] = "[dic, mb]";
constexpr char kCell[] = "[dhc, mb]";

}  // namespace

std::vector<Equation> MaskEquations() {
  return {
      {"MASK.1", {{"x_m = mask_layer * x"}}, "[slc, mb]", kPlace, "Dropout of the input. W reads {x_m} for {x}."},
      {"MASK.2",
       {{"h'_m = mask_iter * h'"}},
       "[sic, mb]",
       kPlace,
       "Dropout of the state, with the same mask in all steps. U reads {h'_m} for {h'}; {u * h'} of a GRU stays as it "
       "is."},
      {"MASK.3",
       {{"h = zoneout_iter * h' + (1 - zoneout_iter) * h_cell"}},
       kState,
       kPlace,
       "Zoneout: where the mask is 1 the state stays, where it is 0 it is {h_cell}, what the cell computes."},
      {"MASK.4",
       {{"c = zoneout_iter_c * c' + (1 - zoneout_iter_c) * c_cell"}},
       kCell,
       kPlace,
       "As [MASK.3]. The cell's own equations read {c_cell}, also for {h_cell}."},
      {"MASK.B1",
       {{"dx = mask_layer * dx_m"}},
       "[slc, mb]",
       kPlace,
       "{dx_m} is the gradient by what W reads. In [MASK.1] the factor of {x} is the mask."},
      {"MASK.B2",
       {{"dh' = mask_iter * dh'_m"}},
       "[sic, mb]",
       "reference/cells/cell_backward.h",
       "{dh'_m} is the gradient by what U reads. What of {dh'} did not come through U is added to this."},
      {"MASK.B3", {{"dh_cell = (1 - zoneout_iter) * dh"}}, kState, kPlace, "The factor of {h_cell} in [MASK.3]."},
      {"MASK.B4", {{"dc_cell = (1 - zoneout_iter_c) * dc"}}, kCell, kPlace, "The factor of {c_cell} in [MASK.4]."},
      {"MASK.B5",
       {{"dh' += zoneout_iter * dh"}},
       "[sic, mb]",
       kPlace,
       "In [MASK.3] {h'} has the factor {zoneout_iter}: this part goes past the cell."},
      {"MASK.B6", {{"dc' += zoneout_iter_c * dc"}}, kCell, kPlace, "As [MASK.B5], in [MASK.4]."},
  };
}

}  // namespace reference
}  // namespace tandem
