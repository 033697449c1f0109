#include "reference/teaching/trace/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {
namespace {

std::string Where(const TracedLine& line) {
  return "[" + line.id + "] " + line.Name() + " at l=" + std::to_string(line.step.layer) +
         " t=" + std::to_string(line.step.time);
}

// Visits every line, and expects that the book agrees with the reference.
void ExpectAgreement(TestCase* test, std::set<std::string>* told) {
  int lines = 0;
  Trace(test->problem, test->Buffers(), [&](const TracedLine& line) {
    EXPECT_TRUE(line.agrees) << Where(line) << "\n" << line.value;
    told->insert(line.id);
    ++lines;
  });
  EXPECT_GT(lines, 5);
}

// Every other cell with norms also has functions of gates.
std::vector<Variant> TracedVariants() {
  std::vector<Variant> variants = AllVariants();
  for (const Variant& variant : GateVariants()) variants.push_back(variant);
  for (Variant variant : NormalizedVariants()) {
    if (variants.size() % 2 == 0) variant.gates.clip = 0.75f;
    if (variants.size() % 2 == 0 && !HasActivation(variant.cell)) {
      variant.gates.recurrent = {Activation::kHardSigmoid, 0.625f, 0.375f};
      variant.gates.candidate = {Activation::kSoftsign};
    }
    if (variants.size() % 2 == 0 && HasCellState(variant.cell)) {
      variant.gates.output = {Activation::kElu, 0.625f};
      variant.gates.forget = ForgetGate::kRestOfInput;
    }
    variants.push_back(variant);
  }
  return variants;
}

// Calls check(test, description) for `count` backward problems of every traced variant in every direction.
template <class Check>
void ForEachTracedCase(DataType type, uint32_t count, Check check) {
  ForEachRandomCase(
      Propagation::kBackward, type, count,
      [&](TestCase* test, const std::string& description) {
        SCOPED_TRACE(description);
        check(test);
      },
      TracedVariants());
}

std::set<std::string> AllIds() {
  std::set<std::string> ids = {""};
  for (const Equation& equation : Equations()) {
    ids.insert(equation.id);
  }
  return ids;
}

// Half of the problems also have rows of different lengths.
void TraceMasks(DataType type, std::set<std::string>* told) {
  uint32_t number = 0;
  ForEachTracedCase(type, 2, [&](TestCase* test) {
    TestCase masked = WithMasks(*test, number++);
    ExpectAgreement(&masked, told);
  });
}

void TraceInt8(Reading reading, DataType type, std::set<std::string>* told) {
  for (const Variant& variant : AllVariants()) {
    if (!TakesInt8(variant.cell, type) || (!variant.extra.empty() && variant.extra[0] == kWeightsPeephole)) continue;
    for (const Direction direction : DirectionsOf(variant)) {
      std::mt19937 rng(5);
      const TestShape shape = RandomShape(variant, &rng);
      RnnProblem problem = MakeTestProblem(variant.cell, Propagation::kForwardInference, direction, type, shape);
      for (const Tensor tensor : variant.extra) Add(&problem, shape, type, tensor);
      problem.md[kWeightsProjection] = variant.extra.empty() ? MemoryDesc{} : problem.md[kWeightsProjection];
      problem.attr.rnn_data_scale = 40.f;
      problem.attr.rnn_data_shift = type == DataType::kS8 ? 0.f : reading == Reading::kSpec ? 0.5f : 20.f;
      problem.attr.reading = reading;
      problem.attr.rnn_weights = {0, {64.f}};
      problem.attr.rnn_weights_projection = {0, {64.f}};
      TestCase test = MakeTestCase(problem);
      for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
        test.FillRandom(tensor, std::normal_distribution<double>(0.0, 40.0), &rng);
      }
      for (const Tensor tensor : {kSrcLayer, kSrcIter}) {
        test.FillRandom(tensor, std::normal_distribution<double>(20.0, 30.0), &rng);
      }
      for (const Tensor tensor : {kBias, kSrcIterC}) {
        test.FillRandom(tensor, std::normal_distribution<double>(0.0, 0.6), &rng);
      }
      SCOPED_TRACE(Describe(variant, direction, 5));
      ExpectAgreement(&test, told);
    }
  }
}

// The data is f32, and each channel has another scale.
void TraceByteWeights(Cell cell, bool dynamic, std::set<std::string>* told) {
  const TestShape shape;
  RnnProblem problem = MakeTestProblem(cell);
  problem.attr.rnn_dynamic_quantization = dynamic;
  if (HasCellState(cell)) Add(&problem, shape, DataType::kF32, kWeightsProjection);
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    if (problem.Has(tensor)) problem.md[tensor] = MakeDense(TestDims(problem, shape, tensor), DataType::kS8);
  }
  problem.attr.rnn_weights = {24, std::vector<float>(static_cast<size_t>(NumGates(cell) * shape.dhc), 30.f)};
  for (float& scale : problem.attr.rnn_weights.values)
    scale += static_cast<float>(&scale - problem.attr.rnn_weights.values.data());
  problem.attr.rnn_weights_projection = {0, {64.f}};
  TestCase test = MakeTestCase(problem);
  FillInputs(&test, 5);
  std::mt19937 rng(5);
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    if (problem.Has(tensor)) test.FillRandom(tensor, std::normal_distribution<double>(0.0, 40.0), &rng);
  }
  ExpectAgreement(&test, told);
}

TEST(Trace, TellsEveryEquationAndAgreesWithTheReference) {
  std::set<std::string> told;
  ForEachTracedCase(DataType::kF32, 4, [&](TestCase* test) {
    ExpectAgreement(test, &told);
    if (!HasAttention(test->problem.cell)) return;
    test->problem.attr.reading = Reading::kOnednn;
    ExpectAgreement(test, &told);
  });
  for (const DataType type : {DataType::kF32, DataType::kBf16}) TraceMasks(type, &told);
  for (const Reading reading : AllOf<Reading>()) TraceInt8(reading, DataType::kU8, &told);
  TraceInt8(Reading::kSpec, DataType::kS8, &told);
  TraceByteWeights(Cell::kLstm, false, &told);
  for (const Cell cell : {Cell::kLstm, Cell::kGru, Cell::kLbrGru}) TraceByteWeights(cell, true, &told);
  EXPECT_EQ(told, AllIds());
}

// A reader with a pocket calculator: the terms that are written out, computed again from their digits.
TEST(Trace, WritesProductsOutSoThatTheValueCanBeComputedByHand) {
  const NumberStyle written = {13, Digits::kDecimals, Notation::kText, 8};
  int products = 0;
  ForEachTracedCase(DataType::kF32, 1, [&](TestCase* test) {
    Trace(test->problem, test->Buffers(), [&](const TracedLine& line) {
      if (!line.before || line.evaluated.right.kind == Expression::Kind::kConcat) return;
      const std::string text = Explain(*line.before, line.evaluated, {}, written).stages[0];
      if (text.find(" if ") != std::string::npos) return;  // relu's words are no formula
      const double by_hand = Evaluator().Evaluate(ParseExpression(text))(0);
      const double value = ElementOf(line.value, {});
      // h is told as it is stored, in f32.
      EXPECT_NEAR(by_hand, value, 0x1p-24 * (1 + std::abs(value))) << Where(line) << " = " << text;
      products += Show(line.formula.right, Notation::kText).find(' ') != std::string::npos ? 1 : 0;
    });
  });
  EXPECT_GT(products, 1000);
}

TEST(Trace, TellsWhatAGradientsTensorHeldAndHolds) {
  TestCase test = RandomCase({"gru", Cell::kGru}, Direction::kLeft2Right, Propagation::kBackward, DataType::kF32, 2);
  ASSERT_EQ(test.problem.diff_weights_mode(), DiffWeightsMode::kAccumulate);
  std::map<std::string, Mat<double>> told;
  Trace(test.problem, test.Buffers(), [&](const TracedLine& line) {
    if (line.phase == TracePhase::kGradients && line.step.layer == 0)
      told[line.Name() + ", " + line.about] = line.value;
  });
  const Dim first_gate[] = {0, 0, 0, 0, 0};
  const Mat<double> before = test.View(kDiffWeightsLayer).Slice(first_gate, 4, 2);
  EXPECT_TRUE((told.at("dW_u, the tensor held before") == before).all());
  RunForward(&test);
  RunCase(&test);
  const Mat<double> after = test.View(kDiffWeightsLayer).Slice(first_gate, 4, 2);
  EXPECT_GT((after - before).abs().maxCoeff(), 0.01);
  EXPECT_LT((told.at("dW_u, the tensor holds then") - after).abs().maxCoeff(), 1e-5);
}

// Row n has (n + 1) % (n_iter + 1) steps: some rows have fewer than others, some have none.
TEST(Trace, AgreesOnRowsOfDifferentLengths) {
  std::set<std::string> told;
  ForEachTracedCase(DataType::kF32, 2, [&](TestCase* test) {
    RnnProblem problem = test->problem;
    problem.attr.rnn_sequence_lengths = true;
    TestCase ragged = MakeTestCase(problem);
    FillInputs(&ragged, 2);
    std::vector<int32_t> lengths;
    for (Dim n = 0; n < problem.mb; ++n) lengths.push_back(static_cast<int32_t>((n + 1) % (problem.n_iter + 1)));
    std::memcpy(ragged.memory[kSequenceLengths].data(), lengths.data(), lengths.size() * sizeof(int32_t));
    ExpectAgreement(&ragged, &told);
    Trace(ragged.problem, ragged.Buffers(), [&](const TracedLine& line) {
      if (line.Name() != "h" || line.phase != TracePhase::kForward) return;
      for (size_t n = 0; n < lengths.size(); ++n) {
        const bool dead = std::count(line.dead.begin(), line.dead.end(), static_cast<Dim>(n)) > 0;
        EXPECT_EQ(dead, line.step.time >= lengths[n]) << Where(line);
      }
    });
  });
}

TEST(Trace, AgreesWhereValuesAreRoundedTo16Bits) {
  std::set<std::string> told;
  for (const DataType type : {DataType::kBf16, DataType::kF16}) {
    ForEachTracedCase(type, 2, [&](TestCase* test) { ExpectAgreement(test, &told); });
  }
}

TEST(Trace, EndsEachStepWithTheStateThatDstLayerShows) {
  ForEachRandomCase(Propagation::kForwardInference, DataType::kBf16, 2,
                    [](TestCase* test, const std::string& description) {
                      SCOPED_TRACE(description);
                      if (IsBidirectional(test->problem.direction)) return;
                      RunCase(test);
                      const TensorView dst_layer = test->View(kDstLayer);
                      Dim seen = 0;
                      Trace(test->problem, test->Buffers(), [&](const TracedLine& line) {
                        if (line.Name() != "h" || line.step.layer != test->problem.n_layer - 1) return;
                        const Dim index[] = {line.step.time, 0, 0};
                        EXPECT_TRUE((line.value == dst_layer.Slice(index, 2, 1)).all());
                        ++seen;
                      });
                      EXPECT_EQ(seen, test->problem.n_iter);
                    });
}

TEST(Trace, TellsBothStatesThatAnLstmPassesOn) {
  const Variant projection = LstmWith("projection", {kWeightsProjection});
  TestCase test = RandomCase(projection, Direction::kLeft2Right, Propagation::kForwardInference, DataType::kF32, 4);
  ASSERT_TRUE(test.problem.Has(kDstIter) && test.problem.Has(kDstIterC));
  RunCase(&test);
  Dim layers = 0;
  Trace(test.problem, test.Buffers(), [&](const TracedLine& line) {
    EXPECT_EQ(line.cell.size() > 0, line.id == "STACK.2") << Where(line);
    if (line.id != "STACK.2" || line.step.time != test.problem.n_iter - 1) return;
    const Dim index[] = {line.step.layer, 0, 0, 0};
    EXPECT_TRUE((line.value == test.View(kDstIter).Slice(index, 3, 2)).all());
    EXPECT_TRUE((line.cell == test.View(kDstIterC).Slice(index, 3, 2)).all());
    ++layers;
  });
  EXPECT_EQ(layers, test.problem.n_layer);
}

TEST(Trace, TellsDiffSrcLayerOfOneDirection) {
  TestCase test = RandomCase({"gru", Cell::kGru}, Direction::kRight2Left, Propagation::kBackward, DataType::kF32, 2);
  Dim seen = 0;
  std::map<Dim, Mat<double>> of_first_layer;
  Trace(test.problem, test.Buffers(), [&](const TracedLine& line) {
    if (line.Name() == "dx" && line.step.layer == 0) of_first_layer[line.step.time] = Mat<double>(line.value);
    if (line.id != "STACK.B4") return;
    EXPECT_TRUE((line.value == of_first_layer.at(line.step.time)).all());
    ++seen;
  });
  EXPECT_EQ(seen, test.problem.n_iter);
}

TEST(Trace, WalksRightToLeftFromTheLastTimestamp) {
  const Variant gru = {"gru", Cell::kGru};
  TestCase test = RandomCase(gru, Direction::kRight2Left, Propagation::kForwardInference, DataType::kF32, 2);
  std::vector<Dim> times;
  Trace(test.problem, test.Buffers(), [&](const TracedLine& line) {
    if (line.id == "GRU.1") times.push_back(line.step.time);
  });
  EXPECT_EQ(times.front(), test.problem.n_iter - 1);
  EXPECT_EQ(times.back(), 0);
}

}  // namespace
}  // namespace reference
}  // namespace tandem
