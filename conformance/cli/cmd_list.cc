#include <cstdio>
#include <list>
#include <map>
#include <memory>

#include "conformance/cli/arguments.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/environment.h"
#include "conformance/cli/terminal.h"
#include "conformance/judge/coverage.h"
#include "conformance/plugins/builtin_plugins.h"

namespace tandem::conformance {
namespace {

struct ListWords {
  std::vector<std::string> implementations = {"optimized", "reference"};
};

struct Asked {
  explicit Asked(const std::string& word) : plugin(LoadPlugin(word)), coverage(plugin) {}
  const Plugin plugin;
  Coverage coverage;
};

// Returns one letter for each implementation that serves the problem.
std::string Answer(std::list<Asked>* implementations, const ProblemSpec& spec) {
  std::string answer, reason;
  for (Asked& implementation : *implementations) {
    ProblemSpec asked = spec;
    if (!implementation.plugin.Follows(asked.reading)) asked.reading = Reading::kOnednn;
    if (implementation.coverage.Serves(asked, &reason)) answer += implementation.plugin.name[0];
  }
  return answer.empty() ? "-" : answer;
}

// Divides the columns into as many parts as the terminal's width needs. Each part stands behind the rows' names.
std::vector<std::vector<std::string>> PartsThatFit(const std::vector<std::string>& columns, size_t row_width) {
  const auto width = static_cast<size_t>(Columns(stdout));
  std::vector<std::vector<std::string>> parts(1);
  size_t used = row_width;
  for (const std::string& column : columns) {
    if (width != 0 && !parts.back().empty() && used + 1 + column.size() > width) {
      parts.emplace_back();
      used = row_width;
    }
    parts.back().push_back(column);
    used += 1 + column.size();
  }
  return parts;
}

void PrintTable(std::list<Asked>* implementations, const std::vector<CoverageQuestion>& questions, int row_width) {
  std::vector<std::string> rows, columns;
  std::map<std::string, std::map<std::string, std::string>> table;
  for (const CoverageQuestion& question : questions) {
    if (table.find(question.row) == table.end()) rows.push_back(question.row);
    if (rows.size() == 1) columns.push_back(question.column);
    table[question.row][question.column] = Answer(implementations, question.spec);
  }
  for (const std::vector<std::string>& part : PartsThatFit(columns, static_cast<size_t>(row_width))) {
    Printf(stdout, "%-*s", row_width, "");
    for (const std::string& column : part) Printf(stdout, " %s", column.c_str());
    Printf(stdout, "\n");
    for (const std::string& row : rows) {
      Printf(stdout, "%-*s", row_width, row.c_str());
      for (const std::string& column : part) {
        Printf(stdout, " %-*s", static_cast<int>(column.size()), table[row][column].c_str());
      }
      Printf(stdout, "\n");
    }
  }
}

int RunList(const ListWords& words) {
  std::list<Asked> implementations;
  for (const std::string& word : words.implementations) {
    const Plugin& plugin = implementations.emplace_back(word).plugin;
    Printf(stdout, "%c = %s %s\n", plugin.name[0], plugin.name.c_str(), plugin.version.c_str());
  }
  PrintSentence("targets of optimized (TANDEM_TARGET): " + Targets());
  for (const std::string& line : CodeOfTargets()) PrintSentence("  " + line);
  Printf(stdout, "\n");
  Printf(stdout, "types: cell and propagation against the notation's --cfg\n");
  PrintTable(&implementations, TypeQuestions(), 33);
  Printf(stdout, "\nlayouts and features: LSTM, f32\n");
  PrintTable(&implementations, LayoutQuestions(), 30);
  return kExitConforms;
}

}  // namespace

Command AddListCommand(CLI::App* app) {
  auto words = std::make_shared<ListWords>();
  AddImplementations(app, &words->implementations, "implementations to ask, as for check");
  return [words] { return RunList(*words); };
}

}  // namespace tandem::conformance
