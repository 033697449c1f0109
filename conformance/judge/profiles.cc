#include "conformance/judge/profiles.h"

#include <algorithm>
#include <set>

#include "api/core/error.h"
#include "conformance/problem/random/random_problem.h"

namespace tandem::conformance {
namespace {

// The configurations of a family differ in the types of bias and states only.
struct DataFamily {
  const char* name;
  std::vector<Config> configs;
};

const std::vector<DataFamily>& Families() {
  static const std::vector<DataFamily>* const kFamilies = new std::vector<DataFamily>{
      {"f32", {Config::kF32}},
      {"bf16", {Config::kBf16f32, Config::kBf16}},
      {"f16", {Config::kF16c32, Config::kF16f32, Config::kF16}},
      {"w8", {Config::kF32w8, Config::kBf16w8}},
      {"w8dyn", {Config::kF32w8dyn}},
      {"int8", {Config::kU8u8u8u8, Config::kU8u8u8f32, Config::kF32u8f32u8, Config::kF32u8f32f32}},
      {"s8", {Config::kS8s8s8s8, Config::kS8s8s8f32, Config::kF32s8f32s8, Config::kF32s8f32f32}}};
  return *kFamilies;
}

ProblemSpec SmallProblem(const ServedKind& kind) {
  ProblemSpec spec;
  spec.cell = kind.cell;
  spec.propagation = kind.propagation;
  spec.config = kind.config;
  spec.with_peephole = kind.feature == CellFeature::kPeephole;
  spec.with_projection = kind.feature == CellFeature::kProjection;
  spec.activation = Activation::kTanh;
  spec.gain = 0.5f;
  spec.t = 3;
  spec.mb = 3;
  spec.sic = spec.dic = spec.slc = 10;
  spec.dhc = spec.with_projection ? 12 : 10;
  return spec;
}

// There is no projection in 16 bits: note (3) of the specification's table of data types.
bool Exists(const ServedKind& kind) {
  const bool lstm = HasCellState(kind.cell), int8 = kind.config >= Config::kU8u8u8u8;
  if (kind.feature != CellFeature::kPlain && !lstm) return false;
  if (kind.feature == CellFeature::kPeephole && int8) return false;
  const bool is_16_bit = !HasByteWeights(kind.config) && kind.config != Config::kF32;
  if (kind.feature == CellFeature::kProjection && is_16_bit) return false;
  try {
    ToRnnProblem(SmallProblem(kind));
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::vector<ServedKind> Existing(const std::vector<ServedKind>& kinds) {
  std::vector<ServedKind> existing;
  std::copy_if(kinds.begin(), kinds.end(), std::back_inserter(existing), Exists);
  return existing;
}

enum class Use { kInference, kTraining };
const char* ToString(Use use) { return use == Use::kInference ? "inference" : "training"; }

std::vector<Propagation> PropagationsOf(Use use) {
  if (use == Use::kInference) return {Propagation::kForwardInference};
  return {Propagation::kForwardTraining, Propagation::kBackward};
}

enum class Breadth { kOneOfTheConfigs, kEveryConfig };

void AddGroups(Cell cell, CellFeature feature, Use use, const DataFamily& family, Breadth breadth, Profile* profile) {
  for (Propagation propagation : PropagationsOf(use)) {
    std::vector<ServedKind> kinds;
    for (Config config : family.configs) kinds.push_back({cell, feature, propagation, config});
    kinds = Existing(kinds);
    if (kinds.empty()) continue;
    if (breadth == Breadth::kOneOfTheConfigs) {
      profile->groups.push_back({kinds});
    } else {
      for (const ServedKind& kind : kinds) profile->groups.push_back({{kind}});
    }
  }
}

constexpr CellFeature kFeatures[] = {CellFeature::kPlain, CellFeature::kPeephole, CellFeature::kProjection};
constexpr Use kUses[] = {Use::kInference, Use::kTraining};

constexpr const char* kWholeTable = "whole table";

std::string Sentence(const ProfileStatus& status) {
  std::string text =
      status.name + ": " + std::to_string(status.met) + " of " + std::to_string(status.groups) + " groups";
  if (status.failed != 0) text += " (" + std::to_string(status.failed) + " wrong)";
  return text;
}

std::vector<Profile> MakeProfiles() {
  std::vector<Profile> all, of_one_cell;
  Profile table = {kWholeTable, {}, Shapes::kAll};
  for (Use use : kUses) {
    for (const DataFamily& family : Families()) {
      const std::string name = std::string(ToString(use)) + " " + family.name;
      Profile profile = {name, {}, Shapes::kAll};
      const bool drawn = TypesOf(family.configs.front()).draws > 0;
      for (Cell cell : kCells) {
        for (CellFeature feature : kFeatures) {
          AddGroups(cell, feature, use, family, Breadth::kOneOfTheConfigs, &profile);
          if (drawn) AddGroups(cell, feature, use, family, Breadth::kEveryConfig, &table);
        }
        Profile one = {std::string(tandem::ToString(cell)) + " " + name, {}, Shapes::kAll};
        AddGroups(cell, CellFeature::kPlain, use, family, Breadth::kOneOfTheConfigs, &one);
        if (!one.groups.empty()) of_one_cell.push_back(one);
      }
      if (!profile.groups.empty()) all.push_back(profile);
    }
  }
  std::vector<Profile> of_one_layer;
  for (const std::vector<Profile>* profiles : {&all, &of_one_cell}) {
    for (const Profile& profile : *profiles) {
      of_one_layer.push_back({"cells " + profile.name, profile.groups, Shapes::kOneLayer});
    }
  }
  all.push_back(table);
  all.insert(all.end(), of_one_cell.begin(), of_one_cell.end());
  all.insert(all.end(), of_one_layer.begin(), of_one_layer.end());
  return all;
}

bool IsOfOneCell(const Profile& profile) {
  return std::any_of(std::begin(kCells), std::end(kCells),
                     [&](Cell cell) { return profile.name.rfind(std::string(tandem::ToString(cell)) + " ", 0) == 0; });
}

std::vector<ServedKind> KindsOf(const Profile& profile) {
  std::set<ServedKind> kinds;
  for (const ProfileGroup& group : profile.groups) kinds.insert(group.kinds.begin(), group.kinds.end());
  return {kinds.begin(), kinds.end()};
}

bool IsOf(Shapes shapes, const ProblemSpec& spec) {
  return shapes == Shapes::kAll || (spec.l == 1 && spec.direction == Direction::kLeft2Right);
}

std::vector<ProblemSpec> RequiredOf(const ServedKind& kind, Shapes shapes) {
  const ProblemSpec plain = SmallProblem(kind);
  std::vector<ProblemSpec> problems = {plain};
  const bool attention = HasAttention(kind.cell);
  ProblemSpec bare = plain;
  bare.absent = 1u << kBias | 1u << kSrcIter | 1u << kDstIter;
  if (HasCellState(kind.cell)) bare.absent |= 1u << kSrcIterC | 1u << kDstIterC;
  if (!attention && shapes == Shapes::kAll) bare.direction = Direction::kRight2Left;
  bare.mb = 1;
  problems.push_back(bare);
  if (!attention && shapes == Shapes::kAll) {
    ProblemSpec stacked = plain;
    stacked.direction = Direction::kBidirectionalConcat;
    stacked.t = 2;
    problems.push_back(stacked);
    stacked.direction = Direction::kBidirectionalSum;
    stacked.l = 2;
    problems.push_back(stacked);
  }
  for (size_t i = 0; i < problems.size(); ++i) problems[i].seed = i + 1;
  return problems;
}

uint64_t NumRequired(const ServedKind& kind, Shapes shapes) {
  return HasAttention(kind.cell) || shapes == Shapes::kOneLayer ? 2 : 4;
}

enum class GroupStatus { kMet, kFailed, kRefused, kUntested };

GroupStatus StatusOf(const ProfileGroup& group, Shapes shapes, const KindTallies& tallies) {
  bool met = false, refused = false;
  for (const ServedKind& kind : group.kinds) {
    const auto found = tallies.find(kind);
    if (found == tallies.end()) continue;
    const KindTally& tally = found->second;
    if (tally.failed != 0) return GroupStatus::kFailed;
    met = met || tally.passed == NumRequired(kind, shapes);
    refused = refused || tally.refused != 0;
  }
  return met ? GroupStatus::kMet : refused ? GroupStatus::kRefused : GroupStatus::kUntested;
}

}  // namespace

const char* ToString(CellFeature feature) {
  switch (feature) {
    case CellFeature::kPlain:
      return "plain";
    case CellFeature::kPeephole:
      return "peephole";
    case CellFeature::kProjection:
      return "projection";
  }
  return "?";
}

ServedKind KindOf(const ProblemSpec& spec) {
  const CellFeature feature = spec.with_projection ? CellFeature::kProjection
                              : spec.with_peephole ? CellFeature::kPeephole
                                                   : CellFeature::kPlain;
  return {spec.cell, feature, spec.propagation, spec.config};
}

void Count(const ProblemSpec& spec, Verdict verdict, Requirement requirement, KindTallies* tallies) {
  KindTally& tally = (*tallies)[KindOf(spec)];
  const uint64_t required = requirement == Requirement::kRequired ? 1 : 0;
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kQualityWarning:
      tally.passed += required;
      break;
    case Verdict::kNotSupported:
      tally.refused += required;
      break;
    case Verdict::kVacuous:
      tally.vacuous += required;
      break;
    case Verdict::kFail:
    case Verdict::kNondeterministic:
    case Verdict::kTimeout:
    case Verdict::kCrash:
      ++tally.failed;
      break;
  }
}

uint64_t NumHardlyTried(const std::set<ServedKind>& kinds, const KindTallies& tallies) {
  constexpr uint64_t kLeast = 2;
  return static_cast<uint64_t>(std::count_if(kinds.begin(), kinds.end(), [&](const ServedKind& kind) {
    const auto found = tallies.find(kind);
    if (found == tallies.end()) return true;
    const KindTally& tally = found->second;
    return tally.failed == 0 && tally.passed + tally.refused + tally.vacuous < kLeast;
  }));
}

const std::vector<Profile>& Profiles() {
  static const std::vector<Profile>* const kProfiles = new std::vector<Profile>(MakeProfiles());
  return *kProfiles;
}

const Profile* FindProfile(std::string name) {
  std::replace(name.begin(), name.end(), '-', ' ');
  for (const Profile& profile : Profiles()) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

std::vector<ProblemSpec> RequiredProblems(const Profile& profile) {
  std::vector<ProblemSpec> problems;
  for (const ServedKind& kind : KindsOf(profile)) {
    for (const ProblemSpec& spec : RequiredOf(kind, profile.shapes)) problems.push_back(spec);
  }
  // Seeds count the problems of a kind.
  std::stable_sort(problems.begin(), problems.end(),
                   [](const ProblemSpec& a, const ProblemSpec& b) { return a.seed < b.seed; });
  return problems;
}

ProblemScope ScopeOf(const Profile& profile) {
  ProblemScope scope;
  const auto add = [](auto value, auto* all) {
    if (std::find(all->begin(), all->end(), value) == all->end()) all->push_back(value);
  };
  for (const ServedKind& kind : KindsOf(profile)) {
    add(kind.cell, &scope.cells);
    add(kind.propagation, &scope.propagations);
    add(kind.config, &scope.configs);
  }
  return scope;
}

bool Contains(const Profile& profile, const ProblemSpec& spec) {
  if (!IsOf(profile.shapes, spec)) return false;
  const ServedKind kind = KindOf(spec);
  const std::vector<ServedKind> kinds = KindsOf(profile);
  return std::any_of(kinds.begin(), kinds.end(), [&](const ServedKind& k) { return !(k < kind) && !(kind < k); });
}

ProfileStatus StatusOf(const Profile& profile, const KindTallies& tallies) {
  ProfileStatus status = {profile.name, profile.groups.size(), 0, 0, 0};
  for (const ProfileGroup& group : profile.groups) {
    const GroupStatus one = StatusOf(group, profile.shapes, tallies);
    status.met += one == GroupStatus::kMet;
    status.failed += one == GroupStatus::kFailed;
    status.untested += one == GroupStatus::kUntested;
  }
  return status;
}

std::vector<ProfileStatus> Statuses(const KindTallies& tallies) {
  std::vector<ProfileStatus> statuses;
  std::set<std::string> met;
  for (const Profile& profile : Profiles()) {
    if (profile.shapes != Shapes::kAll) continue;  // a run of all shapes has not run their problems
    const ProfileStatus status = StatusOf(profile, tallies);
    const bool one_cell = IsOfOneCell(profile);
    if (one_cell && (!status.conforms() || met.count(profile.name.substr(profile.name.find(' ') + 1)) != 0)) continue;
    // A run of some groups says nothing about a profile that has others.
    if (status.met + status.failed == 0 || status.untested != 0) continue;
    if (status.conforms()) met.insert(profile.name);
    statuses.push_back(status);
  }
  return statuses;
}

bool IsWholeTable(const ProfileStatus& status) { return status.name == kWholeTable && status.conforms(); }

std::string InWords(const std::vector<ProfileStatus>& statuses) {
  std::string yes, no;
  const auto whole = std::find_if(statuses.begin(), statuses.end(), IsWholeTable);
  if (whole != statuses.end()) return "conforms to the " + Sentence(*whole);
  for (const ProfileStatus& status : statuses) {
    std::string* text = status.conforms() ? &yes : &no;
    *text += (text->empty() ? "" : ", ") + Sentence(status);
  }
  if (yes.empty() && no.empty()) return "";
  return (yes.empty() ? "conforms to no profile" : "conforms to " + yes) + (no.empty() ? "" : "; not to " + no);
}

}  // namespace tandem::conformance
