#include "conformance/pages/pictures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "conformance/pages/markup.h"
#include "conformance/problem/base/format.h"

namespace tandem::conformance {
namespace {

// `name` and `caption` are text.
std::string Figure(const std::string& svg_begin, const std::string& marks, const std::string& name,
                   const std::string& caption) {
  return "<figure>" + svg_begin + " role=\"img\" aria-label=\"" + Escape(name) + "\">" + marks + "</svg><figcaption>" +
         Escape(caption) + "</figcaption></figure>\n";
}

// Returns sums of neighbouring bins, for bars that can be seen. The first bin holds the errors of 0.
std::vector<double> Bars(const std::vector<uint64_t>& bins) {
  constexpr size_t kGroup = 4;
  std::vector<double> bars;
  for (size_t i = 1; i < bins.size(); i += kGroup) {
    double sum = 0;
    for (size_t j = i; j < std::min(bins.size(), i + kGroup); ++j) sum += static_cast<double>(bins[j]);
    bars.push_back(sum);
  }
  return bars;
}

// Returns the tenths that fail: '.' is none, '#' all.
int Tenths(char shade) { return shade == '#' ? 10 : shade == '.' ? 0 : shade - '0'; }

}  // namespace

std::string ShortNumber(double value) { return Format("%.3g", value); }

std::string RatioPlot(const std::string& what, const RatioHistogram& histogram) {
  constexpr int kWidth = 340, kHeight = 90;
  const std::vector<double> bars = Bars(histogram.bins());
  const double top = std::max(1.0, *std::max_element(bars.begin(), bars.end()));
  const double step = static_cast<double>(kWidth) / static_cast<double>(bars.size());
  std::string marks;
  for (size_t i = 0; i < bars.size(); ++i) {
    if (bars[i] == 0) continue;
    const double height = std::max(1.0, kHeight * std::sqrt(bars[i] / top));
    marks += Format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"data\"/>",
                    static_cast<double>(i) * step, kHeight - height, step - 0.5, height);
  }
  // The scale runs from 2^-32 to 2^8.
  for (int exponent : {-24, -16, -8, 0}) {
    const double x = kWidth * (exponent + 32) / 40.0;
    marks += Format("<line x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\" class=\"%s\"/>", x, x, kHeight,
                    exponent == 0 ? "limit" : "grid");
    marks += Format("<text x=\"%.1f\" y=\"104\">2^%d</text>", x + 2, exponent);
  }
  const std::string worst = what + ", " + std::to_string(histogram.count()) + " elements, worst " +
                            ShortNumber(histogram.max()) + ", 99.9 % at most " + ShortNumber(histogram.Quantile(0.999));
  return Figure("<svg class=\"plot\" viewBox=\"0 0 340 110\" width=\"340\"", marks,
                "Histogram of |error| / allowed: " + worst, worst);
}

std::string FailureHeatMap(Tensor tensor, const FailurePicture& picture) {
  constexpr int kSquare = 8;
  const std::vector<std::string>& lines = picture.lines;
  std::string marks;
  size_t failing = 0, squares = 0;
  for (size_t y = 0; y < lines.size(); ++y) {
    for (size_t x = 0; x < lines[y].size(); ++x, ++squares) {
      const int tenths = Tenths(lines[y][x]);
      if (tenths == 0) continue;
      ++failing;
      marks += Format("<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" class=\"wrong\" fill-opacity=\"%.1f\"/>",
                      x * kSquare, y * kSquare, kSquare - 1, kSquare - 1, tenths / 10.);
    }
  }
  const size_t width = lines[0].size() * kSquare, height = lines.size() * kSquare;
  const std::string begin =
      Format("<svg class=\"plot\" viewBox=\"0 0 %zu %zu\" width=\"%zu\"", width, height, std::max<size_t>(width, 64));
  const std::string name = std::string("Where ") + ToString(tensor) + " fails: " + std::to_string(failing) + " of " +
                           std::to_string(squares) + " squares have failing elements";
  return Figure(begin, marks, name,
                std::string("Where ") + ToString(tensor) + " fails: " + picture.axes +
                    "; the stronger the colour, the more elements of a square fail");
}

}  // namespace tandem::conformance
