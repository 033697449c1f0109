#include "conformance/pages/complaint_groups.h"

#include <gtest/gtest.h>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

// Adds a judgement of `words`. If it fails, it is a complaint whose first wrong element is in row `n`.
void Add(const std::string& words, Verdict verdict, Dim n, CampaignResult* result) {
  CheckedProblem checked;
  checked.spec = ParseProblem(words);
  checked.position = result->run++;
  checked.outcome.Worsen(verdict);
  result->pairs.Add(checked.spec);
  if (verdict < Verdict::kFail) return;
  TensorReport row;
  row.tensor = kDstLayer;
  row.outcome.Worsen(verdict);
  row.has_departure = true;
  row.first.n = n;
  checked.report.Add(row);
  result->complaints.push_back(checked);
}

TEST(ComplaintGroups, NamesThePairThatFailsAndWhatElseIsAlike) {
  CampaignResult result;
  for (const char* rows : {"mb9", "mb17", "mb25"}) {
    const std::string shape = std::string(" l1t2") + rows + "sic6";
    Add("--alg=VANILLA_GRU" + shape, Verdict::kFail, std::stoi(rows + 2) - 1, &result);
    Add("--alg=VANILLA_LSTM" + shape, Verdict::kPass, 0, &result);
  }
  for (const char* rows : {"mb1", "mb1", "mb1"}) {
    Add(std::string("--alg=VANILLA_GRU l1t2") + rows + "sic6", Verdict::kPass, 0, &result);
  }
  const std::vector<ComplaintGroup> groups = GroupComplaints(result);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].features, "gru, N > 1");
  EXPECT_EQ(groups[0].failed, 3u);
  EXPECT_EQ(groups[0].judged, 3u);
  for (const char* fact : {"N % 8 = 1", "in the last row", "first wrong in dst_layer", "dhc % 16 = 6"}) {
    EXPECT_NE(groups[0].common.find(fact), std::string::npos) << fact << ": " << groups[0].common;
  }
  // The features or a larger divisor say these facts, or only some complaints have them.
  for (const char* fact : {"gru", "N % 4", "N % 16", "dhc % 8"}) {
    EXPECT_EQ(groups[0].common.find(fact), std::string::npos) << fact << ": " << groups[0].common;
  }
  EXPECT_EQ(ToString(groups[0]).find("3 complaints: gru, N > 1 (3 of 3 judged fail); all: "), 0u)
      << ToString(groups[0]);
}

// Judges LSTM and GRU with rows 1 to 24 and steps 1 to 6. Those fail for which `fails(rows, steps)` is true.
template <class Fails>
CampaignResult JudgedSizes(const Fails& fails) {
  CampaignResult result;
  for (const char* cell : {"VANILLA_LSTM", "VANILLA_GRU"}) {
    for (const int rows : {1, 3, 8, 9, 16, 17, 24}) {
      for (int steps = 1; steps <= 6; ++steps) {
        const std::string words =
            std::string("--alg=") + cell + " l2t" + std::to_string(steps) + "mb" + std::to_string(rows) + "sic6";
        Add(words, fails(rows, steps) ? Verdict::kFail : Verdict::kPass, 0, &result);
      }
    }
  }
  return result;
}

TEST(ComplaintGroups, NamesTailsOfRowsAndOddSteps) {
  const std::vector<ComplaintGroup> tails = GroupComplaints(JudgedSizes([](int rows, int) { return rows % 8 != 0; }));
  ASSERT_EQ(tails.size(), 1u);
  EXPECT_EQ(tails[0].features, "N % 8 > 0");
  EXPECT_EQ(tails[0].judged, tails[0].failed);
  const std::vector<ComplaintGroup> odd = GroupComplaints(JudgedSizes([](int, int steps) { return steps % 2 != 0; }));
  ASSERT_EQ(odd.size(), 1u);
  EXPECT_EQ(odd[0].features, "T odd");
  const auto both = [](int rows, int steps) { return rows % 8 != 0 && steps % 2 == 0; };
  EXPECT_EQ(GroupComplaints(JudgedSizes(both))[0].features, "N % 8 > 0, T even");
}

TEST(ComplaintGroups, NamesUpperLayers) {
  CampaignResult result = JudgedSizes([](int, int) { return true; });
  EXPECT_EQ(GroupComplaints(result)[0].common.find("in an upper layer"), std::string::npos);
  for (CheckedProblem& complaint : result.complaints) complaint.report.rows[0].first.l = 1;
  EXPECT_NE(GroupComplaints(result)[0].common.find("in an upper layer"), std::string::npos);
}

TEST(ComplaintGroups, OneFeatureIsSaidBeforeTwo) {
  CampaignResult result;
  for (const char* cell : {"VANILLA_GRU", "VANILLA_LSTM"}) {
    Add(std::string("--cfg=bf16f32 --alg=") + cell + " l1t2mb2sic6", Verdict::kCrash, 0, &result);
    Add(std::string("--alg=") + cell + " l1t2mb2sic6", Verdict::kPass, 0, &result);
  }
  const std::vector<ComplaintGroup> groups = GroupComplaints(result);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].features, "bf16f32");
}

TEST(ComplaintGroups, TwoFailuresAreTwoGroupsAndWhatIsAloneComesLast) {
  CampaignResult result;
  for (int i = 0; i < 3; ++i) Add("--alg=LBR_GRU --direction=sum l1t2mb2sic6", Verdict::kFail, 0, &result);
  for (int i = 0; i < 2; ++i) Add("--alg=VANILLA_LSTM --cfg=bf16f32 l1t7mb2sic6", Verdict::kFail, 0, &result);
  for (const char* passing :
       {"--alg=LBR_GRU --cfg=bf16f32 l1t2mb2sic6", "--alg=VANILLA_RNN --direction=sum l1t2mb2sic6",
        "--alg=VANILLA_LSTM l1t7mb2sic6", "--alg=VANILLA_LSTM --cfg=bf16f32 l1t2mb2sic6",
        "--alg=VANILLA_GRU l1t7mb2sic6", "--alg=VANILLA_GRU l1t7mb2sic6"}) {
    for (int i = 0; i < 20; ++i) Add(passing, Verdict::kPass, 0, &result);
  }
  Add("--alg=VANILLA_GRU l1t7mb2sic6", Verdict::kFail, 0, &result);
  const std::vector<ComplaintGroup> groups = GroupComplaints(result);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].complaints.size(), 3u);
  EXPECT_EQ(groups[1].complaints.size(), 2u);
  EXPECT_EQ(groups[2].features, "");
  EXPECT_EQ(ToString(groups[2]), "1 complaint that no pair of features explains");
}

}  // namespace
}  // namespace tandem::conformance
