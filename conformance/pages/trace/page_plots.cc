#include "conformance/pages/trace/page_plots.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/pages/page.h"
#include "conformance/pages/trace/page_parts.h"
#include "conformance/problem/base/format.h"

namespace tandem::conformance {
namespace {

// More squares than these are no picture any more.
constexpr size_t kMostUnits = 64, kMostSteps = 128;
// The size of a picture that is not a map, and the room of its axes.
constexpr double kWidth = 480, kHeight = 260, kLeft = 64, kRight = 50, kTop = 12, kBottom = 40;

// A label for every step or unit, or for every second, fifth, ... so that they do not touch.
size_t LabelEvery(size_t count, size_t room) {
  for (const size_t every : {1, 2, 5, 10, 20, 50}) {
    if (count / every <= room) return every;
  }
  return 100;
}

std::string Label(double x, double y, const char* anchor, const std::string& text) {
  return Format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor) + HtmlText(text) + "</text>";
}

std::string Line(double x1, double y1, double x2, double y2) {
  return Format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>", x1, y1, x2, y2);
}

std::string Figure(double width, double height, const std::string& marks, const std::string& name,
                   const std::string& caption) {
  return Format("<figure class=plotted><svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=img aria-label=\"", width,
                height, width) +
         HtmlText(name) + "\">" + marks + "</svg><figcaption>" + caption + "</figcaption></figure>\n";
}

std::string Square(const ValueMap& map, size_t t, size_t unit, double side, double scale) {
  const double value = map.columns[t][unit];
  const double strength = scale > 0 ? std::min(1.0, std::abs(value) / scale) : 0;
  return Format(
      "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" class=\"%s\" fill-opacity=\"%.3f\"><title>t=%zu "
      "unit=%zu: %.6g</title></rect>",
      kLeft + static_cast<double>(t) * side, kTop + static_cast<double>(unit) * side, side - 1, side - 1,
      value < 0 ? "neg" : "pos", strength, t, unit, value);
}

// The vertical axis of a plot of lines.
class Axis {
 public:
  Axis(const std::vector<Curve>& curves, Scale scale) : scale_(scale) {
    for (const Curve& curve : curves) {
      for (const double value : curve.values) {
        if (!Shows(value)) continue;
        low_ = std::min(low_, On(value)), high_ = std::max(high_, On(value));
      }
    }
    if (low_ > high_) low_ = 0, high_ = 1;
    if (scale == Scale::kLogarithmic) low_ = std::floor(low_), high_ = std::ceil(high_);
    if (scale == Scale::kLinear) low_ = std::min(low_, 0.), high_ = std::max(high_, 0.);
    if (low_ == high_) high_ = low_ + 1;
  }
  bool Shows(double value) const { return std::isfinite(value) && (scale_ == Scale::kLinear || value > 0); }
  double Y(double value) const { return Place(On(value)); }
  std::string Grid() const {
    std::string marks;
    constexpr int kTicks = 4;
    const double decades = std::max(1., std::ceil((high_ - low_) / kTicks));
    for (int i = 0; i <= kTicks; ++i) {
      const double at = scale_ == Scale::kLinear ? low_ + (high_ - low_) * i / kTicks : low_ + decades * i;
      if (at > high_ + 1e-9) break;
      marks += Line(kLeft, Place(at), kWidth - kRight, Place(at));
      marks +=
          Label(kLeft - 6, Place(at) + 4, "end", Format("%.3g", scale_ == Scale::kLinear ? at : std::pow(10., at)));
    }
    return marks;
  }

 private:
  double On(double value) const { return scale_ == Scale::kLinear ? value : std::log10(value); }
  double Place(double at) const { return kTop + (kHeight - kTop - kBottom) * (high_ - at) / (high_ - low_); }

  Scale scale_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

double XOf(size_t t, size_t steps) {
  return steps == 1
             ? (kLeft + kWidth - kRight) / 2
             : kLeft + 10 + (kWidth - kRight - kLeft - 20) * static_cast<double>(t) / static_cast<double>(steps - 1);
}

std::string TimeAxis(size_t steps) {
  std::string marks;
  const size_t every = LabelEvery(steps, 12);
  for (size_t t = 0; t < steps; t += every)
    marks += Label(XOf(t, steps), kHeight - kBottom + 16, "middle", std::to_string(t));
  return marks + Label((kLeft + kWidth - kRight) / 2, kHeight - 4, "middle", "t");
}

// The line, a dot for each value with the number as its title, and the name at the end.
std::string Drawn(const Curve& curve, const Axis& axis) {
  const size_t steps = curve.values.size();
  const std::string colour = LetterClass(curve.name);
  std::string points, dots;
  double last_x = 0, last_y = 0;
  for (size_t t = 0; t < steps; ++t) {
    if (!axis.Shows(curve.values[t])) continue;
    last_x = XOf(t, steps), last_y = axis.Y(curve.values[t]);
    points += Format("%.1f,%.1f ", last_x, last_y);
    dots += Format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" class=\"%s\"><title>", last_x, last_y, colour.c_str()) +
            HtmlText(curve.name) + Format(" at t=%zu: %.6g</title></circle>", t, curve.values[t]);
  }
  if (points.empty()) return "";
  const std::string name = "<text x=\"" + Format("%.1f\" y=\"%.1f", last_x + 6, last_y + 4) + "\" class=\"" + colour +
                           "\">" + HtmlText(curve.name) + "</text>";
  return "<polyline points=\"" + points + "\" class=\"curve " + colour + "\"/>" + dots + name;
}

}  // namespace

double ValueMap::Largest() const {
  double largest = 0;
  for (const std::vector<double>& column : columns) {
    for (const double value : column) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

std::string HeatMap(const std::string& title, const ValueMap& map, double scale) {
  const size_t steps = std::min(map.columns.size(), kMostSteps);
  size_t units = 0;
  for (const std::vector<double>& column : map.columns) units = std::max(units, std::min(column.size(), kMostUnits));
  const double side = std::clamp(280. / static_cast<double>(std::max(steps, units)), 10., 32.);
  std::string marks;
  for (size_t t = 0; t < steps; ++t) {
    for (size_t unit = 0; unit < units && unit < map.columns[t].size(); ++unit)
      marks += Square(map, t, unit, side, scale);
  }
  const double right = kLeft + static_cast<double>(steps) * side, foot = kTop + static_cast<double>(units) * side;
  const size_t every = side < 20 ? 5 : 1;
  for (size_t t = 0; t < steps; t += every)
    marks += Label(kLeft + (static_cast<double>(t) + 0.5) * side, foot + 15, "middle", std::to_string(t));
  for (size_t unit = 0; unit < units; unit += every)
    marks += Label(kLeft - 5, kTop + (static_cast<double>(unit) + 0.5) * side + 4, "end", std::to_string(unit));
  marks += Label((kLeft + right) / 2, foot + 31, "middle", "t") + Label(4, (kTop + foot) / 2 + 4, "start", "unit");
  const double width = std::max(right + 12, 150.);
  const std::string figure = Figure(width, foot + 38, marks, title + " over time",
                                    "<b class=\"" + LetterClass(title.substr(0, title.find(','))) + "\">" +
                                        HtmlText(title) + "</b>" + Format(": colour from %.3g to %.3g", -scale, scale));
  return width > 360 ? Scrollable("map of " + title, figure) : figure;
}

std::string LinePlot(const std::string& title, const std::vector<Curve>& curves, Scale scale) {
  const Axis axis(curves, scale);
  std::string marks = axis.Grid() + TimeAxis(curves.empty() ? 1 : curves[0].values.size());
  for (const Curve& curve : curves) marks += Drawn(curve, axis);
  return Figure(kWidth, kHeight, "<g class=lines>" + marks + "</g>", title + ", lines over time",
                HtmlText(title) + (scale == Scale::kLogarithmic ? "; logarithmic scale" : ""));
}

}  // namespace tandem::conformance
