// reference/cells/README.md, which says how to read a cell: it explains every operation that a cell uses, and its numbers
// are those of the code.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "reference/numerics/numerics_int8.h"
#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {
namespace {

constexpr char kGuide[] = "reference/cells/README.md";

std::string ReadAll(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

// The first group of every match.
std::set<std::string> Find(const std::string& pattern, const std::string& text) {
  std::set<std::string> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) found.insert((*i)[1]);
  return found;
}

TEST(HowToReadACell, ExplainsEveryOperation) {
  std::set<std::string> used;
  for (const auto& file : std::filesystem::directory_iterator("reference/cells")) {
    if (file.path().extension() != ".h") continue;
    const std::string code = std::regex_replace(ReadAll(file.path().string()), std::regex("//[^\n]*"), "");
    for (const std::string& name : Find(R"(\bnum\.(\w+)\()", code)) used.insert(name);
  }
  EXPECT_GE(used.size(), 17u);
  std::set<std::string> explained;
  for (const std::string& cell : Find(R"(\n\| (`[^|]*) \|)", ReadAll(kGuide))) {
    for (const std::string& name : Find(R"(`(\w+)\()", cell)) explained.insert(name);
  }
  EXPECT_EQ(used, explained);
}

RnnProblem LstmOf(DataType x) {
  RnnProblem problem = MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, x);
  problem.attr.reading = Reading::kOnednn;  // the shift is the zero point
  problem.attr.rnn_data_scale = 127.f;
  problem.attr.rnn_data_shift = 128.f;
  return problem;
}

TEST(HowToReadACell, ItsNumbersAreThoseOfTheCode) {
  const Mat<double> h = Mat<double>::Constant(1, 1, std::tanh(0.3) * 0.5);
  const RnnProblem of_bytes = LstmOf(DataType::kU8);
  const QuantizedNumerics<double> bytes(of_bytes);
  const Mat<double> byte = bytes.StoreState(h);
  const std::string guide = ReadAll(kGuide);
  for (const Mat<double>& number :
       {h, StorageNumerics<double>(LstmOf(DataType::kF32)).StoreState(h),
        StorageNumerics<double>(LstmOf(DataType::kBf16)).StoreState(h), byte, bytes.Widen(byte)}) {
    char text[32];
    std::snprintf(text, sizeof text, "%.8g", number(0, 0));
    EXPECT_NE(guide.find(std::string(" ") + text), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace reference
}  // namespace tandem
