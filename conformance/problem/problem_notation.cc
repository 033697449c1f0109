#include "conformance/problem/problem_notation.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <sstream>

#include "conformance/problem/problem_options.h"

namespace tandem::conformance {
namespace {

// benchdnn's knobs that say how to run or print, not what to compute.
constexpr const char* kHarmless[] = {
    "rnn",     "engine",     "mode",          "mode-modifier",     "mem-check",      "ctx-init",
    "ctx-exe", "cold-cache", "perf-template", "fix-times-per-prb", "max-ms-per-prb", "allow-enum-tags-only"};

struct DimName {
  const char* name;
  Dim ProblemSpec::*dim;
};
// The first that matches is taken, so no name may begin with an earlier one.
constexpr DimName kDims[] = {{"slc", &ProblemSpec::slc}, {"sic", &ProblemSpec::sic}, {"dhc", &ProblemSpec::dhc},
                             {"dic", &ProblemSpec::dic}, {"mb", &ProblemSpec::mb},   {"l", &ProblemSpec::l},
                             {"t", &ProblemSpec::t}};

std::vector<std::string> SplitList(const std::string& text) {
  std::vector<std::string> values;
  std::istringstream stream(text);
  for (std::string value; std::getline(stream, value, ',');) values.push_back(value);
  if (text.empty() || text.back() == ',') values.emplace_back();
  return values;
}

// Words of a line; a quoted name may hold blanks, "#" starts a comment.
std::vector<std::string> SplitWords(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == '#') break;
    if (!quoted && std::isspace(static_cast<unsigned char>(c))) {
      if (!word.empty()) words.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

[[noreturn]] void Fail(const std::string& message) { throw NotationError(message); }

// Each problem of a list has a copy of it.
constexpr size_t kLongestName = 1000;

ProblemSpec ParseDescriptor(const std::string& word) {
  ProblemSpec spec;
  const char* p = word.c_str();
  while (*p != '\0') {
    if (*p == '_') {
      ++p;
      continue;
    }
    if (p[0] == 'n' && p[1] == '"') {
      const char* end = std::strchr(p + 2, '"');
      if (end == nullptr || end[1] != '\0') Fail("descriptor " + word + ": the name must end it");
      if (static_cast<size_t>(end - p) > kLongestName) {
        Fail("the name of a problem has more than " + std::to_string(kLongestName) + " characters");
      }
      spec.name.assign(p + 2, end);
      return spec;
    }
    const DimName* found = nullptr;
    for (const DimName& dim : kDims) {
      if (std::strncmp(p, dim.name, std::strlen(dim.name)) == 0) {
        found = &dim;
        break;
      }
    }
    if (found == nullptr) {
      Fail("\"" + word + "\" is not a problem: at \"" + p +
           "\" one of l, t, mb, sic, slc, dhc, dic, n\"name\" should follow; a problem is one word such as "
           "l1t3mb2sic8, after its options such as --alg=VANILLA_LSTM");
    }
    p += std::strlen(found->name);
    Dim value = 0;
    if (!std::isdigit(static_cast<unsigned char>(*p))) {
      Fail("\"" + word + "\" is not a problem: a number of digits must follow " + found->name + ", such as " +
           found->name + "8");
    }
    for (; std::isdigit(static_cast<unsigned char>(*p)); ++p) {
      value = value * 10 + (*p - '0');
      if (value > (Dim{1} << 40)) Fail("descriptor " + word + ": " + found->name + " is more than 2^40");
    }
    spec.*found->dim = value;
  }
  return spec;
}

// Lists multiply: a line of a few hundred characters can stand for more problems than there is memory.
constexpr int kMostProblems = 100'000;

// " is none of: a, b", " is not a number", " is not within 0 to 255".
std::string NoneOf(const std::string& values) {
  if (values.rfind("a ", 0) == 0) return " is not " + values;
  return (std::isdigit(static_cast<unsigned char>(values[0])) ? " is not within " : " is none of: ") + values;
}

// Of all batch files of a reader together. A pipe may send blank lines without end, and files that include one another
// twice multiply.
constexpr size_t kMostBatchText = 8'000'000;

// Without its end. A line of /dev/zero has none.
constexpr size_t kLongestLine = 100'000;
std::string NextLine(std::ifstream* file) {
  std::string line;
  for (int c = file->get(); c != EOF && c != '\n'; c = file->get()) {
    if (line.size() == kLongestLine) {
      Fail("a line of more than " + std::to_string(kLongestLine) + " characters is no list of problems");
    }
    line += static_cast<char>(c);
  }
  return line;
}

std::string Directory(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

}  // namespace

std::string PrintProblem(const ProblemSpec& spec) {
  std::string text;
  const ProblemSpec defaults;
  for (const ProblemOption& option : ProblemOptions()) {
    const std::string value = option.get(spec);
    if (value != option.get(defaults)) text += std::string("--") + option.name + "=" + value + " ";
  }
  const auto add = [&](const char* name, Dim value) { text += name + std::to_string(value); };
  add("l", spec.l);
  add("t", spec.t);
  add("mb", spec.mb);
  add("sic", spec.sic);
  if (spec.slc != 0) add("slc", spec.slc);
  if (spec.dhc != 0) add("dhc", spec.dhc);
  if (spec.dic != 0) add("dic", spec.dic);
  if (!spec.name.empty()) text += "n\"" + spec.name + "\"";
  return text;
}

ProblemReader::ProblemReader() { Reset(); }

void ProblemReader::Reset() {
  settings_.clear();
  overrides_.clear();
  const ProblemSpec defaults;
  for (const ProblemOption& option : ProblemOptions()) settings_.push_back({option.get(defaults)});
}

void ProblemReader::ReadWord(const std::string& word) {
  if (word.rfind("--", 0) != 0) {
    if (word.rfind("-v", 0) == 0) return;  // benchdnn's verbosity
    ReadDescriptor(word);
    if (open_files_.empty()) idle_option_.clear();
    return;
  }
  const size_t equals = word.find('=');
  const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
  const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
  if (name == "batch") {
    ReadBatchFile(open_files_.empty() || value.empty() || value[0] == '/' ? value
                                                                          : Directory(open_files_.back()) + value);
    if (open_files_.empty()) idle_option_.clear();
    return;
  }
  if (open_files_.empty() && idle_option_.empty()) idle_option_ = word;
  if (ReadOption(name, value) == WordResult::kUnknownOption) {
    if (open_files_.empty()) throw UnknownOption(word);
    unknown_knobs_.push_back({open_files_.back(), word});
  }
}

ProblemReader::WordResult ProblemReader::ReadOption(const std::string& name, const std::string& value) {
  if (name == "reset") {
    Reset();
    return WordResult::kDone;
  }
  if (std::find(std::begin(kHarmless), std::end(kHarmless), name) != std::end(kHarmless)) {
    return WordResult::kDone;
  }
  const std::vector<std::string> values = SplitList(value);
  if (name == "l" || name == "t" || name == "mb") {
    std::vector<Dim>& dims = overrides_[name];
    dims.clear();
    for (const std::string& v : values) {
      if (v.empty() || v.size() > 12 || v.find_first_not_of("0123456789") != std::string::npos) {
        Fail("--" + name + "=" + value + ": whole numbers are expected, such as --" + name + "=4 or --" + name +
             "=1,4");
      }
      dims.push_back(std::stoll(v));
    }
    return WordResult::kDone;
  }
  const std::vector<ProblemOption>& options = ProblemOptions();
  for (size_t i = 0; i < options.size(); ++i) {
    if (name != options[i].name) continue;
    for (const std::string& v : values) {
      ProblemSpec ignored;
      if (!options[i].set(v, &ignored)) {
        Fail("--" + name + "=" + v + NoneOf(options[i].values) + "; ./tandem help problem explains the options");
      }
    }
    settings_[i] = values;
    return WordResult::kDone;
  }
  return WordResult::kUnknownOption;
}

void ProblemReader::ReadDescriptor(const std::string& word) {
  const ProblemSpec base = ParseDescriptor(word);
  double combinations = 1;
  for (const std::vector<std::string>& values : settings_) combinations *= static_cast<double>(values.size());
  for (const auto& [name, values] : overrides_) combinations *= static_cast<double>(values.size());
  if (static_cast<double>(problems_.size()) + combinations > kMostProblems) {
    Fail("descriptor " + word + ": with the lists in force there are more than " + std::to_string(kMostProblems) +
         " problems");
  }
  std::vector<ProblemSpec> specs = {base};
  // An override of 0 leaves the descriptor's own value, as in benchdnn.
  for (const auto& [name, values] : overrides_) {
    Dim ProblemSpec::*dim = name == "l" ? &ProblemSpec::l : name == "t" ? &ProblemSpec::t : &ProblemSpec::mb;
    std::vector<ProblemSpec> expanded;
    for (const ProblemSpec& spec : specs) {
      for (Dim value : values) {
        expanded.push_back(spec);
        if (value != 0) expanded.back().*dim = value;
      }
    }
    specs = expanded;
  }
  for (const ProblemSpec& spec : specs) {
    if (spec.sic == 0)
      Fail("descriptor " + word + ": sic, the channels of the state, must be given and positive, as in l1t3mb2sic8");
    Expand(0, spec);
  }
}

void ProblemReader::Expand(size_t option, ProblemSpec spec) {
  if (option == settings_.size()) {
    problems_.push_back(spec);
    return;
  }
  for (const std::string& value : settings_[option]) {
    ProblemSpec chosen = spec;
    ProblemOptions()[option].set(value, &chosen);
    Expand(option + 1, chosen);
  }
}

void ProblemReader::ReadBatchFile(const std::string& path) {
  if (std::find(open_files_.begin(), open_files_.end(), path) != open_files_.end()) {
    Fail("batch file " + path + " includes itself");
  }
  if (path.empty()) Fail("--batch has no value: type --batch=FILE");
  std::ifstream file(path);
  if (!file || (file.peek(), file.bad())) Fail("cannot read batch file \"" + path + "\"");
  std::vector<UnknownKnob> before;
  before.swap(unknown_knobs_);
  open_files_.push_back(path);
  for (int number = 1; file.peek() != EOF; ++number) {
    const auto where = [&] { return path + ":" + std::to_string(number); };
    const size_t known = unknown_knobs_.size();
    try {
      const std::string line = NextLine(&file);
      batch_text_ += line.size() + 1;
      if (batch_text_ > kMostBatchText) {
        Fail("batch files of more than " + std::to_string(kMostBatchText) + " characters are no list of problems");
      }
      for (const std::string& word : SplitWords(line)) ReadWord(word);
    } catch (const NotationError& error) {
      open_files_.clear();
      throw NotationError(where() + ": " + error.what());
    }
    for (size_t i = known; i < unknown_knobs_.size(); ++i) {
      if (unknown_knobs_[i].where == path) unknown_knobs_[i].where = where();
    }
  }
  open_files_.pop_back();
  unknown_knobs_.insert(unknown_knobs_.begin(), before.begin(), before.end());
}

ProblemSpec ParseProblem(const std::string& words) {
  ProblemReader reader;
  for (const std::string& word : SplitWords(words)) reader.ReadWord(word);
  if (reader.problems().size() != 1) {
    Fail("\"" + words + "\" is " + std::to_string(reader.problems().size()) + " problems, not one");
  }
  return reader.problems()[0];
}

}  // namespace tandem::conformance
