#include "reference/teaching/table/symbol.h"

#include <cstring>

#include "api/core/tensor.h"

namespace tandem {
namespace reference {
namespace {

// The tensor with whose name `text` begins, of several the one with the longest: src_iter_c, not src_iter. Null for none.
const char* TensorAtTheStartOf(const std::string& text) {
  const char* found = nullptr;
  for (const Tensor tensor : kTensors) {
    const char* name = ToString(tensor);
    const bool begins = text.rfind(name, 0) == 0;
    if (begins && (found == nullptr || std::strlen(name) > std::strlen(found))) found = name;
  }
  return found;
}

bool TakePrefix(std::string* text, const char* prefix) {
  if (text->rfind(prefix, 0) != 0) return false;
  text->erase(0, std::strlen(prefix));
  return true;
}

bool TakeSuffix(std::string* text, const std::string& suffix) {
  if (text->size() < suffix.size() || text->compare(text->size() - suffix.size(), suffix.size(), suffix) != 0) {
    return false;
  }
  text->erase(text->size() - suffix.size());
  return true;
}

std::string WithoutBraces(const std::string& subscript) {
  return subscript.empty() || subscript[0] != '{' ? subscript : subscript.substr(1, subscript.size() - 2);
}

std::string Escaped(const std::string& tensor) {
  std::string escaped;
  for (const char c : tensor) escaped += c == '_' ? std::string("\\_") : std::string(1, c);
  return escaped;
}

std::string Greek(const std::string& base) {
  if (base == "Δ") return "\\Delta";
  if (base == "alpha" || base == "beta") return "\\" + base;
  if (base == "epsilon" || base == "clip") return "\\mathrm{" + base + "}";
  return base;
}

std::string Marked(const std::string& latex, const std::string& mark) {
  if (mark == "~") return "\\tilde{" + latex + "}";
  if (mark == "^") return "\\hat{" + latex + "}";
  if (mark == "→") return "\\overrightarrow{" + latex + "}";
  if (mark == "←") return "\\overleftarrow{" + latex + "}";
  return latex;
}

// A gate's name in a subscript may have a mark of its own: W_c~.
std::string LatexSubscript(const std::string& subscript) {
  std::string name = subscript;
  if (TakeSuffix(&name, "~")) return "\\tilde{" + name + "}";
  return name;
}

std::string LatexSymbol(const SymbolParts& parts) {
  std::string latex = parts.is_tensor ? "\\text{" + Escaped(parts.base) + "}" : Greek(parts.base);
  latex = (parts.is_differential ? "\\mathrm{d}" : "") + Marked(latex, parts.mark);
  if (parts.is_prime) latex += "'";
  return parts.subscript.empty() ? latex : latex + "_{" + LatexSubscript(parts.subscript) + "}";
}

std::string MathmlAccent(const std::string& base, const std::string& mark) {
  if (mark.empty()) return base;
  const std::string accent = mark == "^" ? "ˆ" : mark == "~" ? "˜" : mark;
  return "<mover accent=\"true\">" + base + "<mo>" + accent + "</mo></mover>";
}

std::string MathmlSubscript(const std::string& subscript) {
  std::string name = subscript;
  if (TakeSuffix(&name, "~")) return MathmlAccent("<mi>" + name + "</mi>", "~");
  return "<mtext>" + name + "</mtext>";
}

std::string MathmlSymbol(const SymbolParts& parts) {
  std::string base = parts.is_tensor ? "<mtext>" + parts.base + "</mtext>"
                                     : "<mi>" +
                                           (parts.base == "alpha"     ? std::string("α")
                                            : parts.base == "beta"    ? std::string("β")
                                            : parts.base == "epsilon" ? std::string("ε")
                                                                      : parts.base) +
                                           "</mi>";
  base = MathmlAccent(base, parts.mark);
  const std::string sub = parts.subscript.empty() ? "" : MathmlSubscript(parts.subscript);
  if (parts.is_prime) base = "<mrow>" + base + "<mo lspace=\"0\" rspace=\"0\">′</mo></mrow>";
  if (!sub.empty()) base = "<msub>" + base + sub + "</msub>";
  if (!parts.is_differential) return base;
  return "<mrow><mi mathvariant=\"normal\">d</mi>" + base + "</mrow>";
}

}  // namespace

SymbolParts PartsOf(const std::string& name) {
  SymbolParts parts;
  if (const char* tensor = TensorAtTheStartOf(name)) {
    std::string rest = name.substr(std::strlen(tensor));
    parts.is_tensor = true;
    parts.base = tensor;
    if (TakePrefix(&rest, "_")) parts.subscript = WithoutBraces(rest);
    return parts;
  }
  const size_t underscore = name.find('_');
  parts.base = name.substr(0, underscore);
  if (underscore != std::string::npos) parts.subscript = WithoutBraces(name.substr(underscore + 1));
  parts.is_prime = TakeSuffix(&parts.base, "'");
  for (const char* mark : {"~", "^", "→", "←"}) {
    if (TakeSuffix(&parts.base, mark)) parts.mark = mark;
  }
  parts.is_differential = parts.base.size() > 1 && parts.base[0] == 'd';
  if (parts.is_differential) parts.base.erase(0, 1);
  return parts;
}

std::string ShowSymbol(const std::string& name, Notation notation) {
  switch (notation) {
    case Notation::kText:
      return name;
    case Notation::kLatex:
      return LatexSymbol(PartsOf(name));
    case Notation::kMathml:
      return MathmlSymbol(PartsOf(name));
  }
  return name;
}

}  // namespace reference
}  // namespace tandem
