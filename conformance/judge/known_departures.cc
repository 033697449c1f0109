#include "conformance/judge/known_departures.h"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "conformance/problem/problem_notation.h"
#include "conformance/problem/problem_options.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {
namespace {

using Condition = std::function<bool(const CheckedProblem&)>;

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

[[noreturn]] void Reject(const std::string& word, const std::string& why) {
  throw NotationError("\"" + word + "\" " + why);
}

bool FitsOneOf(const std::vector<std::string>& globs, const std::string& value) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return fnmatch(glob.c_str(), value.c_str(), 0) == 0; });
}

Condition HasVerdict(const std::string& names) {
  std::vector<Verdict> verdicts;
  for (const std::string& name : Split(names, ',')) {
    const auto is_name = [&](Verdict v) { return name == ToString(v); };
    // Only failing verdicts can be known departures.
    constexpr Verdict kDepartures[] = {Verdict::kFail, Verdict::kNondeterministic, Verdict::kTimeout, Verdict::kCrash};
    const auto* found = std::find_if(std::begin(kDepartures), std::end(kDepartures), is_name);
    if (found == std::end(kDepartures)) Reject(name, "is none of FAIL, NONDETERMINISTIC, TIMEOUT, CRASH");
    verdicts.push_back(*found);
  }
  return [verdicts](const CheckedProblem& checked) {
    return std::count(verdicts.begin(), verdicts.end(), checked.outcome.verdict()) != 0;
  };
}

Condition HasOption(const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos) Reject(word, "needs a value");
  const std::string name = word.substr(2, equals - 2);
  const std::vector<std::string> globs = Split(word.substr(equals + 1), ',');
  for (const ProblemOption& option : ProblemOptions()) {
    if (name != option.name) continue;
    return [get = option.get, globs](const CheckedProblem& checked) { return FitsOneOf(globs, get(checked.spec)); };
  }
  Reject(word, "names no option of a problem");
}

// Returns the row that the complaint quotes; null for a finding of the host.
const TensorReport* QuotedRow(const CheckedProblem& checked) {
  if (checked.finding != Finding::kNone) return nullptr;
  return FirstRowWith(checked.outcome.verdict(), checked.report);
}

Condition OfQuotedRow(const std::function<bool(const TensorReport&)>& fits) {
  return [fits](const CheckedProblem& checked) {
    const TensorReport* row = QuotedRow(checked);
    return row != nullptr && fits(*row);
  };
}

// Returns a dimension, or an index of the first departure; negative if there is none.
using Number = std::function<Dim(const CheckedProblem&)>;

// Returns null for an unknown name.
Number NumberNamed(const std::string& name) {
  constexpr std::pair<const char*, Dim ProblemSpec::*> kDims[] = {
      {"l", &ProblemSpec::l},     {"t", &ProblemSpec::t},     {"mb", &ProblemSpec::mb},  {"slc", &ProblemSpec::slc},
      {"sic", &ProblemSpec::sic}, {"dhc", &ProblemSpec::dhc}, {"dic", &ProblemSpec::dic}};
  for (const auto& [known, dim] : kDims) {
    if (name == known) return [dim = dim](const CheckedProblem& checked) { return checked.spec.*dim; };
  }
  constexpr std::pair<const char*, Dim Location::*> kPlaces[] = {{"first_n", &Location::n},
                                                                 {"first_unit", &Location::unit}};
  for (const auto& [known, place] : kPlaces) {
    if (name != known) continue;
    return [place = place](const CheckedProblem& checked) {
      const TensorReport* row = QuotedRow(checked);
      return row != nullptr && row->has_departure ? row->first.*place : Dim{-1};
    };
  }
  return nullptr;
}

// `limit` is "4dhc" in "dic>4dhc".
Condition IsMoreThan(const Number& number, const std::string& word, const std::string& limit) {
  char* rest = nullptr;
  const Dim factor = std::strtoll(limit.c_str(), &rest, 10);
  const Number other = NumberNamed(rest);
  constexpr Dim kMostFactor = Dim{1} << 20;  // dims are at most 2^40
  if (factor <= 0 || factor > kMostFactor || other == nullptr) Reject(word, "is no condition");
  return [number, factor, other](const CheckedProblem& checked) { return number(checked) > factor * other(checked); };
}

Condition HasNumber(const std::string& word) {
  const size_t end = std::min(word.find_first_of("<>="), word.size());
  const Number number = NumberNamed(word.substr(0, end));
  if (number == nullptr || end == word.size()) Reject(word, "is no condition");
  if (word.substr(end) == "=odd") return [number](const CheckedProblem& checked) { return number(checked) % 2 == 1; };
  if (word[end] == '>' && word[end + 1] != '=') return IsMoreThan(number, word, word.substr(end + 1));
  const bool two = word[end] != '=' && word[end + 1] == '=';
  char* rest = nullptr;
  const std::string digits = word.substr(std::min(end + (two ? 2 : 1), word.size()));
  const Dim limit = std::strtoll(digits.c_str(), &rest, 10);
  if (digits.empty() || *rest != '\0' || (word[end] != '=' && !two)) Reject(word, "is no condition");
  return [number, limit, relation = word[end]](const CheckedProblem& checked) {
    const Dim is = number(checked);
    return is >= 0 && (relation == '<' ? is <= limit : relation == '>' ? is >= limit : is == limit);
  };
}

Condition HasFinding(const std::string& names) {
  std::vector<Finding> findings;
  for (const std::string& name : Split(names, ',')) {
    findings.emplace_back();
    if (!FindingFromName(name, &findings.back())) Reject(name, "is no finding");
  }
  return [findings](const CheckedProblem& checked) {
    return std::count(findings.begin(), findings.end(), checked.finding) != 0;
  };
}

Condition HasTensor(const std::string& name) {
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor tensor = static_cast<Tensor>(i);
    if (name == ToString(tensor))
      return OfQuotedRow([tensor](const TensorReport& row) { return row.tensor == tensor; });
  }
  Reject(name, "is no tensor");
}

Condition HasKind(const std::string& name) {
  for (const CheckKind kind : {CheckKind::kTeacherForced, CheckKind::kChained, CheckKind::kFreeRunning,
                               CheckKind::kMetamorphic, CheckKind::kNonInterference}) {
    if (name == ToString(kind)) return OfQuotedRow([kind](const TensorReport& row) { return row.kind == kind; });
  }
  Reject(name, "is no kind of check");
}

Condition HasNan(bool made) {
  return OfQuotedRow([made](const TensorReport& row) {
    return row.has_departure && std::isnan(row.got) == made && std::isnan(row.want) != made;
  });
}

Condition IsOff(bool upwards) {
  return OfQuotedRow([upwards](const TensorReport& row) {
    return row.has_departure && (upwards ? row.got > row.want : row.got < row.want);
  });
}

Condition ToCondition(const std::string& word) {
  if (word.rfind("--", 0) == 0) return HasOption(word);
  const size_t equals = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, equals), value = word.substr(std::min(equals + 1, word.size()));
  if (name == "finding") return HasFinding(value);
  if (name == "tensor") return HasTensor(value);
  if (name == "kind") return HasKind(value);
  if (word == "nan=made" || word == "nan=lost") return HasNan(value == "made");
  if (word == "got<want" || word == "got>want") return IsOff(word[3] == '>');
  return HasNumber(word);
}

}  // namespace

KnownDepartures::Pattern KnownDepartures::ToPattern(const std::vector<std::string>& words) {
  constexpr char kCpu[] = "cpu=";
  // A pattern that fits every problem would excuse everything.
  if (words.size() < 3) Reject(words[0], "needs a verdict and a condition");
  Pattern pattern = {words[0], {}, {HasVerdict(words[1])}};
  for (size_t i = 2; i < words.size(); ++i) {
    if (words[i].rfind(kCpu, 0) == 0) {
      pattern.cpus = Split(words[i].substr(sizeof kCpu - 1), ',');
    } else {
      pattern.conditions.push_back(ToCondition(words[i]));
    }
  }
  if (pattern.conditions.size() == 1) Reject(words[0], "needs a condition beside cpu=");
  return pattern;
}

// Each word and each item of a list takes many times its characters while its line is read.
constexpr size_t kLongestLine = 4000;

KnownDepartures::KnownDepartures(const std::string& text, const std::string& origin) {
  std::stringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.size() > kLongestLine) {
      throw NotationError(origin + ":" + std::to_string(number) + ": is longer than " + std::to_string(kLongestLine) +
                          " characters");
    }
    line = line.substr(0, line.find('#'));
    const std::vector<std::string> words = Split(line, ' ');
    if (words.empty()) continue;
    try {
      if (words[0] == "implementation") {
        if (words.size() < 3 || !implementation_.empty()) Reject(line, "is not: implementation NAME VERSION, once");
        implementation_ = words[1];
        for (size_t i = 2; i < words.size(); ++i) version_ += (i > 2 ? " " : "") + words[i];
        continue;
      }
      if (implementation_.empty()) Reject(words[0], "comes before the implementation");
      patterns_.push_back(ToPattern(words));
    } catch (const NotationError& error) {
      throw NotationError(origin + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  if (implementation_.empty()) throw NotationError(origin + ": does not say which implementation it is about");
}

KnownDepartures KnownDepartures::FromFile(const std::string& path) {
  try {
    return KnownDepartures(ReadWholeFile(path), path);
  } catch (const NotationError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw NotationError(std::string("known departures: ") + error.what());
  }
}

KnownDepartures KnownDepartures::On(const std::string& cpu_isa) const {
  KnownDepartures here = *this;
  const auto is_elsewhere = [&](const Pattern& p) { return !p.cpus.empty() && !FitsOneOf(p.cpus, cpu_isa); };
  here.patterns_.erase(std::remove_if(here.patterns_.begin(), here.patterns_.end(), is_elsewhere),
                       here.patterns_.end());
  return here;
}

std::string KnownDepartures::Explain(const CheckedProblem& checked) const {
  for (const Pattern& pattern : patterns_) {
    if (std::all_of(pattern.conditions.begin(), pattern.conditions.end(),
                    [&](const Condition& fits) { return fits(checked); })) {
      return pattern.id;
    }
  }
  return "";
}

std::vector<std::string> KnownDepartures::Ids() const {
  std::vector<std::string> ids;
  for (const Pattern& pattern : patterns_) {
    if (std::find(ids.begin(), ids.end(), pattern.id) == ids.end()) ids.push_back(pattern.id);
  }
  return ids;
}

}  // namespace tandem::conformance
