// benchdnn's RNN notation: options, each with a list of values, and descriptors such as l2t3mb5sic16slc20dhc16n"name".
// Options stay in force for every descriptor after them; a descriptor stands for the product of all their values.
//
// Tandem's own options, for what benchdnn cannot say:
//   --absent=bias+src_iter     optional tensors left out
//   --reading=spec|onednn      dnnl::reading
//   --alpha=A --beta=B         of the activation (0.9, 0)
//   --data=dense|saturating|.. what the tensors hold (generator.h)
//   --pad=N                    elements after each row
//   --misalign=N               elements past an aligned address
//   --wide-offsets=true        outermost slices 2^31 elements apart
//   --data-scale=S             int8 quantization scale
//   --zero-point=Z             byte that stands for 0
//   --gain=G --seed=S          size and seed of the random tensors
//   --diff-tag=TAG             layout of diff_weights
#ifndef TANDEM_CONFORMANCE_PROBLEM_PROBLEM_NOTATION_H_
#define TANDEM_CONFORMANCE_PROBLEM_PROBLEM_NOTATION_H_

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/problem/base/printable.h"
#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// A word that is not in the notation, or a file that cannot be read; what() starts with "FILE:LINE: " for batch files.
class NotationError : public std::runtime_error {
 public:
  // Printable, because what() ends at a NUL of a file that is no list of problems.
  explicit NotationError(const std::string& what) : std::runtime_error(Printable(what)) {}
};

// An option of the command line that is not in the notation.
class UnknownOption : public NotationError {
 public:
  explicit UnknownOption(const std::string& word) : NotationError("there is no option " + word), option(word) {}
  const std::string option;  // "--name=value"
};

// An option of a batch file that Tandem does not know; it may be one of benchdnn's.
struct UnknownKnob {
  std::string where;  // "FILE:LINE"
  std::string word;
};

// The words that, read by ProblemReader, give exactly this problem. Options at their default are left out.
std::string PrintProblem(const ProblemSpec& spec);

class ProblemReader {
 public:
  ProblemReader();

  // One option or descriptor. On the command line every word must be known: throws NotationError.
  void ReadWord(const std::string& word);
  // A batch file. Unknown options are collected; anything else that is wrong throws NotationError, and so does more text
  // than a list of problems has.
  void ReadBatchFile(const std::string& path);

  const std::vector<ProblemSpec>& problems() const { return problems_; }
  const std::vector<UnknownKnob>& unknown_knobs() const { return unknown_knobs_; }
  // The first option of the command line that no descriptor or batch file follows; empty if there is none. It has no
  // effect.
  const std::string& idle_option() const { return idle_option_; }

 private:
  enum class WordResult { kDone, kUnknownOption };
  WordResult ReadOption(const std::string& name, const std::string& value);
  void ReadDescriptor(const std::string& word);
  void Expand(size_t option, ProblemSpec spec);
  void Reset();

  std::vector<std::vector<std::string>> settings_;     // for each option, its values in force
  std::map<std::string, std::vector<Dim>> overrides_;  // --l, --t, --mb
  std::vector<ProblemSpec> problems_;
  std::vector<UnknownKnob> unknown_knobs_;
  std::vector<std::string> open_files_;
  size_t batch_text_ = 0;  // characters of batch files, each counted as often as it was read
  std::string idle_option_;
};

// Shorthand for tests and replay: one problem from words separated by blanks. Throws unless it is exactly one.
ProblemSpec ParseProblem(const std::string& words);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_PROBLEM_NOTATION_H_
