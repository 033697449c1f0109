// Examples over several steps: all lines of two steps, and how a gradient shrinks or grows on its way back.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "reference/teaching/book/chapter.h"
#include "reference/teaching/book/explain.h"
#include "reference/teaching/book/two_steps.h"

namespace tandem {
namespace reference {
namespace {

constexpr NumberStyle kStyle = {6, Digits::kSignificant};

std::vector<double> NumbersOf(const std::string& list) {
  std::istringstream in(list);
  std::vector<double> numbers;
  for (std::string word; std::getline(in, word, ',');) numbers.push_back(std::stod(word));
  return numbers;
}

SequenceInputs InputsOf(const std::vector<std::string>& words, size_t first) {
  SequenceInputs inputs;
  for (size_t i = first; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    if (equals == std::string::npos) throw std::invalid_argument("'" + words[i] + "' is no NAME=NUMBER,...");
    inputs[words[i].substr(0, equals)] = NumbersOf(words[i].substr(equals + 1));
  }
  return inputs;
}

// The figure: a line plot with a logarithmic axis, from 1e-12, where lines end, to the power of 10 above all values.
constexpr double kWidth = 720, kHeight = 380, kLeft = 60, kRight = 250, kTop = 20, kBottom = 50;
constexpr int kLowest = -12;  // a power of 10

using Curves = std::vector<std::pair<std::string, std::vector<double>>>;

int HighestPower(const Curves& curves) {
  double highest = 1;  // where all curves begin
  for (const auto& [name, values] : curves)
    highest = std::max(highest, *std::max_element(values.begin(), values.end()));
  return static_cast<int>(std::ceil(std::log10(highest)));
}

const char* const kColors[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e",
                               "#17becf", "#8c564b", "#e377c2", "#7f7f7f"};

std::string Text(const char* format, double a, double b) {
  char text[100];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

double XOf(double step, double steps) { return kLeft + step / steps * (kWidth - kLeft - kRight); }

// A value that is too small lies below the figure's edge.
double YOf(double value, int highest) {
  const double power = std::log10(std::max(value, 1e-300));
  return kTop + (highest - power) / (highest - kLowest) * (kHeight - kTop - kBottom);
}

void DrawAxes(size_t steps, int highest, std::ostringstream* out) {
  for (int power = kLowest; power <= highest; power += 2) {
    const double y = YOf(std::pow(10, power), highest);
    *out << Text("<path stroke=\"#ddd\" d=\"M60 %.1f H%.0f\"/>\n", y, kWidth - kRight)
         << Text("<text x=\"54\" y=\"%.1f\" text-anchor=\"end\">1e%.0f</text>\n", y + 4, power);
  }
  for (size_t step = 0; step <= steps; step += 20) {
    *out << Text("<text x=\"%.1f\" y=\"348\" text-anchor=\"middle\">%.0f</text>\n", XOf(step, steps), step);
  }
  *out << "<text x=\"265\" y=\"370\" text-anchor=\"middle\">steps back in time</text>\n"
       << "<text x=\"14\" y=\"175\" text-anchor=\"middle\" transform=\"rotate(-90 14 175)\">length of the "
          "gradient</text>\n";
}

std::string PlotOverTime(const Curves& curves) {
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 380\" width=\"720\" height=\"380\" "
         "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"720\" height=\"380\" fill=\"#fff\"/>\n"
         "<clipPath id=\"inside\"><rect x=\"60\" y=\"20\" width=\"410\" height=\"310\"/></clipPath>\n";
  const int highest = HighestPower(curves);
  DrawAxes(curves.at(0).second.size(), highest, &out);
  for (size_t i = 0; i < curves.size(); ++i) {
    const std::vector<double>& values = curves[i].second;
    const char* color = kColors[i % (sizeof kColors / sizeof kColors[0])];
    out << "<polyline clip-path=\"url(#inside)\" fill=\"none\" stroke-width=\"2\" stroke=\"" << color << "\" points=\""
        << Text("%.1f,%.1f", kLeft, YOf(1, highest));
    for (size_t k = 0; k < values.size(); ++k) {
      out << Text(" %.1f,%.1f", XOf(k + 1, values.size()), YOf(values[k], highest));
    }
    const double y = kTop + 20 * (i + 1);
    out << "\"/>\n<rect x=\"482\" y=\"" << y - 8 << "\" width=\"14\" height=\"4\" fill=\"" << color
        << "\"/>\n<text x=\"502\" y=\"" << y << "\">" << curves[i].first << "</text>\n";
  }
  out << "</svg>\n";
  return out.str();
}

const std::vector<size_t> kDistances = {1, 5, 10, 20, 50, kDecaySteps};

std::string RepeatedText(const std::string& text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i) result += text;
  return result;
}

// The first word, with spaces in place of +.
std::string DecayName(const std::vector<std::string>& words) {
  std::string name = words.at(0);
  std::replace(name.begin(), name.end(), '+', ' ');
  return name;
}

struct DecayLine {
  std::string name;
  std::vector<std::string> words;  // after the name
};

std::vector<DecayLine> DecayLinesOf(const std::string& text) {
  std::vector<DecayLine> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("@decay ", 0) != 0) continue;
    std::istringstream words_in(line.substr(7));
    std::vector<std::string> words;
    for (std::string word; words_in >> word;) words.push_back(word);
    const std::string name = DecayName(words);
    words.erase(words.begin());
    lines.push_back({name, std::move(words)});
  }
  return lines;
}

// Returns the words that a line begins with if the step before or after matters.
std::string Beginning(const SequenceLine& line) {
  std::string label = "t=" + std::to_string(line.step) + " [" + line.id + "]";
  label.resize(std::max<size_t>(label.size() + 1, 15), ' ');
  return label + Show(line.formula.left, Notation::kText);
}

std::string NumberIn(const Evaluator& values, const std::string& name) {
  const auto found = values.values.find(name);
  return ShowNumber(found == values.values.end() ? 0 : found->second(0, 0), kStyle);
}

// The first line of a backward step says what came from the loss and from the step after.
void AppendArrival(const SequenceLine& line, bool is_lstm, std::ostringstream* out) {
  *out << "t=" << line.step << " [STACK.B3]  dh = " << NumberIn(line.before, "dh") << "\n";
  if (is_lstm) *out << "t=" << line.step << " [STACK.B7]  dc = " << NumberIn(line.before, "dc") << "\n";
}

}  // namespace

std::string DecayRow(std::vector<std::string> words, bool* has_header) {
  std::string row;
  if (!*has_header) {
    row = "| cell | parameters |";
    for (const size_t distance : kDistances) row += " " + std::to_string(distance) + " |";
    row += "\n|---|---|" + RepeatedText("---|", kDistances.size()) + "\n";
    *has_header = true;
  }
  row += "| " + DecayName(words) + " | ";
  words.erase(words.begin());
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i].substr(words[i].find('=')) != "=0") row += words[i] + " ";
  }
  row += "|";
  const std::vector<double> norms = GradientOverTime(words, kDecaySteps);
  for (const size_t distance : kDistances) row += " " + ShowNumber(norms[distance - 1], {3}) + " |";
  return row + "\n";
}

DecayRows DecayRowsOf(const std::string& text) {
  DecayRows rows;
  for (DecayLine& line : DecayLinesOf(text)) rows[line.name] = std::move(line.words);
  return rows;
}

std::string DecayFigure(const std::string& text) {
  Curves curves;
  for (const DecayLine& line : DecayLinesOf(text))
    curves.emplace_back(line.name, GradientOverTime(line.words, kDecaySteps));
  return PlotOverTime(curves);
}

std::string WorkedSequence(const std::vector<std::string>& words) {
  const Sequence sequence(words.at(0), InputsOf(words, 1), 2);
  std::ostringstream out;
  out << "```\ngiven";
  for (size_t i = 1; i < words.size(); ++i) out << " " << words[i];
  out << "\n";
  const bool is_lstm = words[0].rfind("LSTM", 0) == 0;
  std::string previous_step;
  for (const SequenceLine& line : sequence.lines()) {
    const bool backward = line.id.find(".B") != std::string::npos;
    const std::string step = (backward ? "B" : "") + std::to_string(line.step);
    if (step != previous_step && backward) AppendArrival(line, is_lstm, &out);
    previous_step = step;
    out << Beginning(line);
    for (const std::string& stage : Explain(line.before, line.formula, {}, kStyle).stages) out << " = " << stage;
    out << "\n";
  }
  out << "```\n";
  return out.str();
}

std::vector<double> GradientOverTime(const std::vector<std::string>& words, size_t steps) {
  SequenceInputs inputs = InputsOf(words, 1);
  inputs["dh"].assign(steps, 0);
  inputs["dh"].back() = 1;  // the loss is the last h
  const Sequence sequence(words.at(0), inputs, steps);
  const bool is_lstm = words[0].rfind("LSTM", 0) == 0;
  std::vector<double> norms;  // [k]: what arrives k + 1 steps before the last one's end
  for (size_t t = steps; t-- > 0;) {
    const double h = sequence.SentBack(t, "dh'"), c = is_lstm ? sequence.SentBack(t, "dc'") : 0;
    norms.push_back(std::sqrt(h * h + c * c));
  }
  return norms;
}

}  // namespace reference
}  // namespace tandem
