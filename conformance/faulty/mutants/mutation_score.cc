#include "conformance/faulty/mutants/mutation_score.h"

#include <algorithm>
#include <iomanip>
#include <map>

#include "conformance/problem/base/wrapped.h"

namespace tandem::conformance {
namespace {

bool Contains(const std::string& name, const std::string& part) { return name.find(part) != std::string::npos; }

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
  *out << "rows of the catalogue and the bugs caught that belong to each (M40: the judge itself, judge_test)\n";
  for (const auto& [row, names] : score.rows) {
    *out << row << std::string(row.size() < 4 ? 4 - row.size() : 1, ' ');
    for (const std::string& name : names) *out << ' ' << name;
    *out << '\n';
  }
}

}  // namespace

void PrintMutations(const std::string& part, int columns, std::ostream* out) {
  for (const MutationInfo& info : Mutations()) {
    if (!Contains(info.name, part)) continue;
    *out << std::left << std::setw(4) << info.row;
    if (columns == 0) {
      *out << std::setw(34) << info.name << info.text << '\n';
    } else {
      *out << info.name << '\n' << Wrapped(info.text, static_cast<size_t>(columns), 4);
    }
  }
}

bool MutationScore::complete() const {
  return std::all_of(groups.begin(), groups.end(), [](const GroupScore& g) { return g.killed == g.total; });
}

MutationScore MeasureMutationScore(const MutationScoreOptions& options, std::ostream* out,
                                   const MutationObserver& observer) {
  std::vector<const MutationInfo*> bugs;
  for (const MutationInfo& info : Mutations()) {
    if (info.mutation != Mutation::kNoBug && Contains(info.name, options.mutation)) bugs.push_back(&info);
  }
  std::vector<const MutantGroup*> groups;
  for (const MutantGroup& group : MutantGroups()) {
    if (Contains(group.name, options.group)) groups.push_back(&group);
  }
  const size_t steps = groups.size() * (bugs.size() + (options.curve_problems != 0));
  size_t step = 0;
  MutationScore score;
  for (const MutantGroup* wanted : groups) {
    const MutantGroup& group = *wanted;
    const HuntingGround ground(group, options.seed);
    for (const MutationInfo* bug : bugs) {
      const MutationInfo& info = *bug;
      observer.at_step(step++, steps);
      if (!ground.CanShow(info)) continue;
      score.kills.push_back(ground.Hunt(info, options.limit));
      observer.before_print();
      Print(score.kills.back(), out);
      if (score.kills.back().killed()) score.rows[info.row].insert(info.name);
    }
    score.groups.push_back(Summarize(group.name, score.kills));
    if (options.curve_problems == 0) continue;
    observer.at_step(step++, steps);
    for (const DetectionPoint& point : DetectionCurve(group, options.seed, options.curve_problems)) {
      score.curve.push_back(point);
    }
  }
  observer.before_print();
  if (score.kills.empty()) return score;
  PrintRows(score, out);
  for (const GroupScore& group : score.groups) Print(group, out);
  PrintCurve(score.curve, out);
  return score;
}

}  // namespace tandem::conformance
