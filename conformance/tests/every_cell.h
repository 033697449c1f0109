// The parameters of this test take every cell forward and backward.
#ifndef TANDEM_CONFORMANCE_TESTS_EVERY_CELL_H_
#define TANDEM_CONFORMANCE_TESTS_EVERY_CELL_H_

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "api/core/types.h"

namespace tandem::conformance {

inline auto EveryCellBothWays() {
  return testing::Combine(testing::ValuesIn(kCells),
                          testing::Values(Propagation::kForwardInference, Propagation::kBackward));
}

inline std::string CellAndWay(const testing::TestParamInfo<std::tuple<Cell, Propagation>>& info) {
  const bool backward = std::get<1>(info.param) == Propagation::kBackward;
  return std::string(ToString(std::get<0>(info.param))) + (backward ? "_backward" : "_forward");
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_TESTS_EVERY_CELL_H_
