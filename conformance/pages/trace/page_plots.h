// Pictures of a trace page: SVG with axes, a caption, and a name for those who cannot see it.
#ifndef TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_PLOTS_H_
#define TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_PLOTS_H_

#include <map>
#include <string>
#include <vector>

namespace tandem::conformance {

// The class of a letter's colour, the same in the picture of the cell, the formulas, the code and the plots: "q-f" of f, W_f
// and Δ_f; empty: it has none.
std::string LetterClass(const std::string& name);
// The colours, as CSS.
std::string LetterStyle();
// MathML in which each letter has its class.
std::string WithLetterColours(std::string mathml);
// C++ in which each variable that is a letter of the cell, also as "c_prev" or "delta_c_tilde", has its class.
std::string CodeElement(const std::string& code);

// Values of one row of the minibatch over time, for one name ("i", "Δ_f") of one layer and direction.
struct ValueMap {
  std::vector<std::vector<double>> columns;  // [t][unit]; empty where the row has no step
  double Largest() const;                    // of the absolute values
};
// Squares from blue (negative) over the page's colour (0) to red (positive), with the number as their title. `scale` is
// the number of the strongest colour.
std::string HeatMap(const std::string& title, const ValueMap& map, double scale);

// One line over time; NaN where there is no value.
struct Curve {
  std::string name;
  std::vector<double> values;  // [t]
};
enum class Scale { kLinear, kLogarithmic };
// A logarithmic scale shows positive values only.
std::string LinePlot(const std::string& title, const std::vector<Curve>& curves, Scale scale);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_PLOTS_H_
