#include "conformance/problem/problem_notation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "api/core/error.h"

namespace tandem::conformance {
namespace {

std::string WriteFile(const std::string& name, const std::string& text) {
  const char* directory = std::getenv("TEST_TMPDIR");
  const std::string path = std::string(directory ? directory : ".") + "/" + name;
  std::ofstream(path) << text;
  return path;
}

std::string MessageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const NotationError& error) {
    return error.what();
  }
  return "no error";
}

ProblemSpec ArbitrarySpec() {
  const auto pick = [](int n) { return *rc::gen::inRange(0, n); };
  ProblemSpec spec;
  spec.cell = static_cast<Cell>(pick(6));
  spec.propagation = static_cast<Propagation>(pick(3));
  spec.direction = static_cast<Direction>(pick(4));
  spec.activation = static_cast<Activation>(pick(CountOf<Activation>()));
  spec.config = static_cast<Config>(pick(kNumConfigs));
  spec.src_tag = pick(2) ? "any" : "ntc";
  spec.weights_tag = pick(2) ? "ldgoi" : "any";
  spec.dst_tag = pick(2) ? "bac" : "any";
  spec.scaling = static_cast<QuantizationScaling>(pick(2));
  spec.projection_scaling = static_cast<QuantizationScaling>(pick(2));
  spec.flags = pick(2);
  spec.with_peephole = pick(2);
  spec.with_projection = pick(2);
  spec.fpmath = static_cast<FpmathMode>(pick(5));
  spec.scratchpad = static_cast<ScratchpadMode>(pick(2));
  spec.diff_weights_tag = pick(2) ? "ldgoi" : "any";
  spec.padding = pick(9);
  spec.misalign = pick(9);
  spec.wide_offsets = pick(2);
  spec.absent = (pick(2) << kBias) | (pick(2) << kSrcIter) | (pick(2) << kDstIterC);
  spec.reading = static_cast<Reading>(pick(2));
  spec.alpha = static_cast<float>(pick(1000)) / 7.f;
  spec.beta = static_cast<float>(pick(1000)) / 7.f;
  spec.data_scale = static_cast<float>(pick(1000)) / 3.f;
  spec.zero_point = static_cast<float>(pick(256));
  spec.data = static_cast<DataKind>(pick(kNumDataKinds));
  spec.gain = static_cast<float>(1 + pick(1000)) / 11.f;
  spec.seed = *rc::gen::arbitrary<uint64_t>();
  spec.l = pick(9);
  spec.t = pick(1000);
  spec.mb = pick(70);
  spec.sic = 1 + pick(70);
  spec.slc = pick(70);
  spec.dhc = pick(70);
  spec.dic = pick(70);
  if (pick(2)) spec.name = "a name with blanks";
  return spec;
}

RC_GTEST_PROP(ProblemNotation, WhatIsPrintedParsesToTheSameProblem, ()) {
  const ProblemSpec spec = ArbitrarySpec();
  RC_ASSERT(ParseProblem(PrintProblem(spec)) == spec);
}

TEST(ProblemNotation, ReadsTheLineOfTheDesignPage) {
  const ProblemSpec spec =
      ParseProblem("--alg=VANILLA_LSTM --direction=concat --cfg=bf16 l2_t3_mb5_sic16_slc20_dhc16n\"x\"");
  EXPECT_EQ(spec.cell, Cell::kLstm);
  EXPECT_EQ(spec.direction, Direction::kBidirectionalConcat);
  EXPECT_EQ(spec.config, Config::kBf16);
  EXPECT_EQ(spec.l, 2);
  EXPECT_EQ(spec.t, 3);
  EXPECT_EQ(spec.mb, 5);
  EXPECT_EQ(spec.slc, 20);
  EXPECT_EQ(spec.name, "x");
}

TEST(ProblemNotation, DefaultsAreBenchdnns) {
  ProblemSpec spec = ParseProblem("sic7");
  EXPECT_EQ(spec.l, 1);
  EXPECT_EQ(spec.t, 1);
  EXPECT_EQ(spec.mb, 2);
  EXPECT_EQ(spec.activation, Activation::kRelu);
  ResolveDims(&spec);
  EXPECT_EQ(spec.slc, 7);
  EXPECT_EQ(spec.dhc, 7);
  EXPECT_EQ(spec.dic, 7);
}

TEST(ProblemNotation, ListsOfValuesMultiply) {
  ProblemReader reader;
  for (const char* word : {"--prop=FWD_I,BWD_DW", "--direction=left2right,sum,concat", "--mb=0,4", "l1t2mb3sic4"}) {
    reader.ReadWord(word);
  }
  EXPECT_EQ(reader.problems().size(), 12u);
  EXPECT_EQ(reader.problems()[0].mb, 3);
  EXPECT_EQ(reader.problems()[11].mb, 4);
}

TEST(ProblemNotation, ResetForgetsOptionsAndOverrides) {
  ProblemReader reader;
  for (const char* word : {"--alg=LBR_GRU", "--t=9", "--reset", "sic4"}) reader.ReadWord(word);
  EXPECT_EQ(reader.problems()[0], ParseProblem("sic4"));
}

TEST(ProblemNotation, NestedBatchFilesAreFoundBesideTheFileThatNamesThem) {
  WriteFile("shapes", "l1t1mb1sic8  # a comment\n\nl2t2mb2sic8n\"two words\"\n");
  const std::string path =
      WriteFile("outer", "# all\n--reset --alg=VANILLA_GRU\n--batch=shapes\n--cfg=bf16\n--batch=shapes\n");
  ProblemReader reader;
  reader.ReadWord("--batch=" + path);
  ASSERT_EQ(reader.problems().size(), 4u);
  EXPECT_EQ(reader.problems()[1].name, "two words");
  EXPECT_EQ(reader.problems()[3].config, Config::kBf16);
  EXPECT_EQ(reader.problems()[3].cell, Cell::kGru);
}

TEST(ProblemNotation, UnknownKnobsOfABatchFileAreListedWithTheirLines) {
  const std::string path = WriteFile("knobs", "sic3\n--skip-nonlinear=true\n--frobnicate=1 sic4\n");
  ProblemReader reader;
  reader.ReadBatchFile(path);
  EXPECT_EQ(reader.problems().size(), 2u);
  ASSERT_EQ(reader.unknown_knobs().size(), 2u);
  EXPECT_EQ(reader.unknown_knobs()[0].where, path + ":2");
  EXPECT_EQ(reader.unknown_knobs()[0].word, "--skip-nonlinear=true");
  EXPECT_EQ(reader.unknown_knobs()[1].where, path + ":3");
}

TEST(ProblemNotation, ABadLineIsNamedByFileAndNumber) {
  const std::string path = WriteFile("bad", "sic3\n\n--alg=VANILLA_LSTN sic4\n");
  const std::string message = MessageOf([&] { ProblemReader().ReadBatchFile(path); });
  EXPECT_EQ(message.rfind(path + ":3: --alg=VANILLA_LSTN is none of:", 0), 0u) << message;
}

TEST(ProblemNotation, AnUnreadableFileIsNamedByTheLineThatAsksForIt) {
  const std::string path = WriteFile("missing", "sic3\n--batch=nowhere\n");
  const std::string message = MessageOf([&] { ProblemReader().ReadBatchFile(path); });
  EXPECT_EQ(message.rfind(path + ":2: cannot read batch file", 0), 0u) << message;
  EXPECT_NE(MessageOf([] { ProblemReader().ReadBatchFile("/"); }), "no error");
}

TEST(ProblemNotation, AFileThatIncludesItselfIsRefused) {
  const std::string path = WriteFile("ouroboros", "--batch=ouroboros\n");
  const std::string message = MessageOf([&] { ProblemReader().ReadBatchFile(path); });
  EXPECT_NE(message.find("includes itself"), std::string::npos) << message;
}

// A pipe can send such a text without end; this one is a file of blank lines that is included eight times.
TEST(ProblemNotation, BlankLinesWithoutEndAreRefused) {
  std::string blank, includes;
  for (int i = 0; i < 1000; ++i) blank += std::string(999, ' ') + "\n";
  WriteFile("blank", blank);
  for (int i = 0; i < 8; ++i) includes += "--batch=blank\n";
  const std::string path = WriteFile("includes", includes);
  const std::string message = MessageOf([&] { ProblemReader().ReadBatchFile(path); });
  EXPECT_NE(message.find(": batch files of more than 8000000 characters"), std::string::npos) << message;
}

TEST(ProblemNotation, WrongWordsAreRefusedWithAReason) {
  for (const char* words : {"l1t1", "sic", "sicx", "q4sic3", "sic3n\"open", "--alg=LSTM2 sic3", "--mb=x sic3",
                            "--seed=-1 sic3", "--pad=1.5 sic3", "--absent=weights_layer sic3", "--nonsense=1 sic3",
                            "--tag=tnc:xyz:tnc sic3", "sic99999999999999999999", "", "sic3 sic4"}) {
    EXPECT_NE(MessageOf([&] { ParseProblem(words); }), "no error") << words;
  }
}

// A thousand characters made as many problems as fit into memory.
TEST(ProblemNotation, ListsThatMultiplyToMoreThan100000ProblemsAreRefused) {
  std::string ones = "1";
  for (int i = 1; i < 64; ++i) ones += ",1";
  ProblemReader reader;
  for (const char* option : {"--mb=", "--gain=", "--alpha="}) reader.ReadWord(option + ones);
  const std::string message = MessageOf([&] { reader.ReadWord("sic3"); });
  EXPECT_NE(message.find("more than 100000 problems"), std::string::npos) << message;
  reader.ReadWord("--alpha=1");
  EXPECT_EQ(MessageOf([&] { reader.ReadWord("sic3"); }), "no error");
  EXPECT_EQ(reader.problems().size(), size_t{64} * 64);
}

// Each problem of a list has a copy of the name.
TEST(ProblemNotation, ANameOfAProblemIsShort) {
  const auto named = [](size_t size) { return "sic3n\"" + std::string(size, 'x') + "\""; };
  EXPECT_EQ(ParseProblem(named(900)).name.size(), 900u);
  EXPECT_EQ(MessageOf([&] { ParseProblem(named(1100)); }), "the name of a problem has more than 1000 characters");
}

// Each dim is within the notation's limit; the strides overflowed.
TEST(ProblemSpec, ATensorThatAnInt64CannotCountIsNoProblem) {
  const ProblemSpec spec = ParseProblem("t1mb1099511627776sic1099511627776");
  EXPECT_THROW(ToRnnProblem(spec), Error);
}

TEST(ProblemSpec, AbsentTensorsAndPaddingReachTheProblem) {
  const RnnProblem problem =
      ToRnnProblem(ParseProblem("--alg=VANILLA_LSTM --absent=bias+src_iter+src_iter_c --pad=3 --tag=ntc:ldgoi:tnc "
                                "l1t4mb5sic6slc7dhc6"));
  EXPECT_FALSE(problem.Has(kBias));
  EXPECT_FALSE(problem.Has(kSrcIterC));
  EXPECT_TRUE(problem.Has(kDstIterC));
  const Dim* src = Strides(problem.md[kSrcLayer]);
  EXPECT_EQ(src[2], 1);
  EXPECT_EQ(src[0], 10);
  EXPECT_EQ(src[1], 40);
  const Dim* weights = Strides(problem.md[kWeightsLayer]);
  EXPECT_EQ(weights[2], 1);
  EXPECT_EQ(weights[4], 7);
}

TEST(ProblemSpec, TheZeroPointIsTheSameByteInBothReadings) {
  for (const char* reading : {"spec", "onednn"}) {
    const RnnProblem problem = ToRnnProblem(
        ParseProblem(std::string("--alg=VANILLA_LSTM --cfg=u8u8u8u8 --zero-point=28 --reading=") + reading + " sic16"));
    const Attributes& attr = problem.attr;
    const float byte = attr.reading == Reading::kSpec ? attr.rnn_data_scale * attr.rnn_data_shift : attr.rnn_data_shift;
    EXPECT_NEAR(byte, 28.f, 1e-4f);
  }
}

}  // namespace
}  // namespace tandem::conformance
