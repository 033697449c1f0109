// tools/cross/problems.txt in one process, for platforms that are slow or have no other: each problem on both
// implementations, within the oracle's bounds and, where the vectors are those of SSE4, with the bits of
// tools/cross/problems.bits.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "conformance/judge/verdict/check_bounds.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/tests/in_process.h"
#include "conformance/tests/optimized_targets.h"
#include "reference/backend.h"

namespace tandem::conformance {
namespace {

std::vector<ProblemSpec> Problems() {
  ProblemReader reader;
  reader.ReadBatchFile("tools/cross/problems.txt");
  return reader.problems();
}

// Of vectors of 128 bits without fused multiply-adds.
bool HasBitsOfSse4() {
#ifdef __wasm__
  return true;
#else
  const char* const target = std::getenv("TANDEM_TARGET");
  return target != nullptr && std::string(target).compare(0, 3, "SSE") == 0;
#endif
}

// Lines of an implementation, a hash and a problem.
std::map<std::string, std::string> ExpectedBits() {
  std::map<std::string, std::string> bits;
  std::ifstream file("tools/cross/problems.bits");
  std::string implementation, hash, problem;
  while (file >> implementation >> hash && std::getline(file, problem)) bits[implementation + problem] = hash;
  return bits;
}

// FNV-1a of the bytes of all outputs; of a backward problem, also of its forward's.
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

// What this run has got, in the form of problems.bits.
void Record(const std::string& line) {
  const char* const folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (folder != nullptr) std::ofstream(folder + std::string("/problems.bits"), std::ios::app) << line << "\n";
}

class ProblemList : public testing::TestWithParam<ProblemSpec> {
 protected:
  void ExpectConforming(const std::string& implementation, RnnFactory factory) const {
    const ProblemSpec& spec = GetParam();
    const RnnProblem problem = ToRnnProblem(spec);
    TensorSet inputs(problem);
    FillInputs(spec, problem, &inputs);
    TensorSet outputs = inputs;
    const RunResult run = InProcess(factory)(problem, &outputs);
    ASSERT_EQ(run.status, RunStatus::kOk) << run.message;
    if (problem.IsBackward()) TakeForwardOutputs(outputs, &inputs);
    const ProblemReport report = CheckBounds({problem, inputs, outputs}, Declaration());
    EXPECT_EQ(report.rows.size(), Outputs(problem).size());
    for (const TensorReport& row : report.rows) {
      EXPECT_LT(row.outcome.verdict(), Verdict::kFail) << ToString(row, spec.cell);
    }
    const std::string words = " " + PrintProblem(spec), hash = HashOf(problem, outputs);
    Record(implementation + " " + hash + words);
    static const std::map<std::string, std::string> expected = ExpectedBits();
    const auto bits = expected.find(implementation + words);
    ASSERT_TRUE(bits != expected.end()) << "tools/cross/problems.bits does not have it";
    if (HasBitsOfSse4()) {
      EXPECT_EQ(hash, bits->second) << "other bits than those of x86-64";
    }
  }
};

TEST_P(ProblemList, Conforms) {
  SCOPED_TRACE(PrintProblem(GetParam()));
  const std::string suite = testing::UnitTest::GetInstance()->current_test_info()->test_suite_name();
  const bool is_reference = suite.compare(0, 9, "reference") == 0;
  ExpectConforming(is_reference ? "reference" : "optimized", is_reference ? &reference::CreateRnn : &CreateOptimized);
}

INSTANTIATE_TEST_SUITE_P(optimized, ProblemList, testing::ValuesIn(Problems()));
INSTANTIATE_TEST_SUITE_P(reference, ProblemList, testing::ValuesIn(Problems()));

}  // namespace
}  // namespace tandem::conformance
