#include "conformance/judge/profiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/faulty/faulty.h"
#include "conformance/judge/campaign.h"
#include "conformance/judge/coverage.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/random_problem.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

const Progress kQuiet = [](const CampaignResult&) {};

// The plugin has no bug. It serves LSTM inference in f32 without peephole and projection (PlainLstm) or nothing.
CampaignResult RunTheTable(const std::string& serves, const std::string& profile = "whole table") {
  Plugin plugin = MutantPlugin(Mutation::kNoBug);
  plugin.environment.push_back("TANDEM_MUTANT_SERVES=" + serves);
  plugin.claim = TableClaim::kPartial;
  CampaignOptions options;
  options.required = RequiredProblems(*FindProfile(profile));
  return RunCampaign(plugin, options, kQuiet);
}

TEST(Scopes, OtherActivationsAreDrawnBesideProblemsThatStayAsTheyAre) {
  ProblemScope scope;
  scope.other_activations = OtherActivations();
  std::set<Activation> drawn;
  for (uint64_t i = 0; i < 2000; ++i) {
    ProblemSpec spec = RandomProblem(scope, 7, i);
    const ProblemSpec without = RandomProblem(ProblemScope(), 7, i);
    ToRnnProblem(spec);
    if (spec.activation != without.activation) drawn.insert(spec.activation);
    spec.activation = without.activation;
    spec.alpha = without.alpha;
    spec.beta = without.beta;
    EXPECT_TRUE(spec == without) << PrintProblem(spec);
  }
  EXPECT_EQ(drawn.size(), OtherActivations().size());
}

TEST(Profiles, HaveTheGroupsOfTheSpecificationsTable) {
  const std::map<std::string, size_t> groups = {
      {"inference f32", 8},  {"inference bf16", 7}, {"inference f16", 7},      {"inference int8", 4},
      {"inference s8", 3},   {"inference w8", 8},   {"inference w8dyn", 8},    {"training f32", 16},
      {"training bf16", 14}, {"training f16", 14},  {"lstm inference f32", 1}, {"lbr_gru training bf16", 2}};
  for (const auto& [name, count] : groups) {
    const Profile* profile = FindProfile(name);
    ASSERT_NE(profile, nullptr) << name;
    EXPECT_EQ(profile->groups.size(), count) << name;
  }
  EXPECT_EQ(FindProfile("inference-f32"), FindProfile("inference f32"));
  EXPECT_EQ(FindProfile("training int8"), nullptr);
}

TEST(Profiles, RequireProblemsThatAreValidDistinctAndTheirOwn) {
  std::set<std::string> lines;
  for (const ProblemSpec& spec : RequiredProblems(*FindProfile("whole table"))) {
    EXPECT_NO_THROW(ToRnnProblem(spec)) << PrintProblem(spec);
    EXPECT_TRUE(lines.insert(PrintProblem(spec)).second) << PrintProblem(spec);
  }
  EXPECT_GT(lines.size(), 400u);
  const Profile& lstm = *FindProfile("lstm inference f32");
  EXPECT_EQ(RequiredProblems(lstm).size(), 4u);
  for (const ProblemSpec& spec : RequiredProblems(lstm)) EXPECT_TRUE(Contains(lstm, spec));
  EXPECT_FALSE(Contains(lstm, ParseProblem("--alg=VANILLA_LSTM --with-peephole=true sic3")));
  EXPECT_FALSE(Contains(lstm, ParseProblem("--alg=VANILLA_LSTM --cfg=bf16 sic3")));
}

TEST(Profiles, OneThatIsServedIsMetAndTheRunIsPartial) {
  const CampaignResult result = RunTheTable("PlainLstm");
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result.partial());
  EXPECT_TRUE(StatusOf(*FindProfile("lstm inference f32"), result.kinds).conforms());
  const ProfileStatus f32 = StatusOf(*FindProfile("inference f32"), result.kinds);
  EXPECT_EQ(f32.met, 1u);
  EXPECT_EQ(f32.failed + f32.untested, 0u);
  EXPECT_EQ(InWords(Statuses(result.kinds)),
            "conforms to lstm inference f32: 1 of 1 groups; not to inference f32: 1 of 8 groups, whole table: 1 of 157 "
            "groups");
}

TEST(Profiles, AskedForAloneIsServedWhole) {
  const CampaignResult result = RunTheTable("PlainLstm", "lstm inference f32");
  EXPECT_TRUE(result.ok());
  EXPECT_FALSE(result.partial());
}

TEST(Profiles, NothingServedConformsToNothing) {
  const CampaignResult result = RunTheTable("Nothing");
  EXPECT_FALSE(result.ok());
  EXPECT_TRUE(Statuses(result.kinds).empty());
}

TEST(Profiles, OneWrongProblemOfAGroupSpoilsIt) {
  KindTallies tallies;
  const Profile& lstm = *FindProfile("lstm inference f32");
  for (const ProblemSpec& spec : RequiredProblems(lstm)) {
    EXPECT_FALSE(StatusOf(lstm, tallies).conforms()) << "not all of them have run";
    Count(spec, Verdict::kPass, Requirement::kRequired, &tallies);
  }
  EXPECT_TRUE(StatusOf(lstm, tallies).conforms());
  Count(ParseProblem("--alg=VANILLA_LSTM sic3"), Verdict::kVacuous, Requirement::kOther, &tallies);
  EXPECT_TRUE(StatusOf(lstm, tallies).conforms());
  Count(ParseProblem("--alg=VANILLA_LSTM sic3"), Verdict::kCrash, Requirement::kOther, &tallies);
  EXPECT_EQ(StatusOf(lstm, tallies).failed, 1u);
}

// A group has bf16 with bias and c in bf16, or in f32. An implementation needs one of the two.
TEST(Profiles, OneOfSeveralTypesOfBiasIsEnough) {
  KindTallies tallies;
  const Profile& gru = *FindProfile("gru inference bf16");
  for (const ProblemSpec& spec : RequiredProblems(gru)) {
    const bool served = spec.config == Config::kBf16f32;
    Count(spec, served ? Verdict::kPass : Verdict::kNotSupported, Requirement::kRequired, &tallies);
  }
  EXPECT_TRUE(StatusOf(gru, tallies).conforms());
}

TEST(Profiles, RequireOneProblemOfEachKindBeforeASecondOne) {
  std::set<ServedKind> seen;
  uint64_t round = 1;
  for (const ProblemSpec& spec : RequiredProblems(*FindProfile("whole table"))) {
    if (spec.seed != round) seen.clear();
    EXPECT_GE(spec.seed, round);
    round = spec.seed;
    EXPECT_TRUE(seen.insert(KindOf(spec)).second) << PrintProblem(spec);
  }
}

// The time of this campaign is up after its first problem.
TEST(Campaign, OfTooFewProblemsIsPartial) {
  CampaignOptions options;
  options.required = RequiredProblems(*FindProfile("inference f32"));
  options.seconds = 1e-9;
  options.jobs = 1;
  const CampaignResult result = RunCampaign(MutantPlugin(Mutation::kNoBug), options, kQuiet);
  EXPECT_EQ(result.run, 1u);
  EXPECT_EQ(result.hardly_tried, 8u);
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result.partial());
  options.seconds = 0;
  const CampaignResult whole = RunCampaign(MutantPlugin(Mutation::kNoBug), options, kQuiet);
  EXPECT_EQ(whole.hardly_tried, 0u);
  EXPECT_FALSE(whole.partial());
}

// The broken plugin refuses nine times and ends its process when it is asked a tenth time.
TEST(Coverage, IsAskedOfOneProcessWhichIsStartedAgain) {
  Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  plugin.environment = {"TANDEM_BROKEN=crash-when-asked-often"};
  size_t asked = 0;
  Coverage coverage(plugin, [&](size_t questions) { asked = questions; });
  std::string reason;
  for (int question = 1; question <= 11; ++question) {
    EXPECT_FALSE(coverage.Serves(ParseProblem("sic16"), &reason));
    EXPECT_EQ(reason, question == 10 ? "supports(): Aborted" : "it does not feel like it") << question;
  }
  EXPECT_EQ(asked, 11u);
}

// If the bound of a given problem says nothing, the problem is neither conforming nor wrong.
TEST(Campaign, AVacuousProblemIsReportedApart) {
  CampaignOptions options;
  options.problems = {ParseProblem("--alg=VANILLA_LSTM --attr-fpmath=bf16 --gain=4 l1t8mb2sic20"),
                      ParseProblem("sic4")};
  const Plugin plugin = MutantPlugin(Mutation::kNoBug);
  const CampaignResult result = RunCampaign(plugin, options, kQuiet);
  EXPECT_EQ(result.vacuous.size(), 1u);
  EXPECT_TRUE(result.complaints.empty());
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result.partial());
  options.origin = Origin::kTier;
  const CampaignResult softened = RunCampaign(plugin, options, kQuiet);
  EXPECT_EQ(softened.softened, 1u);
  EXPECT_EQ(softened.Count(Verdict::kPass), 2u);
  EXPECT_FALSE(softened.partial());
}

// diff_src_layer sums 4,104 terms that f16 has rounded; no data make that bound tight.
TEST(Campaign, ASoftenedGradientSumsFewChannels) {
  CampaignOptions options;
  options.problems = {
      ParseProblem("--prop=BWD_DW --alg=LBR_GRU --direction=concat --cfg=f16f32 --gain=0.05 "
                   "--seed=119906 l1t1mb1sic513slc6dhc513")};
  options.origin = Origin::kTier;
  const CampaignResult softened = RunCampaign(MutantPlugin(Mutation::kNoBug), options, kQuiet);
  EXPECT_EQ(softened.softened, 1u);
  EXPECT_EQ(softened.Count(Verdict::kPass), 1u);
}

TEST(Campaign, DrawsProblemsOfTheKindsThatAreServed) {
  CampaignOptions options;
  options.random_problems = 64;
  options.kinds = {KindOf(ParseProblem("--alg=VANILLA_LSTM sic3"))};
  const CampaignResult result = RunCampaign(MutantPlugin(Mutation::kNoBug), options, kQuiet);
  const auto lstm = result.categories.find({Cell::kLstm, Propagation::kForwardInference, Config::kF32});
  ASSERT_NE(lstm, result.categories.end());
  // Every eighth problem is of any kind.
  EXPECT_GE(lstm->second.count[0] + lstm->second.count[2], 56u);
  EXPECT_GT(result.categories.size(), 1u);
}

TEST(Campaign, DrawsLengthsOnlyForKindsThatAreServedWithThem) {
  const auto with_lengths = [](const CampaignResult& result, const char* cell) {
    uint64_t problems = 0;
    for (const auto& [pair, count] : result.pairs.counts()) {
      const bool lengths = pair.second.aspect == Aspect::kLengths && pair.second.value != 0;
      if (lengths && ToString(pair.first) == cell) problems += count;
    }
    return problems;
  };
  const Plugin plugin = MutantPlugin(Mutation::kNoBug);
  CampaignOptions options;
  options.random_problems = 64;
  options.scope.lengths_one_in = 2;
  options.scope.cells = {Cell::kLstm, Cell::kGru};
  EXPECT_EQ(with_lengths(RunCampaign(plugin, options, kQuiet), "lstm"), 0u);
  Coverage coverage(plugin);
  for (const ServedKind& kind : coverage.KindsWithLengths()) {
    if (kind.cell == Cell::kLstm) options.kinds_with_lengths.insert(kind);
  }
  const CampaignResult result = RunCampaign(plugin, options, kQuiet);
  EXPECT_GT(with_lengths(result, "lstm"), 10u);
  EXPECT_EQ(with_lengths(result, "gru"), 0u);
  EXPECT_EQ(coverage.KindsWithLengths().size(), coverage.Kinds().size());
}

TEST(Campaign, DrawsByteWeightsOnlyForKindsThatAreServedWithThem) {
  const auto of_bytes = [](const CampaignResult& result, Cell cell) {
    uint64_t problems = 0;
    for (const Config config : {Config::kF32w8, Config::kBf16w8, Config::kF32w8dyn}) {
      const auto found = result.categories.find({cell, Propagation::kForwardInference, config});
      if (found != result.categories.end()) problems += found->second.count[0];
    }
    return problems;
  };
  const Plugin plugin = MutantPlugin(Mutation::kNoBug);
  CampaignOptions options;
  options.random_problems = 64;
  options.scope.byte_weights_one_in = 1;
  options.scope.cells = {Cell::kLstm, Cell::kGru};
  EXPECT_EQ(of_bytes(RunCampaign(plugin, options, kQuiet), Cell::kLstm), 0u);
  for (const ServedKind& kind : Coverage(plugin).KindsWithByteWeights()) {
    if (kind.cell == Cell::kLstm) options.kinds_with_byte_weights.insert(kind);
  }
  // The kinds are three types of LSTM, plain, with peephole and with projection.
  EXPECT_EQ(options.kinds_with_byte_weights.size(), 9u);
  const CampaignResult result = RunCampaign(plugin, options, kQuiet);
  EXPECT_GT(of_bytes(result, Cell::kLstm), 3u);
  EXPECT_EQ(of_bytes(result, Cell::kGru), 0u);
}

// This plugin serves neither another cell nor a stack. Everything else that it serves must be judged.
TEST(Campaign, JudgesAllThatAPluginOfOneCellServes) {
  const auto judge = [](Mutation mutation) {
    Plugin plugin = MutantPlugin(mutation);
    plugin.environment.push_back("TANDEM_MUTANT_SERVES=OneLbrGru");
    plugin.claim = TableClaim::kPartial;
    CampaignOptions options;
    options.random_problems = 100;
    options.shrink_attempts = 0;
    options.after_complaint = AfterComplaint::kStop;
    DrawServedKinds(plugin, nullptr, &options);
    options.scope.propagations = {Propagation::kForwardInference};
    options.scope.lengths_one_in = 2;
    options.scope.byte_weights_one_in = 1;
    return RunCampaign(plugin, options, kQuiet);
  };
  const CampaignResult sound = judge(Mutation::kNoBug);
  EXPECT_TRUE(sound.complaints.empty());
  EXPECT_LE(sound.Count(Verdict::kNotSupported), 100u / 8 + 1) << "seven of eight have the one layer that it serves";
  for (const Mutation mutation :
       {Mutation::kRowEndsOneStepEarly, Mutation::kLbrScaleOnce, Mutation::kDynamicZeroPointKept}) {
    EXPECT_FALSE(judge(mutation).complaints.empty()) << InfoOf(mutation).name;
  }
}

TEST(Campaign, TiersStartWithSmallProblems) {
  const CampaignOptions options = OptionsFor(Tier::kQuick);
  for (size_t i = 1; i < options.problems.size(); ++i) {
    EXPECT_LE(CountOps(options.problems[i - 1]), CountOps(options.problems[i]));
  }
}

TEST(Campaign, ShortTiersLeaveOutTheLargestNetworks) {
  const auto has = [](Tier tier, const std::string& name) {
    const std::vector<ProblemSpec> problems = OptionsFor(tier).problems;
    return std::any_of(problems.begin(), problems.end(), [&](const ProblemSpec& spec) { return spec.name == name; });
  };
  EXPECT_TRUE(has(Tier::kFull, "DeepSpeech2, batch 1"));
  EXPECT_FALSE(has(Tier::kQuick, "DeepSpeech2, batch 1"));
  EXPECT_FALSE(has(Tier::kQuick, "DeepSpeech2 backward"));
  EXPECT_TRUE(has(Tier::kQuick, "GNMT encoder backward"));
  EXPECT_EQ(OptionsFor(Tier::kFull).problems.size() - OptionsFor(Tier::kQuick).problems.size(), 8u);
  EXPECT_EQ(OptionsFor(Tier::kQuick).left_out.size(), 8u);
  EXPECT_EQ(OptionsFor(Tier::kFull).left_out.size(), 0u);
}

TEST(Campaign, MayStopAtTheFirstComplaint) {
  CampaignOptions options;
  options.problems.assign(6, ParseProblem("--alg=VANILLA_LSTM l1t2mb2sic5"));
  const Plugin plugin = MutantPlugin(Mutation::kSwapGatesIF);
  EXPECT_EQ(RunCampaign(plugin, options, kQuiet).run, 6u);
  options.after_complaint = AfterComplaint::kStop;
  const CampaignResult stopped = RunCampaign(plugin, options, kQuiet);
  EXPECT_EQ(stopped.run, 1u);
  EXPECT_EQ(stopped.planned, 6u);
}

TEST(ReplayLine, NamesTheTarget) {
  CheckOptions options;
  options.target = "AVX2";
  const CheckedProblem checked = CheckProblem(MutantPlugin(Mutation::kNoBug), ParseProblem("sic4"), options);
  EXPECT_EQ(ReplayLine(checked), "./tandem check --impl=mutant:NoBug --target=AVX2 l1t1mb2sic4slc4dhc4dic4");
}

}  // namespace
}  // namespace tandem::conformance
