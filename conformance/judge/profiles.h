// A profile is a named part of the specification's table that an implementation may conform to, with the problems that it must
// pass. docs/test_your_library.md lists the profiles.
#ifndef TANDEM_CONFORMANCE_JUDGE_PROFILES_H_
#define TANDEM_CONFORMANCE_JUDGE_PROFILES_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/judge/verdict/verdict.h"
#include "conformance/problem/problem_spec.h"
#include "conformance/problem/random/random_problem.h"

namespace tandem::conformance {

// This is an optional part of the LSTM. A projection with a peephole counts as a projection.
enum class CellFeature { kPlain, kPeephole, kProjection };
constexpr int kNumCellFeatures = 3;
const char* ToString(CellFeature feature);

// A kind is the smallest unit of coverage.
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

struct KindTally {
  // These count the required problems.
  uint64_t passed = 0, refused = 0, vacuous = 0;
  // This counts all problems.
  uint64_t failed = 0;
};
using KindTallies = std::map<ServedKind, KindTally>;

// Counts the kinds that have fewer than two problems in the tallies. These are too few for a word about them.
uint64_t NumHardlyTried(const std::set<ServedKind>& kinds, const KindTallies& tallies);

enum class Requirement { kRequired, kOther };
void Count(const ProblemSpec& spec, Verdict verdict, Requirement requirement, KindTallies* tallies);

// A group is one requirement of a profile. It is met if every required problem of at least one of its kinds passed, and no
// problem of any of them failed. The kinds differ in the types of bias and states.
struct ProfileGroup {
  std::vector<ServedKind> kinds;
};

// All problems of a kind are required, or those of one layer from left to right.
enum class Shapes { kAll, kOneLayer };

struct Profile {
  std::string name;  // "inference f32", "lstm inference f32", "whole table", "cells inference f32"
  std::vector<ProfileGroup> groups;
  Shapes shapes = Shapes::kAll;
};

// Returns the profiles of all cells first, then the whole table, then those of one cell, then both for one layer alone.
const std::vector<Profile>& Profiles();
// Blanks may be written as '-'. Returns null for an unknown name.
const Profile* FindProfile(std::string name);

// Returns the problems that a profile requires: a few small ones for each kind, in all directions, with and without the
// optional tensors. The first one of each kind comes first, then the second one of each, and so on, because time may run out.
std::vector<ProblemSpec> RequiredProblems(const Profile& profile);
// Returns the scope of random problems of these kinds, and some others.
ProblemScope ScopeOf(const Profile& profile);
bool Contains(const Profile& profile, const ProblemSpec& spec);

struct ProfileStatus {
  std::string name;
  uint64_t groups = 0;
  uint64_t met = 0, failed = 0, untested = 0;  // untested ones were refused, at least in part

  bool conforms() const { return met == groups; }
};
ProfileStatus StatusOf(const Profile& profile, const KindTallies& tallies);
// Returns the statuses of profiles of all shapes of which every group was tested and one is met or failed. Those of one cell
// are left out unless they are met and that of all cells is not.
std::vector<ProfileStatus> Statuses(const KindTallies& tallies);
// Returns true for the whole table, if it is met. Then the other profiles say nothing new.
bool IsWholeTable(const ProfileStatus& status);
// Returns for example "conforms to inference f32: 8 of 8 groups; not to training f32: 10 of 16 groups".
std::string InWords(const std::vector<ProfileStatus>& statuses);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_PROFILES_H_
