// A limit for readers of JSON that copy or print a value: the parser copes with any depth, but these take a stack frame for
// each level.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_JSON_DEPTH_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_JSON_DEPTH_H_

#include <string>

namespace tandem::conformance {

// True if arrays and objects of `json`, well-formed or not, lie more than 64 deep in each other. Our formats have six
// levels.
bool NestsTooDeeply(const std::string& json);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_JSON_DEPTH_H_
