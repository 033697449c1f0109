#include "conformance/bench/bench_page.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <fstream>

#include "conformance/problem/problem_notation.h"
#include "conformance/report/markup.h"

namespace tandem::conformance {
namespace {

constexpr const char* kHead =
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width,initial-scale=1\"><title>Tandem bench</title><style>"
    "body{font:15px/1.4 sans-serif;margin:2em;max-width:60em;color:#222;background:#fff}svg{max-width:100%;height:auto}"
    "table{border-collapse:collapse}td,th{padding:2px 8px;text-align:left}td.n{text-align:right}code{font-size:12px}"
    ".bar{display:inline-block;height:.8em}@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}"
    "svg text{fill:#ddd}}</style></head><body>";

constexpr const char* kColours[] = {"#2166ac", "#b2182b", "#1b7837", "#762a83", "#8c510a"};
const char* Colour(size_t implementation) { return kColours[implementation % std::size(kColours)]; }

__attribute__((format(printf, 1, 2))) std::string Text(const char* format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

std::string Processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, 10, "model name") == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

// Operations per byte of weights, and operations per second; both on logarithmic scales.
class Roofline {
 public:
  explicit Roofline(const Roof& roof) : roof_(roof) {
    for (int decade = -1; decade <= 3; ++decade) {
      const double x = X(std::pow(10., decade));
      svg_ += Text("<line x1=\"%.0f\" y1=\"10\" x2=\"%.0f\" y2=\"%d\" stroke=\"#ccc\"/>", x, x, kHeight - 30);
      svg_ += Text("<text x=\"%.0f\" y=\"%d\">%g</text>", x, kHeight - 15, std::pow(10., decade));
    }
    AddRoof("f32", roof.peak.f32);
    AddRoof("u8 x s8", roof.peak.int8);
  }
  void Add(double intensity, double rate, const char* colour, const std::string& name) {
    svg_ += Text("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"><title>", X(intensity), Y(rate), colour) +
            Escape(name) + Text(": %.1f operations a byte, %.1f GFLOP/s</title></circle>", intensity, rate * 1e-9);
  }
  std::string Svg() const {
    return Text("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Roofline\" font-size=\"11\">", kWidth, kHeight) +
           svg_ + "</svg>";
  }

 private:
  static constexpr int kWidth = 800, kHeight = 400;
  double X(double intensity) const { return 60 + 150 * (std::log10(std::max(intensity, 0.1)) + 1); }
  // Four decades below the highest peak.
  double Y(double rate) const {
    const double top = std::max(roof_.peak.f32, roof_.peak.int8);
    return 20 + 85 * std::clamp(std::log10(top / std::max(rate, 1.)), 0., 4.);
  }
  void AddRoof(const char* name, double peak) {
    svg_ += Text("<text x=\"2\" y=\"%.0f\">%s %.0f</text>", Y(peak), name, peak * 1e-9);
    for (const Roof::Level& level : roof_.levels) {
      const double knee = peak / level.bytes_per_second;
      svg_ += Text("<path d=\"M%.1f %.1fL%.1f %.1fL%d %.1f\" fill=\"none\" stroke=\"#888\"><title>%s, %s: %.1f GB/s",
                   X(0.1), Y(0.1 * level.bytes_per_second), X(knee), Y(peak), kWidth, Y(peak), name, level.name.c_str(),
                   level.bytes_per_second * 1e-9);
      svg_ += "</title></path>" + Text("<text x=\"%.0f\" y=\"%.0f\">%s</text>", X(0.1) + 3,
                                       Y(0.1 * level.bytes_per_second) - 5, level.name.c_str());
    }
  }

  const Roof& roof_;
  std::string svg_;
};

std::string Bars(const BenchEntry& entry) {
  std::string html;
  for (size_t i = 0; i < entry.best.size(); ++i) {
    const BenchEntry::Best& best = entry.best[i];
    const double share = 100 * best.bound.seconds / best.timing.median_seconds;
    html +=
        "<tr><td>" + (i == 0 ? "<code>" + Escape(PrintProblem(entry.spec)) + "</code>" : std::string()) + "<td>" +
        Escape(best.timing.implementation) + Text("<td class=n>%d<td class=n>", best.timing.threads) +
        Text("%.1f<td class=n>%.0f %% of %s<td>", best.timing.median_seconds * 1e6, share, ToString(best.bound.limit)) +
        Text("<span class=bar style=\"width:%.0fpx;background:%s\"></span></tr>\n", std::min(share, 120.), Colour(i));
  }
  return html;
}

}  // namespace

std::string BenchPage(const std::vector<BenchEntry>& entries, const Roof& roof) {
  Roofline roofline(roof);
  std::string bars;
  for (const BenchEntry& entry : entries) {
    const Traffic traffic = TrafficOf(entry.spec);
    const double bytes = traffic.once_bytes + traffic.steps * traffic.step_bytes;
    for (size_t i = 0; i < entry.best.size(); ++i) {
      const Timing& timing = entry.best[i].timing;
      roofline.Add(traffic.ops / bytes, traffic.ops / timing.median_seconds, Colour(i),
                   timing.implementation + " " + PrintProblem(entry.spec));
    }
    bars += Bars(entry);
  }
  return std::string(kHead) + "<h1>Tandem bench</h1><p>" + Escape(Processor()) +
         Text(", %d thread%s in the roofline.</p>", roof.threads, roof.threads == 1 ? "" : "s") +
         "<h2>Roofline</h2><p>A point is a problem: operations for each byte of weights that must be read, and "
         "operations per second. No point can lie above the lines, which were measured in the same run. Below the "
         "lines of a cache, the weights come from further away.</p>" +
         roofline.Svg() +
         "<h2>Share of the bound</h2><p>The bound is the longer of the arithmetic at the measured peak and of reading "
         "the weights at the measured rate. Each implementation with its fastest number of threads.</p>"
         "<table><tr><th>problem<th>implementation<th>threads<th>median, us<th>share<th></tr>\n" +
         bars + "</table></body></html>\n";
}

}  // namespace tandem::conformance
