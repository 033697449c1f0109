// Departures of one version of one implementation that are understood and written down, so that a run tells them from
// new ones. A file holds one pattern a line; what the harness finds is explained only if the whole pattern fits:
//
//   implementation onednn 2.6.3          whose departures; nobody else's are explained
//   ID VERDICT[,VERDICT] CONDITION... [: TEXT]
//
//   --cfg=bf16,f16*   an option of the problem notation; its value is one of these, * for anything
//   dhc>=32, t=1, mb<=4, slc=odd, dic>4dhc   the descriptor
//   nan=made          the first departure is a NaN where a number is due; nan=lost: the reverse
//   : TEXT            the complaint contains TEXT
//
// A # starts a comment. Several lines may have one ID.
#ifndef TANDEM_CONFORMANCE_CAMPAIGN_KNOWN_DEPARTURES_H_
#define TANDEM_CONFORMANCE_CAMPAIGN_KNOWN_DEPARTURES_H_

#include <functional>
#include <string>
#include <vector>

#include "conformance/campaign/check.h"

namespace tandem::conformance {

class KnownDepartures {
 public:
  // No departure is known.
  KnownDepartures() = default;
  // Throws NotationError, with `origin` and the line, for a word that is not in the notation.
  KnownDepartures(const std::string& text, const std::string& origin);
  static KnownDepartures FromFile(const std::string& path);

  bool IsAbout(const std::string& implementation, const std::string& version) const {
    return implementation == implementation_ && version == version_;
  }
  // ID of the first pattern that fits what was found; empty if there is none.
  std::string Explain(const CheckedProblem& checked) const;
  // Each once, in the order of the file.
  std::vector<std::string> Ids() const;

 private:
  using Condition = std::function<bool(const CheckedProblem&)>;
  struct Pattern {
    std::string id;
    std::vector<Condition> conditions;
  };

  std::string implementation_, version_;
  std::vector<Pattern> patterns_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CAMPAIGN_KNOWN_DEPARTURES_H_
