#include "conformance/cli/cli.h"
#include "conformance/cli/terminal.h"
#include "conformance/problem/base/format.h"
#include "conformance/problem/problem_help.h"

namespace tandem::conformance {

ProblemReader ReadProblems(const std::vector<std::string>& words) {
  ProblemReader reader;
  for (const std::string& word : WithJoinedValues(words)) reader.ReadWord(word);
  if (reader.problems().size() == 1) {
    for (const std::string& note : IgnoredOptions(reader.problems()[0])) {
      Printf(stderr, "tandem: note: %s\n", note.c_str());
    }
  }
  if (!reader.problems().empty() && !reader.idle_option().empty()) {
    throw UsageError(reader.idle_option() +
                     " comes after the last problem and would have no effect: options stand "
                     "before their problem");
  }
  for (const UnknownKnob& knob : reader.unknown_knobs()) {
    Printf(stderr, "%s: not understood: %s\n", knob.where.c_str(), knob.word.c_str());
  }
  if (!reader.unknown_knobs().empty()) {
    Printf(stderr, "%s of batch files not understood: the problems after them may differ from benchdnn's\n",
           Counted(reader.unknown_knobs().size(), "option").c_str());
  }
  return reader;
}

}  // namespace tandem::conformance
