#include "conformance/problem/problem_help.h"

#include "conformance/problem/base/wrapped.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/problem_options.h"

namespace tandem::conformance {
namespace {

constexpr char kDescriptor[] =
    "A PROBLEM is options, then a descriptor such as l2t3mb4sic16slc8: letters with\n"
    "their numbers, in any order.\n"
    "\n"
    "  l    layers (1)\n"
    "  t    steps: the length of the sequence (1)\n"
    "  mb   rows of the minibatch (2)\n"
    "  sic  channels of src_iter, the state; must be given\n"
    "  slc  channels of src_layer, the input (as sic)\n"
    "  dhc  channels inside the cell: gates, cell state (as sic)\n"
    "  dic  channels of dst_iter: dhc, or what a projection makes of it (as dhc)\n"
    "  n\"NAME\"  a name for reports; it ends the descriptor\n"
    "\n"
    "dlc, the channels of dst_layer, follow: dic, twice that with\n"
    "--direction=concat. Several layers need slc = dic, several steps sic = dic, the\n"
    "GRU cells sic = dhc.\n"
    "\n"
    "The notation is that of benchdnn, oneDNN's test program. The specification's\n"
    "words are understood too, in upper or lower case: LSTM, bidirectional_concat,\n"
    "forward_training. An option stays in force for all descriptors after it; a list\n"
    "of values (--direction=concat,sum) stands for one problem each. --batch=FILE\n"
    "reads a file of such lines.\n"
    "\n"
    "Options, with the default in parentheses:\n";

constexpr size_t kColumns = 80;

std::string ExampleOf(Cell cell) {
  ProblemSpec spec;
  spec.cell = cell;
  spec.activation = HasActivation(cell) ? Activation::kTanh : spec.activation;
  spec.t = 3;
  spec.mb = 4;
  spec.sic = 16;
  return PrintProblem(spec);
}

std::string ActivationsThat(bool (*use)(Activation)) {
  std::string names;
  for (const Activation activation : kActivations) {
    if (use(activation)) names += (names.empty() ? "" : " or ") + std::string(ToString(activation));
  }
  return names;
}

}  // namespace

std::string ProblemHelp() {
  std::string help = kDescriptor;
  const ProblemSpec defaults;
  for (const ProblemOption& option : ProblemOptions()) {
    const std::string value = option.get(defaults);
    help += std::string("\n  --") + option.name + (value.empty() ? "" : "  (" + value + ")") + "\n";
    help += Wrapped(option.meaning, kColumns, 6) + Wrapped(option.values, kColumns, 6);
  }
  help += "\nExamples, one for each cell:\n\n";
  for (const Cell cell : kCells) help += "  ./tandem check " + ExampleOf(cell) + "\n";
  return help;
}

std::vector<std::string> IgnoredOptions(const ProblemSpec& spec) {
  const ProblemSpec defaults;
  const std::string cell = ToString(spec.cell);
  std::vector<std::string> notes;
  const auto note = [&](bool ignored, const std::string& sentence) {
    if (ignored) notes.push_back(sentence);
  };
  const bool uses_alpha = HasActivation(spec.cell) && UsesAlpha(spec.activation);
  const bool uses_beta = HasActivation(spec.cell) && UsesBeta(spec.activation);
  note(spec.with_peephole && !HasCellState(spec.cell), "--with-peephole is for LSTM; " + cell + " has no peephole");
  note(spec.with_projection && !HasCellState(spec.cell),
       "--with-projection is for LSTM; " + cell + " has no projection");
  note(spec.activation != defaults.activation && !HasActivation(spec.cell),
       "--activation is for the vanilla RNN; " + cell + " has its own activations");
  note(spec.alpha != defaults.alpha && !uses_alpha,
       "--alpha is for the vanilla RNN with " + ActivationsThat(UsesAlpha));
  note(spec.beta != defaults.beta && !uses_beta, "--beta is for the vanilla RNN with " + ActivationsThat(UsesBeta));
  note(!IsInt8(spec) && (spec.data_scale != defaults.data_scale || spec.zero_point != defaults.zero_point),
       "--data-scale and --zero-point are for int8; --cfg=" + std::string(TypesOf(spec.config).name) + " has none");
  note(spec.flags != 0 && spec.propagation != Propagation::kBackward, "--flags=O is for --prop=BWD_DW");
  note(IsInt8(spec) && spec.fpmath != FpmathMode::kStrict, "--attr-fpmath has no effect on int8");
  return notes;
}

std::vector<std::string> WithJoinedValues(const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  for (size_t i = 0; i < words.size(); ++i) {
    joined.push_back(words[i]);
    if (i + 1 == words.size() || words[i + 1].rfind("--", 0) == 0) continue;
    for (const ProblemOption& option : ProblemOptions()) {
      if (words[i] != std::string("--") + option.name) continue;
      joined.back() += "=" + words[++i];
      break;
    }
  }
  return joined;
}

}  // namespace tandem::conformance
