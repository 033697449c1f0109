// The test runs tools/cross/problems.txt in one process. Each problem runs on the reference, and on the optimized backend for
// each target of the machine. The outputs are within the oracle's bounds and have the bits of tools/cross/problems.bits, which
// docs/numerics.md promises: one set of bits for all targets with a fused multiply-add, another one for those without.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/judge/verdict/check_bounds.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/tests/in_process.h"
#include "conformance/tests/optimized_targets.h"
#include "reference/backend.h"

namespace tandem::conformance {

void PrintTo(const ProblemSpec& spec, std::ostream* out) { *out << PrintProblem(spec); }

namespace {

std::vector<ProblemSpec> Problems() {
  ProblemReader reader;
  reader.ReadBatchFile("tools/cross/problems.txt");
  return reader.problems();
}

bool StartsWith(const std::string& text, const std::string& start) { return text.compare(0, start.size(), start) == 0; }

// Returns true if the target multiplies and adds in one operation. Emulated tiles extend AVX3_ZEN4 if the machine and the
// build have it, else the least target (kEmulations in target.cc).
bool IsFused(const std::string& target) {
#if defined(__x86_64__)
  const std::vector<std::string> names = TargetsOfThisMachine();
  if (target == "AMX_EMULATED") return std::find(names.begin(), names.end(), "AVX3_ZEN4") != names.end();
#endif
  return !StartsWith(target, "SSE") && !StartsWith(target, "SSSE") && target != "WASM" && target != "EMU128";
}

// Returns true if the target has an instruction that adds products of bf16 in an order of its own.
bool AddsInItsOwnOrder(const std::string& target) { return target == "AVX3_ZEN4" || StartsWith(target, "AMX"); }

// Reads lines that have a class, a hash and a problem.
std::map<std::string, std::string> ExpectedBits() {
  std::map<std::string, std::string> bits;
  std::ifstream file("tools/cross/problems.bits");
  std::string bits_class, hash, problem;
  while (file >> bits_class >> hash && std::getline(file, problem)) bits[bits_class + problem] = hash;
  return bits;
}

// Returns FNV-1a of the bytes of all outputs, in a backward problem also of its forward's.
std::string HashOf(const RnnProblem& problem, const TensorSet& outputs) {
  uint64_t hash = 0xcbf29ce484222325;
  for (int t = 0; t < kNumTensors; ++t) {
    const auto tensor = static_cast<Tensor>(t);
    const bool written = problem.Has(tensor) &&
                         (IsOutput(problem, tensor) || (problem.IsBackward() && IsOutput(ForwardOf(problem), tensor)));
    if (!written) continue;
    for (const uint8_t byte : outputs[tensor].bytes()) hash = (hash ^ byte) * 0x100000001b3;
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

// Writes the bits of this run in the form of problems.bits.
void Record(const std::string& line) {
  const char* const folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (folder != nullptr) std::ofstream(folder + std::string("/problems.bits"), std::ios::app) << line << "\n";
}

struct Case {
  explicit Case(const ProblemSpec& given)
      : spec(given), problem(ToRnnProblem(given)), words(" " + PrintProblem(given)) {}
  const ProblemSpec& spec;
  RnnProblem problem;
  std::string words;
};

// Runs the case, holds the outputs to the oracle unless others with the same bits were, and returns their hash.
std::string RunConforming(const Case& given, RnnFactory factory) {
  TensorSet inputs(given.problem);
  FillInputs(given.spec, given.problem, &inputs);
  TensorSet outputs = inputs;
  const RunResult run = InProcess(factory)(given.problem, &outputs);
  EXPECT_EQ(run.status, RunStatus::kOk) << run.message;
  const std::string hash = HashOf(given.problem, outputs);
  static std::set<std::string> conforming;
  if (!conforming.insert(hash + given.words).second) return hash;
  if (given.problem.IsBackward()) TakeForwardOutputs(outputs, &inputs);
  const ProblemReport report = CheckBounds({given.problem, inputs, outputs}, Declaration());
  EXPECT_EQ(report.rows.size(), Outputs(given.problem).size());
  for (const TensorReport& row : report.rows) {
    EXPECT_LT(row.outcome.verdict(), Verdict::kFail) << ToString(row, given.spec.cell);
  }
  return hash;
}

enum class Bits { kOfTheClass, kAny };

void ExpectBits(const std::string& bits_class, const std::string& hash, const Case& given, Bits bits) {
  Record(bits_class + " " + hash + given.words);
  static const std::map<std::string, std::string> expected = ExpectedBits();
  const auto line = expected.find(bits_class + given.words);
  ASSERT_TRUE(line != expected.end()) << "tools/cross/problems.bits does not have it";
  if (bits == Bits::kOfTheClass) {
    EXPECT_EQ(hash, line->second) << "other bits than those of the class " << bits_class;
  }
}

class OnTargets : public testing::TestWithParam<std::tuple<std::string, ProblemSpec>> {};

TEST_P(OnTargets, HasTheBitsOfItsClass) {
  const std::string target = std::get<0>(GetParam());
  Case given(std::get<1>(GetParam()));
  SCOPED_TRACE(target + given.words);
  const ForcedTarget forced(target);
  const std::string bits_class = IsFused(target) ? "fused" : "unfused";
  const bool own_order = AddsInItsOwnOrder(target) && TypeOf(given.problem.md[kWeightsLayer]) == DataType::kBf16;
  if (own_order) RunConforming(given, &CreateOptimized);
  given.problem.attr.deterministic = own_order;
  ExpectBits(bits_class, RunConforming(given, &CreateOptimized), given, Bits::kOfTheClass);
  for (const char* division : {"2x1x1", "1x2x1", "1x1x2"}) {
    SCOPED_TRACE(division);
    const ScopedVariable imposed("TANDEM_DIVISION", division);
    ExpectBits(bits_class, RunConforming(given, &CreateOptimized), given, Bits::kOfTheClass);
  }
}

class OnReference : public testing::TestWithParam<ProblemSpec> {};

// The reference has the bits of x86-64 without fused multiply-adds, and of WebAssembly.
TEST_P(OnReference, HasTheBitsOfX86) {
  const Case given(GetParam());
  SCOPED_TRACE(given.words);
#if defined(__x86_64__) || defined(__wasm__)
  constexpr Bits kBits = Bits::kOfTheClass;
#else
  constexpr Bits kBits = Bits::kAny;
#endif
  ExpectBits("reference", RunConforming(given, &reference::CreateRnn), given, kBits);
}

INSTANTIATE_TEST_SUITE_P(optimized, OnTargets,
                         testing::Combine(testing::ValuesIn(TargetsOfThisMachine()), testing::ValuesIn(Problems())),
                         [](const auto& info) { return std::to_string(info.index) + "_" + std::get<0>(info.param); });
INSTANTIATE_TEST_SUITE_P(reference, OnReference, testing::ValuesIn(Problems()),
                         [](const auto& info) { return std::to_string(info.index); });

}  // namespace
}  // namespace tandem::conformance
