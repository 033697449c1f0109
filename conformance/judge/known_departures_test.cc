#include "conformance/judge/known_departures.h"

#include <gtest/gtest.h>

#include <limits>

#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

CheckedProblem Found(Verdict verdict, const std::string& problem, Finding finding = Finding::kNone) {
  CheckedProblem checked;
  checked.spec = ParseProblem(problem);
  ResolveDims(&checked.spec);
  checked.outcome.Worsen(verdict);
  checked.finding = finding;
  return checked;
}

// Returns the same with one wrong element of dst_layer.
CheckedProblem Departing(CheckedProblem found, Dim n, Dim unit, double got, double want) {
  TensorReport row;
  row.outcome.Worsen(Verdict::kFail);
  row.has_departure = true;
  row.first.n = n;
  row.first.unit = unit;
  row.got = got;
  row.want = want;
  found.report.Add(row);
  return found;
}

KnownDepartures Known(const std::string& patterns) {
  return KnownDepartures("implementation vendor 1.2\n" + patterns, "file");
}

TEST(KnownDepartures, ExplainWhatFitsTheWholePattern) {
  const KnownDepartures known = Known("wide FAIL --alg=VANILLA_GRU,LBR_* --cfg=bf16 dhc>=32 t<=2 slc=odd");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=VANILLA_GRU --cfg=bf16 t2sic32slc33")), "wide");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=LBR_AUGRU --cfg=bf16 sic32slc33")), "wide");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=VANILLA_AUGRU --cfg=bf16 sic32slc33")), "");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=VANILLA_GRU --cfg=bf16f32 sic32slc33")), "");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=VANILLA_GRU --cfg=bf16 sic31slc33")), "");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=VANILLA_GRU --cfg=bf16 t3sic32slc33")), "");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=VANILLA_GRU --cfg=bf16 sic32slc34")), "");
}

TEST(KnownDepartures, CompareOneDimensionWithAnother) {
  const KnownDepartures known = Known("wide FAIL dic>4dhc");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=VANILLA_LSTM sic21dhc5dic21")), "wide");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=VANILLA_LSTM sic20dhc5dic20")), "");
}

TEST(KnownDepartures, ExplainOnlyWhatDepartsAtTheirPlaceAndInTheirDirection) {
  const KnownDepartures known = Known("id FAIL first_n>=4 first_unit<=15 got>want");
  const CheckedProblem found = Found(Verdict::kFail, "mb8sic32");
  EXPECT_EQ(known.Explain(found), "") << "nothing departs";
  EXPECT_EQ(known.Explain(Departing(found, 4, 15, 1, 0)), "id");
  EXPECT_EQ(known.Explain(Departing(found, 3, 15, 1, 0)), "");
  EXPECT_EQ(known.Explain(Departing(found, 4, 16, 1, 0)), "");
  EXPECT_EQ(known.Explain(Departing(found, 4, 15, 0, 1)), "");
}

TEST(KnownDepartures, ExplainOnlyTheVerdictsThatTheyName) {
  const KnownDepartures known = Known("fails FAIL,NONDETERMINISTIC sic=3\ncrashes CRASH sic=3 finding=exit,guard-page");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "sic3")), "fails");
  EXPECT_EQ(known.Explain(Found(Verdict::kNondeterministic, "sic3")), "fails");
  EXPECT_EQ(known.Explain(Found(Verdict::kTimeout, "sic3")), "");
  EXPECT_EQ(known.Explain(Found(Verdict::kCrash, "sic3", Finding::kGuardPage)), "crashes");
  EXPECT_EQ(known.Explain(Found(Verdict::kCrash, "sic3", Finding::kSignal)), "");
}

// Returns a failed problem whose complaint quotes `row`.
CheckedProblem FoundRow(TensorReport row) {
  CheckedProblem checked = Found(Verdict::kFail, "sic3");
  checked.report.Add(TensorReport());
  row.outcome.Worsen(Verdict::kFail);
  checked.report.Add(row);
  return checked;
}

TEST(KnownDepartures, AskForTheTensorAndTheKindOfTheComplaint) {
  const KnownDepartures known = Known("bias FAIL tensor=diff_bias kind=chained");
  TensorReport row;
  row.tensor = kDiffBias;
  row.kind = CheckKind::kChained;
  EXPECT_EQ(known.Explain(FoundRow(row)), "bias");
  CheckedProblem outside = FoundRow(row);
  outside.finding = Finding::kCanary;
  EXPECT_EQ(known.Explain(outside), "") << "the complaint is about a canary, and quotes no row";
  row.kind = CheckKind::kFreeRunning;
  EXPECT_EQ(known.Explain(FoundRow(row)), "");
  row.kind = CheckKind::kChained;
  row.tensor = kDiffSrcIter;
  EXPECT_EQ(known.Explain(FoundRow(row)), "");
}

TEST(KnownDepartures, AreOfCertainCpus) {
  const KnownDepartures known = Known("everywhere FAIL sic=3\nold FAIL cpu=sse41,avx* sic=4");
  EXPECT_EQ(known.On("avx2").Explain(Found(Verdict::kFail, "sic4")), "old");
  EXPECT_EQ(known.On("sse2").Explain(Found(Verdict::kFail, "sic4")), "");
  EXPECT_EQ(known.On("").Explain(Found(Verdict::kFail, "sic4")), "");
  EXPECT_EQ(known.On("").Explain(Found(Verdict::kFail, "sic3")), "everywhere");
  EXPECT_EQ(known.On("sse2").Ids(), std::vector<std::string>{"everywhere"});
}

TEST(KnownDepartures, TellANanMadeFromANanLost) {
  const KnownDepartures known = Known("made FAIL nan=made\nlost FAIL nan=lost");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto found = [&](double got, double want) {
    TensorReport row;
    row.has_departure = true;
    row.got = got, row.want = want;
    return known.Explain(FoundRow(row));
  };
  EXPECT_EQ(found(nan, 1), "made");
  EXPECT_EQ(found(1, nan), "lost");
  EXPECT_EQ(found(1, 2), "");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "sic3", Finding::kGap)), "");
}

TEST(KnownDepartures, AreOfOneVersionOfOneImplementation) {
  const KnownDepartures known = Known("a FAIL sic=3\nb FAIL sic=4\na FAIL sic=5");
  EXPECT_TRUE(known.IsAbout("vendor", "1.2"));
  EXPECT_FALSE(known.IsAbout("vendor", "1.3"));
  EXPECT_FALSE(known.IsAbout("other", "1.2"));
  EXPECT_EQ(known.Ids(), (std::vector<std::string>{"a", "b"}));
}

std::string Complaint(const std::string& patterns) {
  try {
    Known(patterns);
  } catch (const NotationError& error) {
    return error.what();
  }
  return "";
}

TEST(KnownDepartures, RejectWhatWouldExcuseEverythingOrNothing) {
  EXPECT_EQ(Complaint("all FAIL"), "file:2: \"all\" needs a verdict and a condition");
  EXPECT_EQ(Complaint("\nid PASS sic=3"), "file:3: \"PASS\" is none of FAIL, NONDETERMINISTIC, TIMEOUT, CRASH");
  EXPECT_EQ(Complaint("id FAIL cpu=avx2"), "file:2: \"id\" needs a condition beside cpu=");
  EXPECT_EQ(Complaint("id FAIL finding=crash"), "file:2: \"crash\" is no finding");
  EXPECT_EQ(Complaint("id FAIL tensor=weights"), "file:2: \"weights\" is no tensor");
  EXPECT_EQ(Complaint("id FAIL kind=quick"), "file:2: \"quick\" is no kind of check");
  EXPECT_EQ(Complaint("id FAIL --colour=red"), "file:2: \"--colour=red\" names no option of a problem");
  for (const char* word : {"dhc", "dhc>32", "dhc>=", "dhc>=x", "dhc=even", "dic>4", "dic>4k", "dic>dhc",
                           "dic>9223372036854775807dhc", "k=3", "sic<<3", "nan=yes"}) {
    EXPECT_EQ(Complaint(std::string("id FAIL ") + word), "file:2: \"" + std::string(word) + "\" is no condition");
  }
  EXPECT_EQ(Complaint("id FAIL sic=3" + std::string(4000, ' ')), "file:2: is longer than 4000 characters");
  EXPECT_THROW(KnownDepartures("id FAIL sic=3", "file"), NotationError);
  EXPECT_THROW(KnownDepartures("", "file"), NotationError);
}

TEST(KnownDepartures, OfOnednnCanBeRead) {
  const KnownDepartures known =
      KnownDepartures::FromFile(RunfilePath("conformance/judge/known_departures/onednn_2.6.3.txt"));
  EXPECT_TRUE(known.IsAbout("onednn", "2.6.3"));
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=VANILLA_GRU --cfg=bf16 sic32")), "gru-bf16-bias");
  EXPECT_EQ(known.Explain(Found(Verdict::kFail, "--alg=VANILLA_GRU --cfg=bf16 sic31")), "");
  const CheckedProblem u8 = Found(Verdict::kFail, "--alg=VANILLA_LSTM --cfg=f32u8f32u8 sic31");
  EXPECT_EQ(known.On("avx2").Explain(u8), "pairs-saturate");
  EXPECT_EQ(known.On("avx512_core_vnni").Explain(u8), "");
}

TEST(KnownDepartures, OfOnednn3CanBeRead) {
  const KnownDepartures known =
      KnownDepartures::FromFile(RunfilePath("conformance/judge/known_departures/onednn_3.13.1.txt"));
  EXPECT_TRUE(known.IsAbout("onednn", "3.13.1"));
  const auto explain = [&](const std::string& problem, Dim row) {
    return known.Explain(Departing(Found(Verdict::kFail, problem), row, 0, 1, 0));
  };
  EXPECT_EQ(explain("--alg=LBR_AUGRU mb16sic3", 4), "attention-of-other-rows");
  // Row 1 is wrong, too, because blocks have one row when 128 rows of 512 channels run on 16 threads.
  EXPECT_EQ(explain("--alg=LBR_AUGRU mb16sic3", 1), "attention-of-other-rows");
  EXPECT_EQ(explain("--alg=LBR_AUGRU mb16sic3", 0), "");
  EXPECT_EQ(explain("--alg=LBR_AUGRU mb15sic3", 4), "");
  EXPECT_EQ(explain("--alg=LBR_AUGRU --prop=FWD_D mb16sic3", 4), "");
}

TEST(KnownDepartures, OfDebian13sOnednnCanBeRead) {
  const KnownDepartures known =
      KnownDepartures::FromFile(RunfilePath("conformance/judge/known_departures/onednn_3.7.2.txt"));
  EXPECT_TRUE(known.IsAbout("onednn", "3.7.2"));
  const auto explain = [&](const std::string& problem, const std::string& isa) {
    return known.On(isa).Explain(Departing(Found(Verdict::kFail, problem), 1, 0, 1, 0));
  };
  EXPECT_EQ(explain("--alg=VANILLA_GRU mb2sic1", "avx512_core"), "one-channel");
  EXPECT_EQ(explain("--alg=VANILLA_GRU mb2sic1", "avx2"), "");
  EXPECT_EQ(explain("--alg=VANILLA_GRU mb2sic2", "avx512_core"), "");
  EXPECT_EQ(explain("--alg=LBR_GRU mb2sic1", "avx512_core"), "");
}

}  // namespace
}  // namespace tandem::conformance
