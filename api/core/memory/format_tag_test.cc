#include "api/core/memory/format_tag.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "api/core/error.h"

namespace tandem {
namespace {

// Lists the numbers between `any` and `last` that are plain layouts. The others are blocked layouts of oneDNN.
std::vector<std::string> Permutations() {
  std::vector<std::string> permutations;
  for (int i = dnnl_format_tag_any + 1; i < dnnl_format_tag_last; ++i) {
    const char* permutation = PermutationOf(static_cast<dnnl_format_tag_t>(i));
    if (permutation != nullptr) permutations.push_back(permutation);
  }
  return permutations;
}

TEST(FormatTag, EveryEnumeratorIsAPermutationOfTheFirstLetters) {
  const std::string alphabet = "abcdefghijkl";
  for (const std::string& permutation : Permutations()) {
    std::string sorted = permutation;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, alphabet.substr(0, sorted.size())) << permutation;
  }
}

TEST(FormatTag, NoTwoEnumeratorsNameOneLayout) {
  const std::vector<std::string> permutations = Permutations();
  EXPECT_EQ(std::set<std::string>(permutations.begin(), permutations.end()).size(), permutations.size());
}

TEST(FormatTag, UndefAnyAndStrayNumbersHaveNoPermutation) {
  EXPECT_EQ(PermutationOf(dnnl_format_tag_undef), nullptr);
  EXPECT_EQ(PermutationOf(dnnl_format_tag_any), nullptr);
  EXPECT_EQ(PermutationOf(dnnl_format_tag_last), nullptr);
}

// The dims of an RNN alias, spelled in the letters of the tensor's logical order.
std::string Spell(const std::string& alias, const std::string& logical) {
  std::string letters;
  for (const char c : alias) letters += static_cast<char>('a' + logical.find(c));
  return letters;
}

TEST(FormatTag, RnnAliasesSpellTheirOwnOrder) {
  EXPECT_EQ(PermutationOf(dnnl_tnc), Spell("tnc", "tnc"));
  EXPECT_EQ(PermutationOf(dnnl_ntc), Spell("ntc", "tnc"));
  EXPECT_EQ(PermutationOf(dnnl_ldnc), Spell("ldnc", "ldnc"));
  EXPECT_EQ(PermutationOf(dnnl_ldigo), Spell("ldigo", "ldigo"));
  EXPECT_EQ(PermutationOf(dnnl_ldgoi), Spell("ldgoi", "ldigo"));
  EXPECT_EQ(PermutationOf(dnnl_ldio), Spell("ldio", "ldio"));
  EXPECT_EQ(PermutationOf(dnnl_ldoi), Spell("ldoi", "ldio"));
  EXPECT_EQ(PermutationOf(dnnl_ldgo), Spell("ldgo", "ldgo"));
}

TEST(FormatTag, CnnAliasesSpellTheirOwnOrder) {
  EXPECT_EQ(PermutationOf(dnnl_nhwc), Spell("nhwc", "nchw"));
  EXPECT_EQ(PermutationOf(dnnl_chwn), Spell("chwn", "nchw"));
  EXPECT_EQ(PermutationOf(dnnl_ndhwc), Spell("ndhwc", "ncdhw"));
  EXPECT_EQ(PermutationOf(dnnl_wio), Spell("wio", "oiw"));
  EXPECT_EQ(PermutationOf(dnnl_iwo), Spell("iwo", "oiw"));
  EXPECT_EQ(PermutationOf(dnnl_hwio), Spell("hwio", "oihw"));
  EXPECT_EQ(PermutationOf(dnnl_ohwi), Spell("ohwi", "oihw"));
  EXPECT_EQ(PermutationOf(dnnl_ihwo), Spell("ihwo", "oihw"));
  EXPECT_EQ(PermutationOf(dnnl_iohw), Spell("iohw", "oihw"));
  EXPECT_EQ(PermutationOf(dnnl_dhwio), Spell("dhwio", "oidhw"));
  EXPECT_EQ(PermutationOf(dnnl_odhwi), Spell("odhwi", "oidhw"));
  EXPECT_EQ(PermutationOf(dnnl_iodhw), Spell("iodhw", "oidhw"));
  EXPECT_EQ(PermutationOf(dnnl_idhwo), Spell("idhwo", "oidhw"));
  EXPECT_EQ(PermutationOf(dnnl_wigo), Spell("wigo", "goiw"));
  EXPECT_EQ(PermutationOf(dnnl_gowi), Spell("gowi", "goiw"));
  EXPECT_EQ(PermutationOf(dnnl_hwigo), Spell("hwigo", "goihw"));
  EXPECT_EQ(PermutationOf(dnnl_giohw), Spell("giohw", "goihw"));
  EXPECT_EQ(PermutationOf(dnnl_gohwi), Spell("gohwi", "goihw"));
  EXPECT_EQ(PermutationOf(dnnl_giodhw), Spell("giodhw", "goidhw"));  // the specification writes abcdef by mistake
  EXPECT_EQ(PermutationOf(dnnl_godhwi), Spell("godhwi", "goidhw"));
  EXPECT_EQ(PermutationOf(dnnl_dhwigo), Spell("dhwigo", "goidhw"));
  EXPECT_EQ(PermutationOf(dnnl_woi), Spell("woi", "oiw"));
  EXPECT_EQ(PermutationOf(dnnl_hwoi), Spell("hwoi", "oihw"));
  EXPECT_EQ(PermutationOf(dnnl_dhwoi), Spell("dhwoi", "oidhw"));
  EXPECT_EQ(PermutationOf(dnnl_gwio), Spell("gwio", "goiw"));
  EXPECT_EQ(PermutationOf(dnnl_ghwio), Spell("ghwio", "goihw"));
  EXPECT_EQ(PermutationOf(dnnl_gdhwio), Spell("gdhwio", "goidhw"));
}

TEST(MakeTagged, LdgoiPutsTheInputChannelsInnermost) {
  const MemoryDesc md = MakeTagged({2, 1, 5, 4, 3}, DataType::kF32, dnnl_ldgoi);
  EXPECT_EQ(Dims(Strides(md), Strides(md) + 5), (Dims{60, 60, 1, 15, 5}));
}

TEST(MakeTagged, UndefAndNoDimsAreZeroDescriptors) {
  EXPECT_TRUE(IsZero(MakeTagged({2, 3}, DataType::kF32, dnnl_format_tag_undef)));
  EXPECT_TRUE(IsZero(MakeTagged({}, DataType::kF32, dnnl_ab)));
}

TEST(MakeTagged, RefusesARankThatIsNotTheTags) { EXPECT_THROW(MakeTagged({2, 3}, DataType::kF32, dnnl_abc), Error); }

TEST(MakeTagged, SaysThatABlockedLayoutIsOneDnns) {
  const auto blocked = static_cast<dnnl_format_tag_t>(dnnl_abcdefghijlk + 1);
  try {
    MakeTagged({2, 3}, DataType::kF32, blocked);
    FAIL() << "made a descriptor of a layout that does not exist here";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), dnnl_unimplemented);
  }
}

TEST(MakeTagged, RefusesANumberThatIsNoTag) {
  EXPECT_THROW(MakeTagged({2, 3}, DataType::kF32, dnnl_format_tag_last), Error);
}

}  // namespace
}  // namespace tandem
