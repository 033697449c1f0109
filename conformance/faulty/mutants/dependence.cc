#include "conformance/faulty/mutants/dependence.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

// The problem in another size, and with how many threads; 0: as it was.
struct Change {
  std::string words;
  ProblemSpec spec;
  int threads = 0;
};

std::vector<Change> Changes(const ProblemSpec& spec) {
  std::vector<Change> changes = {{"one thread", spec, 1}, {"three threads", spec, 3}};
  const auto with = [&](const char* words, auto change) {
    ProblemSpec changed = spec;
    change(&changed);
    if (PrintProblem(changed) != PrintProblem(spec)) changes.push_back({words, changed, 0});
  };
  with("one step", [](ProblemSpec* s) { s->t = 1; });
  with("one row", [](ProblemSpec* s) { s->mb = 1; });
  with("one layer", [](ProblemSpec* s) { s->l = 1; });
  with("channels in multiples of 16", [](ProblemSpec* s) {
    for (Dim* channels : {&s->slc, &s->sic, &s->dhc, &s->dic}) *channels = (*channels + 15) / 16 * 16;
  });
  return changes;
}

struct Rule {
  std::string words;
  std::function<bool(Dim)> holds;
};

std::string Number(Dim value) { return std::to_string(value); }

// From simple ones to others.
std::vector<Rule> RulesAbout(const std::string& name, const std::map<Dim, bool>& fails) {
  std::vector<Rule> rules;
  for (const auto& tried : fails) {
    const Dim k = tried.first;
    rules.push_back({name + " > " + Number(k), [k](Dim size) { return size > k; }});
    rules.push_back({name + " <= " + Number(k), [k](Dim size) { return size <= k; }});
  }
  rules.push_back({name + " is odd", [](Dim size) { return size % 2 != 0; }});
  rules.push_back({name + " is even", [](Dim size) { return size % 2 == 0; }});
  for (const Dim divisor : {4, 8, 16}) {
    rules.push_back({name + " % " + Number(divisor) + " > 0", [divisor](Dim size) { return size % divisor != 0; }});
  }
  for (const Dim divisor : {4, 8, 16}) {
    for (Dim rest = 0; rest < divisor; ++rest) {
      rules.push_back({name + " % " + Number(divisor) + " = " + Number(rest),
                       [divisor, rest](Dim size) { return size % divisor == rest; }});
    }
  }
  // A tail behind at least one whole block.
  const size_t simple = rules.size();
  for (const Dim block : {1, 2, 4, 8, 16}) {
    for (size_t i = 2 * fails.size(); i < simple; ++i) {
      const std::function<bool(Dim)> holds = rules[i].holds;
      rules.push_back({name + " > " + Number(block) + " and " + rules[i].words,
                       [block, holds](Dim size) { return size > block && holds(size); }});
    }
  }
  return rules;
}

// The sentence about one size of the problem; empty if it does not decide.
std::string SizeThatDecides(const std::string& name, Dim ProblemSpec::*size, const std::vector<Dim>& tried,
                            const ProblemSpec& given, const Conforms& conforms) {
  std::map<Dim, bool> fails;
  for (const Dim value : tried) {
    ProblemSpec spec = given;
    spec.*size = value;
    fails[value] = !conforms(spec, 0);
  }
  fails[given.*size] = true;
  const std::string rule = RuleOf(name, fails);
  if (rule.empty()) return "";
  return "\nit fails where " + rule + " (" + Number(static_cast<Dim>(fails.size())) + " sizes from " +
         Number(fails.begin()->first) + " to " + Number(fails.rbegin()->first) + " were tried)";
}

}  // namespace

std::string RuleOf(const std::string& name, const std::map<Dim, bool>& fails) {
  const bool any = std::any_of(fails.begin(), fails.end(), [](const auto& tried) { return tried.second; });
  const bool all = std::all_of(fails.begin(), fails.end(), [](const auto& tried) { return tried.second; });
  if (!any || all) return "";
  for (const Rule& rule : RulesAbout(name, fails)) {
    const bool exact = std::all_of(fails.begin(), fails.end(),
                                   [&](const auto& tried) { return rule.holds(tried.first) == tried.second; });
    if (exact) return rule.words;
  }
  return "";
}

std::string DependsOn(const ProblemSpec& given, const Conforms& conforms) {
  std::string well, wrong;
  for (const Change& change : Changes(given)) {
    std::string* const list = conforms(change.spec, change.threads) ? &well : &wrong;
    *list += (list->empty() ? "with " : "; with ") + change.words;
  }
  std::string text = well.empty() ? "it fails, too, " + wrong : "it conforms " + well;
  const std::vector<Dim> rows = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 23, 24, 25, 31, 32, 33};
  const std::vector<Dim> steps = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17};
  text += SizeThatDecides("N", &ProblemSpec::mb, rows, given, conforms);
  text += SizeThatDecides("T", &ProblemSpec::t, steps, given, conforms);
  if (given.l > 1) text += SizeThatDecides("L", &ProblemSpec::l, {1, 2, 3, 4}, given, conforms);
  return text;
}

}  // namespace tandem::conformance
