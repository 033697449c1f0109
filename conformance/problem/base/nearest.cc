#include "conformance/problem/base/nearest.h"

#include <algorithm>
#include <cctype>

namespace tandem::conformance {
namespace {

std::string Lower(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

// Damerau's distance: the number of errors.
size_t Distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string DidYouMean(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr size_t kLongest = 64;  // nobody types so much by mistake
  if (word.size() > kLongest) return "";
  std::string nearest;
  size_t errors = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = Distance(Lower(word), Lower(candidate));
    if (distance >= errors) continue;
    errors = distance;
    nearest = candidate;
  }
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::string DidYouMean(const std::string& word, const std::vector<std::string>& candidates, const std::string& others) {
  const std::string meant = DidYouMean(word, candidates);
  if (meant.empty()) return "; " + others;
  std::string sentence = others;
  // The name of a command, such as ./tandem, stays as it is.
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return meant + " " + sentence;
}

}  // namespace tandem::conformance
