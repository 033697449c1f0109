// Numbers as text, and text in parts, whatever locale the process has. Streams of the standard library would do the same, but with
// them half a megabyte of locales is linked into each library.
#ifndef TANDEM_API_CORE_TEXT_TEXT_H_
#define TANDEM_API_CORE_TEXT_TEXT_H_

#include <optional>
#include <string>
#include <vector>

namespace tandem {

// "0.5", "1e-40": up to six significant digits, never 0 for what is not.
std::string NumberText(double value);
// Returns six digits behind the point.
std::string FixedText(double value);
// Returns the number that the whole text is, with a point; nothing if it is none.
std::optional<double> ReadNumber(const std::string& text);

// Returns the parts between separators. Behind the last separator is no empty part.
std::vector<std::string> Split(const std::string& text, char separator);

}  // namespace tandem

#endif  // TANDEM_API_CORE_TEXT_TEXT_H_
