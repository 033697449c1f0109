#include <cstdio>
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

// One letter for each implementation that serves the problem.
std::string Answer(const std::vector<Plugin>& plugins, const ProblemSpec& spec) {
  std::string answer, reason;
  for (const Plugin& plugin : plugins) {
    ProblemSpec asked = spec;
    if (!plugin.Follows(asked.reading)) asked.reading = Reading::kOnednn;
    if (Serves(plugin, asked, &reason)) answer += plugin.name[0];
  }
  return answer.empty() ? "-" : answer;
}

// The columns in as many parts as a terminal's width needs, each behind the rows' names.
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

void PrintTable(const std::vector<Plugin>& plugins, const std::vector<CoverageQuestion>& questions, int row_width) {
  std::vector<std::string> rows, columns;
  std::map<std::string, std::map<std::string, std::string>> table;
  for (const CoverageQuestion& question : questions) {
    if (table.find(question.row) == table.end()) rows.push_back(question.row);
    if (rows.size() == 1) columns.push_back(question.column);
    table[question.row][question.column] = Answer(plugins, question.spec);
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
  std::vector<Plugin> plugins;
  for (const std::string& word : words.implementations) {
    plugins.push_back(LoadPlugin(word));
    Printf(stdout, "%c = %s %s\n", plugins.back().name[0], plugins.back().name.c_str(), plugins.back().version.c_str());
  }
  PrintSentence("targets of optimized (TANDEM_TARGET): " + Targets());
  for (const std::string& line : CodeOfTargets()) PrintSentence("  " + line);
  Printf(stdout, "\n");
  Printf(stdout, "types: cell and propagation against the notation's --cfg\n");
  PrintTable(plugins, TypeQuestions(), 33);
  Printf(stdout, "\nlayouts and features: LSTM, f32\n");
  PrintTable(plugins, LayoutQuestions(), 30);
  return kExitConforms;
}

}  // namespace

Command AddListCommand(CLI::App* app) {
  auto words = std::make_shared<ListWords>();
  AddImplementations(app, &words->implementations, "implementations to ask, as for check");
  return [words] { return RunList(*words); };
}

}  // namespace tandem::conformance
