#include "api/core/text/text.h"

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>

namespace tandem {
namespace {

// The decimal point of the process's locale may have several bytes.
std::string PointOfLocale() { return std::localeconv()->decimal_point; }

std::string Print(const char* format, double value) {
  const int size = std::snprintf(nullptr, 0, format, value);
  std::string text(static_cast<size_t>(size) + 1, '\0');
  std::snprintf(&text[0], text.size(), format, value);
  text.pop_back();
  const std::string point = PointOfLocale();
  const size_t at = text.find(point);
  return at == std::string::npos ? text : text.replace(at, point.size(), ".");
}

}  // namespace

std::string NumberText(double value) { return Print("%g", value); }

std::string FixedText(double value) { return Print("%f", value); }

std::optional<double> ReadNumber(const std::string& text) {
  // No space before the number, no second comma of a locale, and no hexadecimal digits.
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string::npos) return std::nullopt;
  std::string local = text;
  const size_t at = local.find('.');
  if (at != std::string::npos) local.replace(at, 1, PointOfLocale());
  char* end = nullptr;
  const double value = std::strtod(local.c_str(), &end);
  if (*end != '\0') return std::nullopt;
  return value;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace tandem
