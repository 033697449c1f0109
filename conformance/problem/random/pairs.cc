#include "conformance/problem/random/pairs.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "api/core/error.h"

namespace tandem::conformance {
namespace {

constexpr Dim kTailOf = 16;  // f32 elements of the longest vector
constexpr Dim kFewSteps = 4;
constexpr Dim kRowsAtOnce = 8;  // of the widest usual kernels

// What a problem combines beside its sizes.
struct Kind {
  Cell cell;
  bool peephole, projection;
  Propagation propagation;
  Config config;
  Direction direction;
  bool deep;
};

ProblemSpec SmallProblem(const Kind& kind) {
  ProblemSpec spec;
  spec.cell = kind.cell;
  spec.with_peephole = kind.peephole;
  spec.with_projection = kind.projection;
  spec.propagation = kind.propagation;
  spec.config = kind.config;
  spec.direction = kind.direction;
  spec.l = kind.deep ? 2 : 1;
  spec.t = 2;
  spec.sic = 4;
  return spec;
}

bool IsValid(const Kind& kind) {
  if (TypesOf(kind.config).draws == 0) return false;
  if ((kind.peephole || kind.projection) && !HasCellState(kind.cell)) return false;
  if (HasAttention(kind.cell) && (kind.deep || kind.direction != Direction::kLeft2Right)) return false;
  try {
    ToRnnProblem(SmallProblem(kind));
    return true;
  } catch (const Error&) {
    return false;
  }
}

template <class Visit>
void ForEachValidKind(Visit visit) {
  for (const Cell cell : kCells) {
    for (int part = 0; part < 4; ++part) {
      for (int propagation = 0; propagation < NumValues(Aspect::kPropagation); ++propagation) {
        for (int config = 0; config < kNumConfigs; ++config) {
          for (int direction = 0; direction < NumValues(Aspect::kDirection); ++direction) {
            for (const bool deep : {false, true}) {
              const Kind kind = {cell,
                                 (part & 1) != 0,
                                 (part & 2) != 0,
                                 static_cast<Propagation>(propagation),
                                 static_cast<Config>(config),
                                 static_cast<Direction>(direction),
                                 deep};
              if (IsValid(kind)) visit(SmallProblem(kind));
            }
          }
        }
      }
    }
  }
}

// Every combination of sizes is possible with every kind.
constexpr bool IsSize(Aspect aspect) { return aspect >= Aspect::kSteps; }

// Of wanted pairs it is the last aspect.
bool IsOfLengths(const FeaturePair& pair) { return pair.second.aspect == Aspect::kLengths; }

std::vector<FeaturePair> FindCountedPairs() {
  std::set<FeaturePair> pairs;
  const auto add = [&](Feature a, Feature b) { pairs.insert({a, b}); };
  ForEachValidKind([&](const ProblemSpec& spec) {
    for (int i = 0; i < kNumAspects; ++i) {
      for (int j = i + 1; j < kNumAspects; ++j) {
        const Aspect first = static_cast<Aspect>(i), second = static_cast<Aspect>(j);
        for (int a = 0; a < (IsSize(first) ? NumValues(first) : 1); ++a) {
          for (int b = 0; b < (IsSize(second) ? NumValues(second) : 1); ++b) {
            add(IsSize(first) ? Feature{first, a} : FeatureOf(spec, first),
                IsSize(second) ? Feature{second, b} : FeatureOf(spec, second));
          }
        }
      }
    }
  });
  return {pairs.begin(), pairs.end()};
}

}  // namespace

int NumValues(Aspect aspect) {
  switch (aspect) {
    case Aspect::kCell:
      return kNumCells;
    case Aspect::kPropagation:
      return 3;
    case Aspect::kTypes:
      return kNumConfigs;
    case Aspect::kDirection:
      return 4;
    case Aspect::kPeephole:
    case Aspect::kProjection:
    case Aspect::kLayers:
    case Aspect::kSteps:
    case Aspect::kRows:
    case Aspect::kTail:
    case Aspect::kLengths:
    case Aspect::kRowTail:
    case Aspect::kOddSteps:
      return 2;
  }
  ThrowNoSuchEnumerator("Aspect", aspect);
}

Feature FeatureOf(const ProblemSpec& spec, Aspect aspect) {
  switch (aspect) {
    case Aspect::kCell:
      return {aspect, static_cast<int>(spec.cell)};
    case Aspect::kPeephole:
      return {aspect, spec.with_peephole};
    case Aspect::kProjection:
      return {aspect, spec.with_projection};
    case Aspect::kPropagation:
      return {aspect, static_cast<int>(spec.propagation)};
    case Aspect::kTypes:
      return {aspect, static_cast<int>(spec.config)};
    case Aspect::kDirection:
      return {aspect, static_cast<int>(spec.direction)};
    case Aspect::kLayers:
      return {aspect, spec.l > 1};
    case Aspect::kSteps:
      return {aspect, spec.t > kFewSteps};
    case Aspect::kRows:
      return {aspect, spec.mb > 1};
    case Aspect::kLengths:
      return {aspect, spec.lengths != RowLengths::kNone};
    case Aspect::kRowTail:
      return {aspect, spec.mb % kRowsAtOnce != 0};
    case Aspect::kOddSteps:
      return {aspect, spec.t % 2 != 0};
    case Aspect::kTail:
      return {aspect, (spec.dhc != 0 ? spec.dhc : spec.sic) % kTailOf != 0};
  }
  ThrowNoSuchEnumerator("Aspect", aspect);
}

std::string ToString(Feature feature) {
  constexpr const char* kPeepholes[] = {"no peephole", "peephole"};
  constexpr const char* kProjections[] = {"no projection", "projection"};
  constexpr const char* kLayers[] = {"L = 1", "L > 1"};
  constexpr const char* kSteps[] = {"T <= 4", "T > 4"};
  constexpr const char* kRows[] = {"N = 1", "N > 1"};
  constexpr const char* kTails[] = {"no tail", "tail"};
  constexpr const char* kLengths[] = {"no lengths", "lengths"};
  constexpr const char* kRowTails[] = {"N % 8 = 0", "N % 8 > 0"};
  constexpr const char* kOddSteps[] = {"T even", "T odd"};
  switch (feature.aspect) {
    case Aspect::kCell:
      return ToString(static_cast<Cell>(feature.value));
    case Aspect::kPeephole:
      return kPeepholes[feature.value];
    case Aspect::kProjection:
      return kProjections[feature.value];
    case Aspect::kPropagation:
      return ToString(static_cast<Propagation>(feature.value));
    case Aspect::kTypes:
      return TypesOf(static_cast<Config>(feature.value)).name;
    case Aspect::kDirection:
      return ToString(static_cast<Direction>(feature.value));
    case Aspect::kLayers:
      return kLayers[feature.value];
    case Aspect::kSteps:
      return kSteps[feature.value];
    case Aspect::kRows:
      return kRows[feature.value];
    case Aspect::kTail:
      return kTails[feature.value];
    case Aspect::kLengths:
      return kLengths[feature.value];
    case Aspect::kRowTail:
      return kRowTails[feature.value];
    case Aspect::kOddSteps:
      return kOddSteps[feature.value];
  }
  ThrowNoSuchEnumerator("Aspect", feature.aspect);
}

std::string ToString(const FeaturePair& pair) { return ToString(pair.first) + ", " + ToString(pair.second); }

const std::vector<FeaturePair>& CountedPairs() {
  static const std::vector<FeaturePair>* const kPairs = new std::vector<FeaturePair>(FindCountedPairs());
  return *kPairs;
}

const std::vector<FeaturePair>& PossiblePairs() {
  static const std::vector<FeaturePair>* const kPairs = [] {
    auto* wanted = new std::vector<FeaturePair>;
    std::copy_if(CountedPairs().begin(), CountedPairs().end(), std::back_inserter(*wanted), IsWanted);
    return wanted;
  }();
  return *kPairs;
}

const std::vector<FeaturePair>& DrawnPairs() {
  static const std::vector<FeaturePair>* const kPairs = [] {
    auto* drawn = new std::vector<FeaturePair>;
    for (const FeaturePair& pair : PossiblePairs()) {
      if (!IsOfLengths(pair)) drawn->push_back(pair);
    }
    return drawn;
  }();
  return *kPairs;
}

std::vector<FeaturePair> PairTally::Possible() const {
  const bool any = std::any_of(count_.begin(), count_.end(), [](const auto& counted) {
    return IsWanted(counted.first) && IsOfLengths(counted.first) && counted.first.second.value != 0 &&
           counted.second > 0;
  });
  return any ? PossiblePairs() : DrawnPairs();
}

void PairTally::Add(const ProblemSpec& spec) {
  for (int i = 0; i < kNumAspects; ++i) {
    for (int j = i + 1; j < kNumAspects; ++j) {
      ++count_[{FeatureOf(spec, static_cast<Aspect>(i)), FeatureOf(spec, static_cast<Aspect>(j))}];
    }
  }
}

void PairTally::Add(const PairTally& more) {
  for (const auto& [pair, problems] : more.count_) Add(pair, problems);
}

uint64_t PairTally::Count(const FeaturePair& pair) const {
  const auto found = count_.find(pair);
  return found == count_.end() ? 0 : found->second;
}

std::vector<FeaturePair> PairTally::Below(uint64_t problems) const {
  std::vector<FeaturePair> below;
  for (const FeaturePair& pair : Possible()) {
    if (Count(pair) < problems) below.push_back(pair);
  }
  return below;
}

}  // namespace tandem::conformance
