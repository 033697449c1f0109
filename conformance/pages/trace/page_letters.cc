// One colour for each letter of a cell.
#include <algorithm>
#include <cctype>

#include "conformance/pages/trace/page_parts.h"
#include "conformance/pages/trace/page_plots.h"

namespace tandem::conformance {
namespace {

struct Letter {
  const char* name;
  const char* css;           // its class and variable
  const char *light, *dark;  // at least 4.5 to 1 on either page
};
constexpr Letter kLetters[] = {
    {"c~", "q-ct", "#00696e", "#6fd3d8"}, {"x", "q-x", "#57606a", "#b0b8c0"}, {"h", "q-h", "#1a7037", "#7bd88f"},
    {"c", "q-c", "#8a5300", "#e0b070"},   {"i", "q-i", "#1d5fa8", "#84b4ff"}, {"f", "q-f", "#b3261e", "#ff8b82"},
    {"o", "q-o", "#7b3fb5", "#d3a6e8"},   {"u", "q-u", "#1d5fa8", "#84b4ff"}, {"r", "q-r", "#b3261e", "#ff8b82"},
};

void ReplaceAll(const std::string& from, const std::string& to, std::string* text) {
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size()))
    text->replace(at, from.size(), to);
}

// "c_prev", "diff_c" and "delta_c_tilde" as formulas have them: "c", "c", "c~".
std::string LetterOfVariable(std::string variable) {
  for (const char* prefix : {"diff_", "delta_"}) {
    if (variable.rfind(prefix, 0) == 0) variable.erase(0, std::string(prefix).size());
  }
  for (const char* suffix : {"_prev", "_hat"}) {
    const size_t at = variable.size() - std::min(variable.size(), std::string(suffix).size());
    if (variable.compare(at, std::string::npos, suffix) == 0) variable.erase(at);
  }
  ReplaceAll("_tilde", "~", &variable);
  return variable;
}

}  // namespace

std::string LetterClass(const std::string& name) {
  std::string letter = name;
  for (const char* prefix : {"|", "Δ_", "d"}) {
    if (letter.rfind(prefix, 0) == 0 && letter.size() > std::string(prefix).size())
      letter.erase(0, std::string(prefix).size());
  }
  while (!letter.empty() && (letter.back() == '\'' || letter.back() == '^' || letter.back() == '|')) letter.pop_back();
  if (letter == "u~") letter = "u";
  for (const Letter& known : kLetters) {
    if (letter == known.name) return known.css;
  }
  return "";
}

std::string LetterStyle() {
  std::string light = ":root{", dark = "@media screen and (prefers-color-scheme:dark){:root{", classes;
  for (const Letter& letter : kLetters) {
    const std::string css = letter.css;
    light += "--" + css + ":" + letter.light + ";";
    dark += "--" + css + ":" + letter.dark + ";";
    classes += "." + css + ",.cell svg text." + css + "{color:var(--" + css + ");fill:var(--" + css + ")}.curve." +
               css + "{stroke:var(--" + css + ")}";
  }
  return light + "}" + dark + "}}" + classes + ".curve{fill:none!important;stroke-width:1.5}";
}

std::string WithLetterColours(std::string mathml) {
  const std::string tilde = "<mover accent=\"true\"><mi>c</mi><mo>˜</mo>";
  ReplaceAll(tilde, "<mover accent=\"true\" class=\"q-ct\"><mi class=\"q-ct\">c</mi><mo>˜</mo>", &mathml);
  for (const Letter& letter : kLetters) {
    const std::string name = letter.name, css = letter.css;
    for (const char* element : {"mi", "mtext"}) {
      const std::string tag = element;
      ReplaceAll("<" + tag + ">" + name + "</" + tag + ">",
                 "<" + tag + " class=\"" + css + "\">" + name + "</" + tag + ">", &mathml);
    }
  }
  return mathml;
}

std::string CodeElement(const std::string& code) {
  std::string html;
  for (size_t at = 0; at < code.size();) {
    size_t end = at;
    while (end < code.size() && (std::isalnum(static_cast<unsigned char>(code[end])) || code[end] == '_')) ++end;
    const std::string word = code.substr(at, std::max<size_t>(1, end - at));
    const std::string css = LetterClass(LetterOfVariable(word));
    html += css.empty() ? HtmlText(word) : "<span class=\"" + css + "\">" + word + "</span>";
    at += word.size();
  }
  return "<code>" + html + "</code>";
}

}  // namespace tandem::conformance
