// A known departure of one version of one implementation is understood and written down, so that a run distinguishes it from
// new ones. A file holds one pattern a line. It explains a complaint only if every condition holds:
//
//   implementation onednn 2.6.3          the implementation; no other one's departures are explained
//   ID VERDICT[,VERDICT] CONDITION...
//
//   --cfg=bf16,f16*     an option of the problem notation; its value is one of these, * for anything
//   dhc>=32, t=1, mb<=4, slc=odd, dic>4dhc   the descriptor
//   finding=guard-page,signal   what the host found (finding.h); none: wrong values only
//   tensor=diff_bias    the tensor that the complaint quotes
//   kind=chained        the kind of check (CheckKind) that the complaint quotes
//   first_n>=4, first_unit>=16   the row of the batch, the unit of the first departure
//   got<want, got>want  the first departure is too low or too high
//   nan=made            the first departure is a NaN where a number is due; nan=lost: the reverse
//   cpu=sse41,avx*      the instruction set that the implementation uses (tandem_description.cpu_isa)
//
// A # starts a comment. Several lines may have one ID.
#ifndef TANDEM_CONFORMANCE_JUDGE_KNOWN_DEPARTURES_H_
#define TANDEM_CONFORMANCE_JUDGE_KNOWN_DEPARTURES_H_

#include <functional>
#include <string>
#include <vector>

#include "conformance/judge/check.h"

namespace tandem::conformance {

class KnownDepartures {
 public:
  KnownDepartures() = default;
  // Throws NotationError, with `origin` and the line, for a word that is not in the notation.
  KnownDepartures(const std::string& text, const std::string& origin);
  static KnownDepartures FromFile(const std::string& path);

  bool IsAbout(const std::string& implementation, const std::string& version) const {
    return implementation == implementation_ && version == version_;
  }
  // Returns only the patterns that can appear if the implementation uses this instruction set.
  KnownDepartures On(const std::string& cpu_isa) const;
  // Returns the ID of the first pattern that fits the findings; empty if there is none.
  std::string Explain(const CheckedProblem& checked) const;
  // Returns each ID once, in the order of the file.
  std::vector<std::string> Ids() const;

 private:
  using Condition = std::function<bool(const CheckedProblem&)>;
  struct Pattern {
    std::string id;
    std::vector<std::string> cpus;  // globs; empty: all of them
    std::vector<Condition> conditions;
  };

  static Pattern ToPattern(const std::vector<std::string>& words);

  std::string implementation_, version_;
  std::vector<Pattern> patterns_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_KNOWN_DEPARTURES_H_
