#include "conformance/cli/bench/bench_page.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "conformance/cli/bench/bench_text.h"
#include "conformance/pages/markup.h"
#include "conformance/pages/page.h"
#include "conformance/problem/base/format.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

// A colour for each implementation, for marks and for bars.
constexpr const char* kStyle =
    ".p0{--mark:#2166ac}.p1{--mark:#b2182b}.p2{--mark:#1b7837}.p3{--mark:#762a83}.p4{--mark:#8c510a}"
    "@media screen and (prefers-color-scheme:dark){.p0{--mark:#84b4ff}.p1{--mark:#ff8b82}.p2{--mark:#7bd88f}"
    ".p3{--mark:#d3a6e8}.p4{--mark:#e0b070}}"
    ".spread{stroke:var(--mark);stroke-width:2}circle{fill:var(--mark)}.bar{display:inline-block;height:.8em;"
    "background:var(--mark);print-color-adjust:exact}"
    ".roof{fill:none;stroke:#888}.scroll svg{max-width:none}";

constexpr size_t kColours = 5;
std::string Colour(size_t implementation) { return "p" + std::to_string(implementation % kColours); }

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
      svg_ += Format("<line x1=\"%.0f\" y1=\"10\" x2=\"%.0f\" y2=\"%d\" class=\"grid\"/>", x, x, kHeight - 30);
      svg_ += Format("<text x=\"%.0f\" y=\"%d\">%g</text>", x, kHeight - 15, std::pow(10., decade));
    }
    svg_ += Format("<text x=\"%d\" y=\"%d\">operations for each byte of weights</text>", kWidth / 2 - 100, kHeight - 1);
    svg_ += "<text x=\"2\" y=\"11\">GFLOP/s</text>";
    AddRates();
    AddRoof("f32", roof.f32);
    if (roof.bf16 > 1.2 * roof.f32) AddRoof("bf16", roof.bf16);  // else f32's roof, but for noise
    AddRoof("u8 x s8", roof.int8);
  }
  // A point at the median, with the problem's number, and a line up to the fastest execution.
  void Add(double intensity, double rate, double best_rate, size_t number, const std::string& colour,
           const std::string& name) {
    ++points_;
    svg_ += Format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"spread %s\"/>", X(intensity), Y(rate),
                   X(intensity), Y(best_rate), colour.c_str());
    svg_ += Format("<text x=\"%.1f\" y=\"%.1f\">%zu</text>", X(intensity) + 6, Y(rate) + 4, number);
    svg_ +=
        Format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"%s\"><title>", X(intensity), Y(rate), colour.c_str()) +
        Escape(name) + Format(": %.1f operations a byte, %.1f GFLOP/s</title></circle>", intensity, rate * 1e-9);
  }
  std::string Svg() const {
    return Format("<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"Roofline: %d points\">", kWidth,
                  kHeight, kWidth, points_) +
           svg_ + "</svg>";
  }

 private:
  static constexpr int kWidth = 800, kHeight = 400;
  double X(double intensity) const { return 60 + 150 * (std::log10(std::max(intensity, 0.1)) + 1); }
  // Four decades below the highest peak.
  double Y(double rate) const {
    const double top = std::max({roof_.f32, roof_.bf16, roof_.int8});
    return 20 + 85 * std::clamp(std::log10(top / std::max(rate, 1.)), 0., 4.);
  }
  void AddRates() {
    for (double rate = 1e6; rate < 1e16; rate *= 10) {
      const double y = Y(rate);
      if (y <= Y(1e30) + 8 || y >= Y(1)) continue;
      svg_ += Format("<line x1=\"60\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>", y, kWidth, y);
      svg_ += Format("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>", kWidth - 2, y - 3, rate * 1e-9);
    }
  }
  void AddRoof(const char* name, double peak) {
    svg_ += Format("<text x=\"2\" y=\"%.0f\">%s %.0f</text>", Y(peak), name, peak * 1e-9);
    for (const Roof::Level& level : roof_.levels) {
      const double knee = peak / level.bytes_per_second;
      svg_ += Format("<path d=\"M%.1f %.1fL%.1f %.1fL%d %.1f\" class=\"roof\"><title>%s, %s: %.1f GB/s", X(0.1),
                     Y(0.1 * level.bytes_per_second), X(knee), Y(peak), kWidth, Y(peak), name, level.name.c_str(),
                     level.bytes_per_second * 1e-9);
      svg_ += "</title></path>" + Format("<text x=\"%.0f\" y=\"%.0f\">%s</text>", X(0.1) + 3,
                                         Y(0.1 * level.bytes_per_second) - 5, level.name.c_str());
    }
  }

  const Roof& roof_;
  int points_ = 0;
  std::string svg_;
};

// "; optimized is 1.35 times as fast, at least 1.01 times; 2 problems are disturbed".
std::string InWords(const std::vector<RoundRatio>& ratios, const std::string& first) {
  if (ratios.empty()) return "";
  double logs = 0, slowest = HUGE_VAL;
  size_t disturbed = 0;
  for (const RoundRatio& ratio : ratios) {
    logs += std::log(ratio.ratio);
    slowest = std::min(slowest, ratio.ratio);
    disturbed += ratio.rounds == RoundsSay::kDisturbed ? 1 : 0;
  }
  const std::string text = "; " + Escape(first) +
                           Format(" is %.2f times as fast, at least %.2f times",
                                  std::exp(logs / static_cast<double>(ratios.size())), slowest);
  return disturbed == 0 ? text : text + "; of these ratios, " + std::to_string(disturbed) + " disturbed";
}

// The first implementation against each other one, and each one against its bound.
std::string Summary(const std::vector<BenchEntry>& entries) {
  if (entries.empty()) return "";
  std::string html;
  for (size_t i = 0; i < entries[0].best.size(); ++i) {
    double shares = 0;
    size_t count = 0;
    std::vector<RoundRatio> ratios;
    for (const BenchEntry& entry : entries) {
      if (i >= entry.best.size()) continue;
      const double seconds = entry.best[i].timing.median_seconds;
      shares += std::log(entry.best[i].bound.seconds / seconds);
      if (std::isfinite(entry.best[i].ratio.ratio)) ratios.push_back(entry.best[i].ratio);
      ++count;
    }
    if (count == 0) continue;
    const double all = static_cast<double>(count);
    html += "<li>" + Escape(entries[0].best[i].timing.implementation) +
            Format(": %.1f %% of its bound, geometric mean of %s", 100 * std::exp(shares / all),
                   Counted(count, "problem").c_str());
    if (i > 0) html += InWords(ratios, entries[0].best[0].timing.implementation);
    html += "</li>\n";
  }
  return "<h2>Summary</h2>\n<ul>\n" + html + "</ul>\n";
}

std::string Bars(const BenchEntry& entry, size_t number) {
  std::string html;
  for (size_t i = 0; i < entry.best.size(); ++i) {
    const BenchEntry::Best& best = entry.best[i];
    const double share = 100 * best.bound.seconds / best.timing.median_seconds;
    html += (i == 0 ? "<tr><th scope=\"row\">" + std::to_string(number) + ". <code>" +
                          Escape(PrintProblem(entry.spec)) + "</code></th>"
                    : std::string("<tr><td></td>")) +
            "<td>" + Escape(best.timing.implementation) + "</td>" +
            Format("<td data-label=\"threads\" class=\"number\">%d</td>", best.timing.threads) +
            Format("<td data-label=\"median, us\" class=\"number\">%.1f</td>", best.timing.median_seconds * 1e6) +
            Format("<td data-label=\"fastest, us\" class=\"number\">%.1f</td>", best.timing.min_seconds * 1e6) +
            "<td data-label=\"ratio\" class=\"number\">" + (i == 0 ? "" : InWords(best.ratio)) + "</td>" +
            Format("<td data-label=\"share\" class=\"number\">%.0f %% of %s</td>", share, ToString(best.bound.limit)) +
            Format("<td><span class=\"bar %s\" style=\"width:%.0fpx\"></span></td></tr>\n", Colour(i).c_str(),
                   std::min(share, 120.));
  }
  return html;
}

// The colour of each implementation.
std::string Legend(const std::vector<BenchEntry>& entries) {
  std::string html;
  if (entries.empty()) return html;
  for (size_t i = 0; i < entries[0].best.size(); ++i) {
    html += "<span class=\"bar " + Colour(i) + "\" style=\"width:.8em\"></span> " +
            Escape(entries[0].best[i].timing.implementation) + " ";
  }
  return "<p>" + html + "</p>\n";
}

}  // namespace

std::string BenchPage(const std::vector<BenchEntry>& entries, const Roof& roof) {
  Roofline roofline(roof);
  std::string bars;
  size_t number = 0;
  for (const BenchEntry& entry : entries) {
    ++number;
    const Traffic traffic = TrafficOf(entry.spec);
    const double bytes = traffic.once_bytes + traffic.steps * traffic.step_bytes;
    for (size_t i = 0; i < entry.best.size(); ++i) {
      const Timing& timing = entry.best[i].timing;
      roofline.Add(traffic.ops / bytes, traffic.ops / timing.median_seconds, traffic.ops / timing.min_seconds, number,
                   Colour(i), timing.implementation + " " + PrintProblem(entry.spec));
    }
    bars += Bars(entry, number);
  }
  return PageBegin("Tandem bench", kStyle) + "<h1>Tandem bench</h1>\n<p>" + Escape(Processor()) +
         Format(", %d thread%s in the roofline.</p>\n", roof.threads, roof.threads == 1 ? "" : "s") + Summary(entries) +
         "<h2>Roofline</h2>\n<p>A point is a problem, with its number in the table below, at the median; "
         "the line at it ends at the fastest execution. It has operations for each byte of weights that must be read, "
         "and "
         "operations per second. No point can lie above the lines, which were measured in the same run. Below the "
         "lines of a cache, the weights come from further away.</p>\n" +
         Legend(entries) + Scrollable("Roofline", roofline.Svg()) +
         "<h2>Share of the bound</h2>\n<table class=\"rows\"><caption>The bound is the longer of the arithmetic at the "
         "measured peak and of reading the weights at the measured rate. Each implementation with its fastest number "
         "of threads. The ratio is its time by the first one's, round by round: the median, with its 95 % interval. It "
         "is "
         "disturbed where the rounds disagree by more than it differs from 1.</caption><thead><tr><th "
         "scope=\"col\">problem</th><th scope=\"col\">implementation</th><th "
         "scope=\"col\">threads</th><th scope=\"col\">median, us</th><th scope=\"col\">fastest, us</th><th "
         "scope=\"col\">ratio</th><th scope=\"col\">share</th><th "
         "scope=\"col\">share, drawn</th></tr></thead><tbody>\n" +
         bars + "</tbody></table>\n" + PageEnd();
}

}  // namespace tandem::conformance
