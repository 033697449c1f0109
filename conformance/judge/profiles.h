// Profiles: named parts of the specification's table that an implementation may conform to, each with the problems
// that it must pass. docs/test_your_library.md lists them.
#ifndef TANDEM_CONFORMANCE_JUDGE_PROFILES_H_
#define TANDEM_CONFORMANCE_JUDGE_PROFILES_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/judge/verdict/verdict.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// An optional part of the LSTM; a projection with a peephole counts as a projection.
enum class CellFeature { kPlain, kPeephole, kProjection };
constexpr int kNumCellFeatures = 3;
const char* ToString(CellFeature feature);

// The smallest unit of coverage.
struct ServedKind {
  Cell cell;
  CellFeature feature;
  Propagation propagation;
  Config config;
  bool operator<(const ServedKind& other) const {
    return std::tie(cell, feature, propagation, config) <
           std::tie(other.cell, other.feature, other.propagation, other.config);
  }
};
ServedKind KindOf(const ProblemSpec& spec);

// What became of the problems of one kind.
struct KindTally {
  // Of the required problems.
  uint64_t passed = 0, refused = 0, vacuous = 0;
  // Of all problems.
  uint64_t failed = 0;
};
using KindTallies = std::map<ServedKind, KindTally>;

// Counts those of the kinds that have fewer than two problems in the tallies: too few for a word about them.
uint64_t NumHardlyTried(const std::set<ServedKind>& kinds, const KindTallies& tallies);

enum class Requirement { kRequired, kOther };
void Count(const ProblemSpec& spec, Verdict verdict, Requirement requirement, KindTallies* tallies);

// One requirement of a profile: met if every required problem of at least one of the kinds (they differ in the types of
// bias and states) passed, and no problem of any of them failed.
struct ProfileGroup {
  std::vector<ServedKind> kinds;
};

// Which of a kind's problems are required: all, or those of one layer from left to right.
enum class Shapes { kAll, kOneLayer };

struct Profile {
  std::string name;  // "inference f32", "lstm inference f32", "whole table", "cells inference f32"
  std::vector<ProfileGroup> groups;
  Shapes shapes = Shapes::kAll;
};

// The profiles of all cells first, then the whole table, then those of one cell, then both for one layer alone.
const std::vector<Profile>& Profiles();
// Blanks may be written as '-'. Null for an unknown name.
const Profile* FindProfile(std::string name);

// The problems that a profile requires: a few small ones for each kind, in all directions, with and without the
// optional tensors. First one of each kind, then a second one of each, and so on: time may run out.
std::vector<ProblemSpec> RequiredProblems(const Profile& profile);
// Random problems of these kinds, and some others.
ProblemScope ScopeOf(const Profile& profile);
bool Contains(const Profile& profile, const ProblemSpec& spec);

struct ProfileStatus {
  std::string name;
  uint64_t groups = 0;
  uint64_t met = 0, failed = 0, untested = 0;  // the others were refused, at least in part

  bool conforms() const { return met == groups; }
};
ProfileStatus StatusOf(const Profile& profile, const KindTallies& tallies);
// Of all profiles of all shapes of which every group was tested and one is met or failed; those of one cell only if they
// are met and that of all cells is not.
std::vector<ProfileStatus> Statuses(const KindTallies& tallies);
// True for the whole table, if it is met: then the other profiles say nothing new.
bool IsWholeTable(const ProfileStatus& status);
// "conforms to inference f32: 8 of 8 groups; not to training f32: 10 of 16 groups".
std::string InWords(const std::vector<ProfileStatus>& statuses);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_PROFILES_H_
