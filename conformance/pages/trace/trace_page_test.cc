#include "conformance/pages/trace/trace_page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "conformance/lesson/description.h"
#include "conformance/oracle/oracle_forward.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;

TracedProblem Problem(const std::string& words) {
  ProblemSpec spec = ParseProblem(words);
  ResolveDims(&spec);
  return LoadTracedProblem(spec, "");
}

Json DataOf(const std::string& html) {
  const std::string name = "globalThis.LESSON_DATA = ";
  const size_t begin = html.find(name) + name.size();
  return Json::parse(html.substr(begin, html.find(";\n</script>", begin) - begin));
}

// Every number of the trace is at the place that its line names, and the explanations end with the same value.
void ExpectTheNumbersOf(const TracedProblem& traced, const Json& data) {
  size_t number = 0;
  reference::Trace(traced.problem, BuffersOf(traced.tensors), [&](const reference::TracedLine& line) {
    const Json& places = data["lines"][number++];
    EXPECT_EQ(data["formulas"][places[0].get<size_t>()]["name"], line.Name());
    EXPECT_EQ(data["values"][places[8].get<size_t>()], line.agrees ? 1 : 0);
    const reference::Mat<double>* parts[] = {&line.value, &line.stored, &line.cell, &line.bytes};
    for (size_t part = 0; part < 4; ++part) {
      EXPECT_EQ(places[9 + part] == -1, parts[part]->size() == 0) << line.Name();
      for (Dim i = 0; i < parts[part]->size(); ++i) {
        EXPECT_EQ(data["values"][places[9 + part].get<size_t>() + static_cast<size_t>(i)],
                  JsonNumber((*parts[part])(i)));
      }
    }
    if (line.before == nullptr) return;
    const Json& explained = data["explanations"].at(std::to_string(number - 1) + ",0,0");
    EXPECT_EQ(explained["value"], JsonNumber(line.value(0))) << line.Name();
  });
  EXPECT_EQ(data["lines"].size(), number);
}

TEST(TracePage, HasTheNumbersOfTheTrace) {
  for (const char* words : {"--alg=VANILLA_LSTM --with-projection=true --prop=BWD_DW l1t2mb2sic2slc2dhc3dic2",
                            "--alg=VANILLA_GRU --cfg=u8u8u8u8 --direction=sum l1t2mb1sic3",
                            "--alg=LBR_GRU --cfg=bf16 --lengths=random l2t3mb2sic2"}) {
    SCOPED_TRACE(words);
    const TracedProblem traced = Problem(words);
    const TracePage page = MakeTracePage(traced, {}, {});
    EXPECT_EQ(page.disagreements, 0);
    ExpectTheNumbersOf(traced, DataOf(page.html));
  }
}

TEST(TracePage, IsOneFile) {
  TracedProblem traced = Problem("--activation=TANH l1t1mb1sic2");
  traced.data_file = "</script>x\xff";
  const std::string html = MakeTracePage(traced, {}, {}).html;
  EXPECT_EQ(html.find("</script>x"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_NE(html.find("<title>vanilla_rnn"), std::string::npos);
}

// Counts the outputs of the implementation that lie outside the accepted intervals.
size_t Outside(const Json& data, size_t implementation) {
  size_t outside = 0;
  const Json& outputs = data["implementations"][implementation]["outputs"];
  EXPECT_EQ(data["intervals"].size(), 3 * outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] < data["intervals"][3 * i + 1] || outputs[i] > data["intervals"][3 * i + 2]) ++outside;
  }
  return outside;
}

TEST(TracePage, HasTheOutputsOfImplementations) {
  const TracedProblem traced = Problem("--alg=VANILLA_LSTM --with-peephole=true l1t3mb2sic4");
  const Json data =
      DataOf(MakeTracePage(traced, {}, {LoadPlugin("reference"), LoadPlugin("mutant:PeepholeOldC")}).html);
  EXPECT_EQ(Outside(data, 0), 0u);
  EXPECT_GT(Outside(data, 1), 0u);
  EXPECT_EQ(data["implementations"][1]["name"], "mutant:PeepholeOldC");
}

// The steps of a long problem that are far from the selected one have no matrices, and one unit is explained.
TEST(TracePage, OfALongProblemHasMatricesNearTheSelectedStep) {
  const TracedProblem traced = Problem("--activation=TANH --prop=BWD_DW l1t30mb2sic2");
  TraceSelection selection;
  selection.step = 10, selection.unit = 1, selection.row = 0;
  const Json data = DataOf(MakeTracePage(traced, selection, {}).html);
  size_t near = 0, far = 0;
  for (size_t number = 0; number < data["lines"].size(); ++number) {
    const Json& places = data["lines"][number];
    const Json& formula = data["formulas"][places[0].get<size_t>()];
    const int step = places[2].get<int>();
    if (formula["id"] == "RNN.1" && step == 10) {
      const std::string at = std::to_string(number);
      EXPECT_TRUE(data["explanations"].contains(at + ",1,0"));
      EXPECT_FALSE(data["explanations"].contains(at + ",0,1"));
    }
    if (formula["id"] != "RNN.B2") continue;
    const bool is_near = step >= 9 && step <= 11;
    EXPECT_EQ(places[9] == -1, !is_near) << step;
    ++(is_near ? near : far);
  }
  EXPECT_EQ(near, 3u);
  EXPECT_EQ(far, 27u);
}

TEST(TracePage, OfTooManyNumbersIsRefused) {
  const TracedProblem traced = Problem("--activation=TANH l1t40mb100sic150");
  EXPECT_THROW(MakeTracePage(traced, {}, {}), std::length_error);
}

}  // namespace
}  // namespace tandem::conformance
