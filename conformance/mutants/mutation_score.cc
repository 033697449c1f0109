#include "conformance/mutants/mutation_score.h"

#include <algorithm>
#include <iomanip>
#include <map>

namespace tandem::conformance {
namespace {

GroupScore Summarize(const char* group, const std::vector<Kill>& kills) {
  GroupScore score;
  score.group = group;
  std::vector<uint64_t> problems;
  for (const Kill& kill : kills) {
    if (score.group != kill.group) continue;
    ++score.total;
    score.killed += kill.killed();
    problems.push_back(kill.problems);
  }
  if (problems.empty()) return score;
  std::sort(problems.begin(), problems.end());
  score.median_problems = problems[problems.size() / 2];
  score.worst_problems = problems.back();
  return score;
}

void Print(const Kill& kill, std::ostream* out) {
  if (!out) return;
  const MutationInfo& info = InfoOf(kill.mutation);
  const std::string check = kill.killed() ? kill.check : "SURVIVES";
  *out << std::left << std::setw(14) << kill.group << ' ' << std::setw(4) << info.row << std::setw(34) << info.name
       << std::setw(34) << check << std::right << std::setw(5) << kill.problems << "  " << info.text << '\n';
  if (!kill.killed()) *out << "    survived " << kill.applicable << " problems that can show it\n";
  out->flush();
}

void Print(const GroupScore& score, std::ostream* out) {
  if (!out) return;
  *out << std::left << std::setw(14) << score.group << std::right << ' ' << score.killed << " of " << score.total
       << " caught; problems to the kill: median " << score.median_problems << ", worst " << score.worst_problems
       << '\n';
}

void PrintCurve(const std::vector<DetectionPoint>& curve, std::ostream* out) {
  if (!out || curve.empty()) return;
  *out << "share of problems in which weights wrong by a factor 1 + d are detected\n";
  std::string group;
  for (const DetectionPoint& point : curve) {
    if (group != point.group) *out << (group.empty() ? "" : "\n") << std::left << std::setw(14) << point.group;
    group = point.group;
    const double share =
        point.problems == 0 ? 0 : 100. * static_cast<double>(point.detected) / static_cast<double>(point.problems);
    *out << "  d=" << point.perturbation << ": " << std::setprecision(3) << share << " %";
  }
  *out << '\n';
}

void PrintRows(const MutationScore& score, std::ostream* out) {
  if (!out) return;
  *out << "rows of the catalogue and the bugs caught that belong to each (M40: the harness itself, judge_test)\n";
  for (const auto& [row, names] : score.rows) {
    *out << row << std::string(row.size() < 4 ? 4 - row.size() : 1, ' ');
    for (const std::string& name : names) *out << ' ' << name;
    *out << '\n';
  }
}

}  // namespace

void PrintMutations(std::ostream* out) {
  for (const MutationInfo& info : Mutations()) {
    *out << std::left << std::setw(4) << info.row << std::setw(34) << info.name << info.text << '\n';
  }
}

bool MutationScore::complete() const {
  return std::all_of(groups.begin(), groups.end(), [](const GroupScore& g) { return g.killed == g.total; });
}

MutationScore MeasureMutationScore(const MutationScoreOptions& options, std::ostream* out) {
  MutationScore score;
  for (const MutantGroup& group : MutantGroups()) {
    if (std::string(group.name).find(options.group) == std::string::npos) continue;
    const HuntingGround ground(group, options.seed);
    for (const MutationInfo& info : Mutations()) {
      if (info.mutation == Mutation::kNoBug) continue;
      if (std::string(info.name).find(options.mutation) == std::string::npos) continue;
      if (!ground.CanShow(info)) continue;
      score.kills.push_back(ground.Hunt(info, options.limit));
      Print(score.kills.back(), out);
      if (score.kills.back().killed()) score.rows[info.row].insert(info.name);
    }
    score.groups.push_back(Summarize(group.name, score.kills));
    if (options.curve_problems == 0) continue;
    for (const DetectionPoint& point : DetectionCurve(group, options.seed, options.curve_problems)) {
      score.curve.push_back(point);
    }
  }
  PrintRows(score, out);
  for (const GroupScore& group : score.groups) Print(group, out);
  PrintCurve(score.curve, out);
  return score;
}

}  // namespace tandem::conformance
