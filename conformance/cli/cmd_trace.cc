#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <sstream>

#include "conformance/cli/arguments.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/runs/memory_budget.h"
#include "conformance/cli/trace_pages.h"
#include "conformance/pages/trace/trace_page.h"
#include "conformance/pages/trace/trace_text.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {
namespace {

// This cell has one equation for each step, and an activation whose slope follows from its result.
constexpr char kDefaultProblem[] = "--alg=VANILLA_RNN --activation=TANH l1t2mb1sic2";

struct TraceWords {
  TraceSelection selection;
  std::string data_file, json_file, html_file, loss = "all";
  std::vector<std::string> implementations;
  MemoryBudget memory;
};

ProblemSpec ReadOneProblem(std::vector<std::string> words) {
  if (words.empty()) {
    std::cerr << "tandem: no problem given, so " << kDefaultProblem << "\n";
    words = {"--alg=VANILLA_RNN", "--activation=TANH", "l1t2mb1sic2"};
  }
  const ProblemReader reader = ReadProblems(words);
  if (reader.problems().size() != 1) throw UsageError("trace takes exactly one problem");
  ProblemSpec spec = reader.problems()[0];
  ResolveDims(&spec);
  return spec;
}

// --data=ties is an option of the problem; any other word is a file.
bool IsDataKind(const std::string& word) {
  for (int kind = 0; kind < kNumDataKinds; ++kind) {
    if (word == ToString(static_cast<DataKind>(kind))) return true;
  }
  return false;
}

void CheckSelection(const TraceSelection& selection, const RnnProblem& problem) {
  const auto check = [](const char* option, const std::optional<int64_t>& value, Dim count) {
    if (!value || *value < count) return;
    throw UsageError(std::string(option) + "=" + std::to_string(*value) + " is none of this problem's: type " + option +
                     "=0" + (count > 1 ? " to " + std::string(option) + "=" + std::to_string(count - 1) : ""));
  };
  check("--step", selection.step, problem.n_iter);
  check("--unit", selection.unit, problem.dhc);
  check("--row", selection.row, problem.mb);
}

// Calls write(&stream), for the file or, if it is "-", for the terminal.
template <class Write>
int WriteTo(const std::string& path, const Write& write) {
  if (path == "-") return write(&std::cout);
  std::ostringstream text;
  const int disagreements = write(&text);
  WriteWholeFiles({{path, text.str()}});
  std::cerr << "tandem: wrote " << path << "\n";
  return disagreements;
}

int WritePage(const TracedProblem& traced, const TraceWords& words, std::ostream* out) {
  std::vector<Plugin> plugins;
  for (const char* ours : {"reference", "optimized"}) plugins.push_back(LoadPlugin(ours));
  for (const std::string& word : words.implementations) plugins.push_back(LoadPlugin(word));
  const TracePage page = MakeTracePage(traced, words.selection, plugins);
  *out << page.html;
  return page.disagreements;
}

int RunTrace(TraceWords words, std::vector<std::string> problem_words) {
  if (IsDataKind(words.data_file)) {
    problem_words.insert(problem_words.begin(), "--data=" + words.data_file);
    words.data_file.clear();
  }
  const ProblemSpec spec = ReadOneProblem(problem_words);
  const char* const why_no_page = words.html_file.empty() ? nullptr : WhyNoPage(spec);
  if (why_no_page != nullptr) throw UsageError(std::string("the page of --html ") + why_no_page + ", or --html");
  words.memory.Check({spec});
  TracedProblem traced = LoadTracedProblem(spec, words.data_file);
  if (words.loss == "last") {
    if (!traced.problem.IsBackward()) throw UsageError("--loss=last is for backward: add --prop=BWD_DW");
    SetLoss(Loss::kLastOutput, &traced);
  }
  CheckSelection(words.selection, traced.problem);
  int disagreements = 0;
  if (!words.json_file.empty()) {
    disagreements =
        WriteTo(words.json_file, [&](std::ostream* out) { return WriteTraceJson(traced, words.selection, out); });
  }
  if (!words.html_file.empty()) {
    disagreements = WriteTo(words.html_file, [&](std::ostream* out) { return WritePage(traced, words, out); });
  }
  if (words.json_file.empty() && words.html_file.empty()) {
    disagreements = WriteTraceText(traced, words.selection, &std::cout);
  }
  std::cout.flush();
  if (disagreements == 0) return kExitConforms;
  std::cerr << "tandem: " << disagreements
            << " equations differ from the reference: a mistake in reference/teaching/table\n";
  return kExitFails;
}

}  // namespace

Command AddTraceCommand(CLI::App* app) {
  auto words = std::make_shared<TraceWords>();
  TraceSelection& selection = words->selection;
  app->add_option("--rows", selection.rows, "rows of the batch to print")->check(WholeNumber(1));
  app->add_option("--units", selection.units, "channels to print")->check(WholeNumber(1));
  app->add_option("--step", selection.step, "only this timestamp")->check(WholeNumber(0));
  app->add_option("--unit", selection.unit, "only this channel")->check(WholeNumber(0));
  app->add_option(
      "--data", words->data_file,
      "safetensors file with tensors by name (src_layer, weights_iter, ...), or a kind of data as for check");
  app->add_option("--row", selection.row, "only this row of the batch")->check(WholeNumber(0));
  app->add_option("--json", words->json_file, "write JSON to this file; - for the terminal");
  app->add_option(
      "--html", words->html_file,
      "write a page: the equations of this step and its neighbours, and curves over all steps; - for the terminal");
  app->add_option("--impl", words->implementations, "also draw this implementation's outputs in the page");
  app->add_option("--loss", words->loss, "of backward: the loss depends on all outputs, or on the last one only")
      ->check(CLI::IsMember({"all", "last"}));
  words->memory.AddOption(app);
  app->footer(
      std::string("PROBLEM: as for check; ") + kDefaultProblem +
      " if none is given. The tensors hold what check would give them.\nExample: tandem trace --alg=VANILLA_LSTM "
      "--prop=BWD_DW --unit=0 l1t2mb1sic2");
  app->allow_extras();
  return [app, words] { return RunTrace(*words, app->remaining()); };
}

}  // namespace tandem::conformance
