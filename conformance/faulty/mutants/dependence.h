// On which sizes of a problem it depends that an implementation's output is wrong, where no known mistake explains it.
#ifndef TANDEM_CONFORMANCE_FAULTY_MUTANTS_DEPENDENCE_H_
#define TANDEM_CONFORMANCE_FAULTY_MUTANTS_DEPENDENCE_H_

#include <functional>
#include <map>
#include <string>

#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// Whether the output conforms, with so many threads (0: by the problem's seed). Called for one problem after the other.
using Conforms = std::function<bool(const ProblemSpec& spec, int threads)>;

// "it conforms with one step; with one row", then a sentence for each size that decides: "it fails where N % 8 > 0 (24
// sizes from 1 to 33 were tried)". `given` is a problem on which it fails, dims resolved.
std::string DependsOn(const ProblemSpec& given, const Conforms& conforms);

// The simplest rule that is true of exactly those sizes that fail: "N > 4", "N % 8 > 0", "N is odd", "N > 8 and N % 8 = 1";
// empty if all fail, if none does, or if there is no such rule.
std::string RuleOf(const std::string& name, const std::map<Dim, bool>& fails);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_MUTANTS_DEPENDENCE_H_
