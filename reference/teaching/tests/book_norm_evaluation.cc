// The equations of layer normalization, on random numbers.
#include <random>

#include "reference/numerics/layer_norm.h"
#include "reference/numerics/numerics.h"
#include "reference/teaching/tests/book_evaluation.h"
#include "reference/teaching/tests/book_sides.h"

namespace tandem {
namespace reference {

std::string NormDisagreement(const EquationTable& table, unsigned seed, std::set<std::string>* seen) {
  using Matrix = Mat<double>;
  std::mt19937 rng(seed);
  const auto numbers = [&rng](Dim rows, Dim cols) {
    std::normal_distribution<double> normal;
    Matrix m(rows, cols);
    for (Dim i = 0; i < m.size(); ++i) m(i) = normal(rng);
    return m;
  };
  const ExactNumerics<double> num;
  constexpr Dim kChannels = 4, kRows = 3;
  constexpr double kEpsilon = 0.25;
  const Matrix v = numbers(kChannels, kRows) + 2., delta = numbers(kChannels, kRows);
  const Matrix gain = RepeatColumn<double>(numbers(kChannels, 1), kRows);
  const Matrix offset = RepeatColumn<double>(numbers(kChannels, 1), kRows);
  const Normalized<ExactNumerics<double>> of = Normalize(num, v, kEpsilon);
  Matrix diff_gain = Zeros<double>(kChannels, 1), diff_offset = diff_gain;
  const Matrix diff_v_hat = ThroughScaled(num, gain, of.v_hat, delta, &diff_gain, &diff_offset);

  Sides sides(table, seen);
  NamedValues values = {{"v", v},
                        {"z", num.Centered(v)},
                        {"s", of.root},
                        {"epsilon", Matrix::Constant(1, 1, kEpsilon)},
                        {"v^", of.v_hat},
                        {"norm_gain", gain},
                        {"norm_offset", offset},
                        {"y", Scaled(gain, offset, of.v_hat)},
                        {"Δ", delta},
                        {"dv^", diff_v_hat},
                        {"dv", ThroughNormalize(num, of, diff_v_hat)}};
  for (const char* id : {"NORM.1", "NORM.3", "NORM.4", "NORM.B3", "NORM.B4"}) sides.Compare(id, values);
  values["s"] = of.root.row(0);
  sides.Compare("NORM.2", values);
  values["diff_norm_gain"] = diff_gain;
  values["diff_norm_offset"] = diff_offset;
  for (const char* id : {"NORM.B1", "NORM.B2"}) sides.Compare(id, values);
  return sides.wrong().empty() ? "" : "seed " + std::to_string(seed) + ": " + sides.wrong();
}

}  // namespace reference
}  // namespace tandem
