#include "conformance/judge/verdict/failure_map.h"

#include <algorithm>
#include <utility>

namespace tandem::conformance {
namespace {

constexpr Dim kMostLines = 16, kMostColumns = 64;

char Shade(uint64_t failed, uint64_t all) {
  if (failed == 0) return '.';
  if (failed == all) return '#';
  return static_cast<char>('0' + std::clamp<uint64_t>((10 * failed + all - 1) / all, 1, 9));
}

std::string Axis(const std::string& name, Dim size) { return name + "=0.." + std::to_string(size - 1); }

}  // namespace

FailureCounter::Grid::Grid(const MemoryDesc& md, std::vector<int> axes, std::string name)
    : md_(md), axes_(std::move(axes)), name_(std::move(name)), units_(md.dims[md.ndims - 1]) {
  for (const int axis : axes_) rows_ *= md_.dims[axis];
  lines_ = std::min(rows_, kMostLines);
  columns_ = std::min(units_, kMostColumns);
  failed_.resize(static_cast<size_t>(lines_ * columns_));
  all_.resize(failed_.size());
  for (Dim i = 0; i < NumElements(md_); ++i) ++all_[CellOf(static_cast<size_t>(i))];
}

size_t FailureCounter::Grid::CellOf(size_t index) const {
  Dim at[DNNL_MAX_NDIMS] = {}, rest = static_cast<Dim>(index), row = 0;
  for (int d = md_.ndims - 1; d >= 0; --d) {
    at[d] = rest % md_.dims[d];
    rest /= md_.dims[d];
  }
  for (const int axis : axes_) row = row * md_.dims[axis] + at[axis];
  return static_cast<size_t>(row * lines_ / rows_ * columns_ + at[md_.ndims - 1] * columns_ / units_);
}

FailurePicture FailureCounter::Grid::Picture() const {
  FailurePicture picture = {Axis(name_, rows_) + " downwards, " + Axis("unit", units_) + " to the right", {}};
  for (Dim line = 0; line < lines_; ++line) {
    std::string text;
    for (Dim column = 0; column < columns_; ++column) {
      const size_t i = static_cast<size_t>(line * columns_ + column);
      text += Shade(failed_[i], all_[i]);
    }
    picture.lines.push_back(text);
  }
  return picture;
}

FailureCounter::FailureCounter(const RnnProblem& problem, Tensor tensor) {
  const MemoryDesc& md = problem.md[tensor];
  const int step = AxisOf(tensor, 't'), gate = AxisOf(tensor, 'g'), row = AxisOf(tensor, 'n');
  if (step >= 0) {
    grids_.emplace_back(md, std::vector<int>{step}, "t");
  } else if (gate >= 0) {
    grids_.emplace_back(md, std::vector<int>{gate}, "gate");
  } else {
    grids_.emplace_back(md, std::vector<int>{0, 1}, "layer and direction");
  }
  if (row >= 0) grids_.emplace_back(md, std::vector<int>{row}, "row of the batch");
}

void FailureCounter::Add(size_t index) {
  for (Grid& grid : grids_) grid.Add(index);
}

FailureMap FailureCounter::Pictures() const {
  FailureMap map = {grids_[0].Picture()};
  if (grids_.size() == 1) return map;
  const FailurePicture rows = grids_[1].Picture();
  const bool alike =
      std::count(rows.lines.begin(), rows.lines.end(), rows.lines[0]) == static_cast<std::ptrdiff_t>(rows.lines.size());
  if (!alike) map.push_back(rows);
  return map;
}

}  // namespace tandem::conformance
