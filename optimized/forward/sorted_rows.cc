#include "optimized/forward/sorted_rows.h"

#include <algorithm>

namespace tandem {
namespace optimized {
namespace {

// A step of few rows reads the weights as a step of many does: it takes as long as so many rows more.
constexpr Dim kRowsOfAStep = 4;

}  // namespace

SortedRows::Scratch SortedRows::Plan(const RnnProblem& problem, Regions* regions) {
  const bool given = problem.Has(kSequenceLengths);
  return {regions->AddIf<Dim>(given, problem.mb), regions->AddIf<Dim>(given, problem.n_iter),
          regions->AddIf<Dim>(given, problem.n_iter + 1)};
}

// Sorts by counting; equal lengths keep their order.
SortedRows::SortedRows(const RnnProblem& problem, const RnnBuffers& buffers, const Scratch& at, char* scratchpad)
    : lengths_(problem, buffers), n_iter_(problem.n_iter), mb_(problem.mb) {
  if (!lengths_.given()) return;
  Dim* const order = at.order.In(scratchpad, 0);
  Dim* const live = at.live.In(scratchpad, 0);
  Dim* const places = at.cells.In(scratchpad, 0);
  std::fill_n(places, n_iter_ + 1, 0);
  for (Dim n = 0; n < mb_; ++n) ++places[lengths_.Of(n, n_iter_)];
  Dim longer = 0;
  for (Dim length = n_iter_; length >= 0; --length) {
    const Dim equal = places[length];
    places[length] = longer;
    if (length < n_iter_) live[length] = longer;
    longer += equal;
  }
  for (Dim n = 0; n < mb_; ++n) order[places[lengths_.Of(n, n_iter_)]++] = n;
  Dim* const cells = places;
  cells[0] = 0;
  for (Dim t = 0; t < n_iter_; ++t) cells[t + 1] = cells[t] + live[t];
  cells_ = cells;
  order_ = order;
  live_ = live;
}

Dim SortedRows::Cost(Dim begin, Dim end) const {
  Dim cost = begin < end ? kRowsOfAStep * Length(begin) : 0;
  for (Dim n = begin; n < end; ++n) cost += Length(n);
  return cost;
}

// The end of the longest range that begins there and costs no more.
Dim SortedRows::MostRows(Dim begin, Dim cost) const {
  Dim end = begin;
  Dim left = cost - (begin < mb_ ? kRowsOfAStep * Length(begin) : 0);
  while (end < mb_ && Length(end) <= left) left -= Length(end++);
  return end;
}

Range SortedRows::Share(int part, int parts) const {
  // The least cost with which so many ranges have all rows.
  Dim low = 0, high = Cost(0, mb_);
  while (low < high) {
    const Dim cost = low + (high - low) / 2;
    Dim end = 0;
    for (int i = 0; i < parts; ++i) end = MostRows(end, cost);
    if (end == mb_) {
      high = cost;
    } else {
      low = cost + 1;
    }
  }
  Range share = {0, MostRows(0, low)};
  for (int i = 0; i < part; ++i) share = {share.end, MostRows(share.end, low)};
  return share;
}

}  // namespace optimized
}  // namespace tandem
