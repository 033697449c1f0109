#include "conformance/judge/verdict/failure_map.h"

#include <algorithm>

namespace tandem::conformance {
namespace {

constexpr Dim kMostLines = 16, kMostColumns = 64;

char Shade(uint64_t failed, uint64_t all) {
  if (failed == 0) return '.';
  if (failed == all) return '#';
  return static_cast<char>('0' + std::clamp<uint64_t>((10 * failed + all - 1) / all, 1, 9));
}

std::string Axis(const char* name, Dim size) { return std::string(name) + "=0.." + std::to_string(size - 1); }

}  // namespace

FailureCounter::FailureCounter(const RnnProblem& problem, Tensor tensor) : md_(problem.md[tensor]) {
  unit_axis_ = md_.ndims - 1;
  row_axis_ = AxisOf(tensor, 't') >= 0 ? AxisOf(tensor, 't') : AxisOf(tensor, 'g');
  units_ = md_.dims[unit_axis_];
  rows_ = row_axis_ >= 0 ? md_.dims[row_axis_] : md_.dims[0] * md_.dims[1];
  lines_ = std::min(rows_, kMostLines);
  columns_ = std::min(units_, kMostColumns);
  failed_.resize(static_cast<size_t>(lines_ * columns_));
  all_.resize(failed_.size());
  for (Dim i = 0; i < NumElements(md_); ++i) {
    const Cell cell = CellOf(static_cast<size_t>(i));
    ++all_[static_cast<size_t>(cell.line * columns_ + cell.column)];
  }
}

FailureCounter::Cell FailureCounter::CellOf(size_t index) const {
  Dim rest = static_cast<Dim>(index), row = 0, unit = 0, stride = 1;
  for (int d = md_.ndims - 1; d >= 0; --d) {
    const Dim at = rest % md_.dims[d];
    rest /= md_.dims[d];
    if (d == unit_axis_) unit = at;
    if (d == row_axis_) row = at;
    if (row_axis_ < 0 && d < 2) {
      row += at * stride;
      stride *= md_.dims[d];
    }
  }
  return {row * lines_ / rows_, unit * columns_ / units_};
}

void FailureCounter::Add(size_t index) {
  const Cell cell = CellOf(index);
  ++failed_[static_cast<size_t>(cell.line * columns_ + cell.column)];
}

FailureMap FailureCounter::Picture() const {
  FailureMap map;
  const bool steps = row_axis_ == 0;
  map.axes = Axis(steps           ? "t"
                  : row_axis_ > 0 ? "gate"
                                  : "layer and direction",
                  rows_) +
             " downwards, " + Axis("unit", units_) + " to the right";
  for (Dim line = 0; line < lines_; ++line) {
    std::string text;
    for (Dim column = 0; column < columns_; ++column) {
      const size_t i = static_cast<size_t>(line * columns_ + column);
      text += Shade(failed_[i], all_[i]);
    }
    map.lines.push_back(text);
  }
  return map;
}

}  // namespace tandem::conformance
