#include "conformance/judge/coverage.h"

#include <utility>

#include "api/core/error.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/random_functions.h"
#include "conformance/problem/random/random_problem.h"
#include "conformance/sandbox/runner.h"

namespace tandem::conformance {
namespace {

constexpr auto kPropagations = AllOf<Propagation>();

ProblemSpec SmallProblem(Cell cell, CellFeature feature, Propagation propagation, Config config) {
  ProblemSpec spec;
  spec.with_peephole = feature == CellFeature::kPeephole;
  spec.with_projection = feature == CellFeature::kProjection;
  spec.cell = cell;
  spec.propagation = propagation;
  spec.config = config;
  spec.l = HasAttention(cell) ? 1 : 2;
  spec.t = 2;
  spec.sic = 16;
  return spec;
}

// Returns problems of 8-bit weights beside floating data, which are not in the specification's table.
std::vector<ProblemSpec> ByteWeightsProblems() {
  std::vector<ProblemSpec> problems;
  for (const char* profile : {"inference w8", "inference w8dyn"}) {
    const std::vector<ProblemSpec> required = RequiredProblems(*FindProfile(profile));
    problems.insert(problems.end(), required.begin(), required.end());
  }
  return problems;
}

// Returns the problems that profiles require, then one of each kind that random problems have besides: projections in 16 bits.
std::vector<ProblemSpec> ProblemsOfEveryKind() {
  std::vector<ProblemSpec> problems = RequiredProblems(*FindProfile("whole table"));
  const std::vector<ProblemSpec> of_bytes = ByteWeightsProblems();
  problems.insert(problems.end(), of_bytes.begin(), of_bytes.end());
  std::set<ServedKind> required;
  for (const ProblemSpec& spec : problems) required.insert(KindOf(spec));
  for (const CoverageQuestion& question : TypeQuestions()) {
    if (required.count(KindOf(question.spec)) == 0) problems.push_back(question.spec);
  }
  return problems;
}

// A norm of each kind, scope and use of c that the cell has.
std::vector<LayerNorm> NormsOf(Cell cell) {
  std::vector<LayerNorm> norms = {{NormKind::kParts}};
  if (!IsLinearBeforeReset(cell)) norms.push_back({NormKind::kSum});
  if (!WaitsForReset(cell)) norms.push_back({NormKind::kParts, NormScope::kRow});
  if (!HasCellState(cell)) return norms;
  norms.push_back({NormKind::kNone, NormScope::kGate, CellNorm::kOutput});
  norms.push_back({NormKind::kNone, NormScope::kGate, CellNorm::kState});
  return norms;
}

// Features that a problem of each kind may have.
void Plain(ProblemSpec*) {}
void WithLengths(ProblemSpec* spec) { spec->lengths = RowLengths::kRandom; }
void WithMasks(ProblemSpec* spec) { spec->masks = tandem_rnn_masks_layer | tandem_rnn_masks_iter; }

}  // namespace

Coverage::Coverage(const Plugin& plugin, std::function<void(size_t)> asked)
    : plugin_(plugin), asked_(std::move(asked)), executor_(plugin, {}) {}

bool Coverage::Serves(const ProblemSpec& spec, std::string* reason) {
  ++questions_;
  if (asked_) asked_(questions_);
  try {
    const RnnProblem problem = ToRnnProblem(spec);
    const ExecutionReport answer = AskIsolated(plugin_, problem, FreeLayouts(spec), &executor_);
    *reason = answer.message;
    return answer.status == RunStatus::kOk;
  } catch (const Error& error) {
    *reason = error.what();
    return false;
  }
}

std::set<ServedKind> Coverage::KindsServedOf(const std::vector<ProblemSpec>& problems,
                                             const std::function<void(ProblemSpec*)>& feature) {
  std::set<ServedKind> kinds;
  std::string reason;
  for (const ProblemSpec& spec : problems) {
    ProblemSpec asked = spec;
    feature(&asked);
    if (!plugin_.Follows(asked.reading)) asked.reading = Reading::kOnednn;
    if (kinds.count(KindOf(spec)) == 0 && Serves(asked, &reason)) kinds.insert(KindOf(spec));
  }
  return kinds;
}

std::set<ServedKind> Coverage::Kinds() { return KindsServedOf(ProblemsOfEveryKind(), Plain); }

std::set<FeaturePair> Coverage::Shapes(const std::set<ServedKind>& kinds) {
  std::set<FeaturePair> shapes;
  std::string reason;
  for (const ServedKind& kind : kinds) {
    for (int direction = 0; direction < NumValues(Aspect::kDirection); ++direction) {
      for (const Dim layers : {1, 2}) {
        ProblemSpec spec = SmallProblem(kind.cell, kind.feature, kind.propagation, kind.config);
        spec.direction = static_cast<Direction>(direction);
        spec.l = layers;
        if (!plugin_.Follows(spec.reading)) spec.reading = Reading::kOnednn;
        if (shapes.count(ShapeOf(spec)) == 0 && Serves(spec, &reason)) shapes.insert(ShapeOf(spec));
      }
    }
  }
  return shapes;
}

std::set<ServedKind> Coverage::KindsWithLengths() {
  // An implementation that has lengths at all has them for some cell in f32. Most need no further question.
  const std::vector<ProblemSpec> plain = RequiredProblems(*FindProfile("inference f32"));
  if (KindsServedOf(plain, WithLengths).empty()) return {};
  return KindsServedOf(ProblemsOfEveryKind(), WithLengths);
}

std::set<ServedKind> Coverage::KindsWithMasks() {
  const std::vector<ProblemSpec> plain = RequiredProblems(*FindProfile("inference f32"));
  if (KindsServedOf(plain, WithMasks).empty()) return {};
  return KindsServedOf(ProblemsOfEveryKind(), WithMasks);
}

std::set<ServedKind> Coverage::KindsWithNorms() {
  std::set<ServedKind> kinds;
  std::string reason;
  for (const ProblemSpec& spec : ProblemsOfEveryKind()) {
    if (HasByteWeights(spec.config) || HasAttention(spec.cell) || kinds.count(KindOf(spec)) != 0) continue;
    ProblemSpec asked = spec;
    asked.fpmath = FpmathMode::kStrict;
    if (!plugin_.Follows(asked.reading)) asked.reading = Reading::kOnednn;
    bool all = true;
    for (const LayerNorm& norm : NormsOf(spec.cell)) {
      asked.norm = norm;
      all = all && Serves(asked, &reason);
    }
    // Most implementations have none, and are not asked further.
    if (!all && kinds.empty()) return {};
    if (all) kinds.insert(KindOf(spec));
  }
  return kinds;
}

std::set<ServedKind> Coverage::KindsWithByteWeights() { return KindsServedOf(ByteWeightsProblems(), Plain); }

std::vector<Activation> Coverage::ServedActivations() {
  std::vector<Activation> served;
  std::string reason;
  for (const Activation activation : OtherActivations()) {
    ProblemSpec spec =
        SmallProblem(Cell::kVanillaRnn, CellFeature::kPlain, Propagation::kForwardInference, Config::kF32);
    spec.activation = activation;
    if (!plugin_.Follows(spec.reading)) spec.reading = Reading::kOnednn;
    if (Serves(spec, &reason)) served.push_back(activation);
  }
  return served;
}

std::set<Cell> Coverage::CellsWithGates() {
  std::set<Cell> served;
  std::string reason;
  for (const Cell cell : kCells) {
    if (!TakesGateFunctions(cell, Config::kF32)) continue;
    ProblemSpec spec = SmallProblem(cell, CellFeature::kPlain, Propagation::kForwardInference, Config::kF32);
    spec.gates.clip = 1;
    if (!HasActivation(cell)) spec.gates.recurrent = {Activation::kHardSigmoid, 0.2f, 0.5f};
    if (!plugin_.Follows(spec.reading)) spec.reading = Reading::kOnednn;
    if (Serves(spec, &reason)) served.insert(cell);
  }
  return served;
}

std::vector<CoverageQuestion> TypeQuestions() {
  std::vector<CoverageQuestion> questions;
  for (Cell cell : kCells) {
    for (int f = 0; f < (HasCellState(cell) ? kNumCellFeatures : 1); ++f) {
      const CellFeature feature = static_cast<CellFeature>(f);
      const std::string name =
          ToString(cell) + (feature == CellFeature::kPlain ? std::string() : std::string(" ") + ToString(feature));
      for (Propagation propagation : kPropagations) {
        for (int i = 0; i < kNumConfigs; ++i) {
          const Config config = static_cast<Config>(i);
          questions.push_back({name + " " + ToString(propagation), TypesOf(config).name,
                               SmallProblem(cell, feature, propagation, config)});
        }
      }
    }
  }
  return questions;
}

std::vector<CoverageQuestion> GradeQuestions() {
  std::vector<CoverageQuestion> valid;
  for (CoverageQuestion question : TypeQuestions()) {
    ProblemSpec& spec = question.spec;
    if (spec.with_peephole || spec.with_projection) continue;
    spec.name = "grades " + question.row + " " + question.column;
    spec.l = 1;
    spec.mb = 25;
    spec.sic = spec.slc = spec.dhc = spec.dic = 48;
    spec.gain = 0.5f;
    spec.activation = Activation::kTanh;
    try {
      ToRnnProblem(spec);
    } catch (const Error&) {
      continue;
    }
    valid.push_back(question);
  }
  return valid;
}

std::vector<CoverageQuestion> LayoutQuestions() {
  std::vector<CoverageQuestion> questions;
  const char* const features[] = {"--tag=tnc:any:tnc",
                                  "--tag=ntc:any:ntc",
                                  "--tag=tnc:any:ntc",
                                  "--pad=3",
                                  "--tag=any:ldigo:any",
                                  "--tag=any:ldgoi:any",
                                  "--diff-tag=ldigo",
                                  "--diff-tag=ldgoi",
                                  "--absent=bias",
                                  "--absent=src_iter+src_iter_c",
                                  "--absent=dst_iter+dst_iter_c",
                                  "--with-peephole=true",
                                  "--with-projection=true",
                                  "--attr-scratchpad=user",
                                  "--attr-fpmath=bf16",
                                  "--attr-fpmath=f16",
                                  "--attr-fpmath=tf32",
                                  "--attr-fpmath=any",
                                  "--direction=right2left",
                                  "--direction=concat",
                                  "--direction=sum",
                                  "--lengths=random",
                                  "--norm=sum",
                                  "--norm=parts:row:output"};
  for (const char* feature : features) {
    for (const char* propagation : {"FWD_I", "FWD_D", "BWD_DW"}) {
      const std::string words = std::string("--alg=VANILLA_LSTM --prop=") + propagation + " " + feature + " l1t2sic16";
      questions.push_back({feature, propagation, ParseProblem(words)});
    }
  }
  return questions;
}

}  // namespace tandem::conformance
