// The word that was probably meant.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_NEAREST_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_NEAREST_H_

#include <string>
#include <vector>

namespace tandem::conformance {

// "; did you mean CANDIDATE?" for the candidate that the fewest typing errors turn into `word`: a letter wrong, left out
// or added, or two neighbours swapped; any case. Empty if even that is more than one error in three letters.
std::string DidYouMean(const std::string& word, const std::vector<std::string>& candidates);

// Returns the text that follows "X is none of them": "; did you mean CANDIDATE? The others", or "; the others". `others` is a
// clause, such as "there are a, b"; it begins with a small letter.
std::string DidYouMean(const std::string& word, const std::vector<std::string>& candidates, const std::string& others);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_NEAREST_H_
