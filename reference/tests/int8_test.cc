// int8 inference: bytes, ties, saturation, and the two readings of the data's quantization. And weights in s8 alone.
#include <gtest/gtest.h>

#include "api/core/attributes/quantization.h"
#include "api/core/rnn/rnn_problem_testing.h"
#include "reference/numerics/numerics_dynamic.h"
#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {
namespace {

using Values = std::vector<double>;

RnnProblem Int8Problem(Cell cell, Direction direction, DataType x, const TestShape& shape, const DataQparams& data) {
  RnnProblem problem = MakeTestProblem(cell, Propagation::kForwardInference, direction, x, shape);
  problem.attr.rnn_data_scale = data.scale;
  problem.attr.rnn_data_shift = data.shift;
  problem.attr.reading = data.reading;
  return problem;
}

TestShape Ones() {
  TestShape shape;
  shape.n_iter = shape.mb = shape.slc = shape.sic = shape.dhc = shape.dic = 1;
  return shape;
}

// Makes a GRU keep its state, h = h': its gate u is sigmoid(1000), which is exactly 1 in double.
void Saturate(TestCase* test) {
  Values bias = test->Get(kBias);
  for (size_t i = 0; i < bias.size(); ++i) bias[i] = i % 3 == 0 ? 1000.0 : 0.0;
  test->Set(kBias, bias);
}

// Quantizes `x` by way of an f32 src_iter and a u8 dst_layer.
double Quantized(double x, DataType type, const DataQparams& data) {
  const bool u8 = type == DataType::kU8;
  RnnProblem problem = Int8Problem(u8 ? Cell::kGru : Cell::kLstm, Direction::kLeft2Right, type, Ones(), data);
  problem.md[kSrcIter] = MakeDense({1, 1, 1, 1}, DataType::kF32);
  problem.md[kDstIter] = MakeDense({1, 1, 1, 1}, DataType::kF32);
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcIter, {x});
  if (u8) {
    Saturate(&test);
  } else {
    // o = 1 and c = 1000, so h = 1: s8 quantizes 1 whatever the state was.
    test.Set(kBias, {0.0, 1000.0, 0.0, 1000.0});
    test.Set(kSrcIterC, {x < 0 ? -1000.0 : 1000.0});
  }
  RunCase(&test);
  return test.Get(kDstLayer)[0];
}

TEST(Int8, TiesGoToEven) {
  // scale 2: 2 * 0.25 = 0.5, 2 * 0.75 = 1.5, 2 * 1.25 = 2.5
  EXPECT_EQ(Quantized(0.25, DataType::kU8, {2.f, 0.f}), 0.0);
  EXPECT_EQ(Quantized(0.75, DataType::kU8, {2.f, 0.f}), 2.0);
  EXPECT_EQ(Quantized(1.25, DataType::kU8, {2.f, 0.f}), 2.0);
}

TEST(Int8, SaturatesAtTheTypesEnds) {
  EXPECT_EQ(Quantized(-3.0, DataType::kU8, {2.f, 0.f}), 0.0);
  EXPECT_EQ(Quantized(300.0, DataType::kU8, {2.f, 0.f}), 255.0);
  // h = tanh(c) = +-1: 200 and -200 do not fit s8.
  EXPECT_EQ(Quantized(1.0, DataType::kS8, {200.f, 0.f}), 127.0);
  EXPECT_EQ(Quantized(-1.0, DataType::kS8, {200.f, 0.f}), -128.0);
  EXPECT_EQ(Quantized(-1.0, DataType::kS8, {100.f, 0.f}), -100.0);
}

TEST(Int8, ReadingsDifferWhereShiftMeetsScale) {
  // spec: 4 (3 + 10) = 52. onednn: 4 * 3 + 10 = 22.
  EXPECT_EQ(Quantized(3.0, DataType::kU8, {4.f, 10.f, Reading::kSpec}), 52.0);
  EXPECT_EQ(Quantized(3.0, DataType::kU8, {4.f, 10.f, Reading::kOnednn}), 22.0);
}

TEST(Int8, AnAbsentStateIsTheByteOfZero) {
  for (const Reading reading : AllOf<Reading>()) {
    RnnProblem problem = Int8Problem(Cell::kGru, Direction::kLeft2Right, DataType::kU8, Ones(), {4.f, 10.f, reading});
    Remove(&problem, kSrcIter);
    TestCase test = MakeTestCase(problem);
    Saturate(&test);
    RunCase(&test);
    EXPECT_EQ(test.Get(kDstLayer)[0], reading == Reading::kSpec ? 40.0 : 10.0);
  }
}

TEST(Int8, F32OutputsAreDequantizedBytes) {
  for (const Reading reading : AllOf<Reading>()) {
    RnnProblem problem = Int8Problem(Cell::kGru, Direction::kLeft2Right, DataType::kU8, Ones(), {4.f, 10.f, reading});
    problem.md[kSrcIter] = MakeDense({1, 1, 1, 1}, DataType::kF32);
    problem.md[kDstIter] = MakeDense({1, 1, 1, 1}, DataType::kF32);
    problem.md[kDstLayer] = MakeDense({1, 1, 1}, DataType::kF32);
    TestCase test = MakeTestCase(problem);
    Saturate(&test);
    test.Set(kSrcIter, {3.1});  // byte 52 or 22, both of which stand for 3
    RunCase(&test);
    EXPECT_EQ(test.Get(kDstLayer)[0], 3.0);
    EXPECT_EQ(test.Get(kDstIter)[0], 3.0);
  }
}

TEST(Int8, SumOfDirectionsFollowsTheReading) {
  const auto sum = [](Reading reading, DataType dst) {
    RnnProblem problem =
        Int8Problem(Cell::kGru, Direction::kBidirectionalSum, DataType::kU8, Ones(), {2.f, 10.f, reading});
    problem.md[kDstLayer] = MakeDense({1, 1, 1}, dst);
    TestCase test = MakeTestCase(problem);
    Saturate(&test);
    test.Set(kSrcIter, {120.0, 150.0});
    RunCase(&test);
    return test.Get(kDstLayer)[0];
  };
  // spec: 120 / 2 - 10 = 50 and 150 / 2 - 10 = 65: 115 is byte 2 (115 + 10) = 250.
  EXPECT_EQ(sum(Reading::kSpec, DataType::kF32), 115.0);
  EXPECT_EQ(sum(Reading::kSpec, DataType::kU8), 250.0);
  // onednn: 120 + 150 saturates at 255; (255 - 2 * 10) / 2.
  EXPECT_EQ(sum(Reading::kOnednn, DataType::kU8), 255.0);
  EXPECT_EQ(sum(Reading::kOnednn, DataType::kF32), 117.5);
}

// Two channels in, scales of the weights 4 and 8 (by output channel), data scale 2, shift 3 (spec).
TEST(Int8, LstmByHand) {
  TestShape shape = Ones();
  shape.slc = 2;
  RnnProblem problem = Int8Problem(Cell::kLstm, Direction::kLeft2Right, DataType::kU8, shape, {2.f, 3.f});
  problem.attr.rnn_weights = {24, {4.f, 8.f, 4.f, 8.f}};
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcLayer, {10.0, 5.0});  // 10 / 2 - 3 = 2, 5 / 2 - 3 = -0.5
  test.Set(kSrcIter, {8.0});         // 8 / 2 - 3 = 1
  test.Set(kSrcIterC, {2.0});
  // Gates i, f, c~, o for each channel in: 1, 1, -0.5, 1 and 2, 4, 2, 2 and for the state -1, 1, 1, 0.
  test.Set(kWeightsLayer, {4, 8, -2, 8, 8, 32, 8, 16});
  test.Set(kWeightsIter, {-4, 8, 4, 0});
  test.Set(kBias, {1.0, -0.75, 1.5, -1.0});
  RunCase(&test);
  // a_i = 2 - 1 - 1 + 1 = 1; a_f = 2 - 2 + 1 - 0.75 = 0.25; a_c~ = -1 - 1 + 1 + 1.5 = 0.5;
  // a_o = 2 - 1 + 0 - 1 = 0. As in cells_test.cc: c = 1.4621877139, tanh(c) = 0.8980766621.
  EXPECT_NEAR(test.Get(kDstIterC)[0], 1.4621877139, 1.2e-7);
  // h = 0.5 * 0.8980766621 = 0.44903833; 2 (0.44903833 + 3) = 6.898
  EXPECT_EQ(test.Get(kDstLayer)[0], 7.0);
  EXPECT_EQ(test.Get(kDstIter)[0], 7.0);
}

TEST(Int8, ProjectionQuantizesTwice) {
  RnnProblem problem = Int8Problem(Cell::kLstm, Direction::kLeft2Right, DataType::kU8, Ones(), {2.f, 3.f});
  problem.md[kWeightsProjection] = MakeDense({1, 1, 1, 1}, DataType::kS8);
  problem.attr.rnn_weights_projection = {8, {16.f}};
  TestCase test = MakeTestCase(problem);
  test.Set(kBias, {0.0, 1000.0, 0.0, 0.0});
  test.Set(kSrcIter, {6.0});  // real 0
  test.Set(kSrcIterC, {1.4621877139});
  test.Set(kWeightsProjection, {64.0});
  RunCase(&test);
  // h^ = 0.5 * 0.8980766621 is byte 7, that is 7 / 2 - 3 = 0.5; times R = 64 / 16 gives 2: byte 10.
  EXPECT_EQ(test.Get(kDstLayer)[0], 10.0);
}

TEST(Int8, GruQuantizesWhatTheResetGateLeaves) {
  RnnProblem problem = Int8Problem(Cell::kGru, Direction::kLeft2Right, DataType::kU8, Ones(), {2.f, 0.f});
  problem.md[kDstLayer] = MakeDense({1, 1, 1}, DataType::kU8);
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcIter, {5.0});              // h' = 2.5
  test.Set(kBias, {-1000.0, 0.0, -1.0});  // u = 0, r = 0.5
  test.Set(kWeightsIter, {0.0, 0.0, 1.0});
  RunCase(&test);
  // r h' = 1.25 is byte 2.5, to even 2, that is 1: o = tanh(1 - 1) = 0. Unquantized: tanh(0.25) is byte 0.49.
  EXPECT_EQ(test.Get(kDstLayer)[0], 0.0);
  test.Set(kBias, {-1000.0, 0.0, -0.75});
  RunCase(&test);
  // tanh(0.25) = 0.2449 is byte 0; unquantized tanh(0.5) = 0.4621 would be byte 1.
  EXPECT_EQ(test.Get(kDstLayer)[0], 0.0);
}

// Scales of the weights 4 (u), 8 (r), 2 (o), data scale 2, shift 3 (spec).
TEST(Int8, LbrGruByHand) {
  RnnProblem problem = Int8Problem(Cell::kLbrGru, Direction::kLeft2Right, DataType::kU8, Ones(), {2.f, 3.f});
  problem.attr.rnn_weights = {24, {4.f, 8.f, 2.f}};
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcLayer, {10.0});                // 10 / 2 - 3 = 2
  test.Set(kSrcIter, {8.0});                  // 8 / 2 - 3 = 1
  test.Set(kWeightsLayer, {4.0, 8.0, -1.0});  // 1, 1, -0.5
  test.Set(kWeightsIter, {-8.0, 8.0, 6.0});   // -2, 1, 3
  test.Set(kBias, {0.0, -3.0, 0.5, 1.0});
  RunCase(&test);
  // u = sigmoid(2 - 2) = 0.5, r = sigmoid(2 + 1 - 3) = 0.5; o = tanh(-1 + 0.5 (3 + 1) + 0.5) = tanh(1.5) = 0.9051483;
  // h = 0.5 + 0.4525741 = 0.9525741; 2 (0.9525741 + 3) = 7.905. The reset gate before U_o would give 7.667, also 8: see s8.
  EXPECT_EQ(test.Get(kDstLayer)[0], 8.0);
  problem = Int8Problem(Cell::kLbrGru, Direction::kLeft2Right, DataType::kS8, Ones(), {100.f, 0.f});
  problem.attr.rnn_weights = {24, {4.f, 8.f, 2.f}};
  test = MakeTestCase(problem);
  test.Set(kSrcLayer, {50.0});                 // 0.5
  test.Set(kSrcIter, {-100.0});                // -1
  test.Set(kWeightsLayer, {16.0, 16.0, 2.0});  // 4, 2, 1
  test.Set(kWeightsIter, {8.0, 8.0, 1.0});     // 2, 1, 0.5
  test.Set(kBias, {0.0, 0.0, -0.5, 1.5});
  RunCase(&test);
  // u = sigmoid(2 - 2), r = sigmoid(1 - 1): 0.5; o = tanh(0.5 + 0.5 (-0.5 + 1.5) - 0.5) = tanh(0.5) = 0.4621172
  EXPECT_EQ(test.Get(kDstLayer)[0], -27.0);  // h = -0.5 + 0.2310586
}

// Weights in s8, f32 data: W = q / scale. Scales 4 and 0.5, by channel.
TEST(ByteWeights, VanillaRnnByHand) {
  TestShape shape = Ones();
  shape.dhc = shape.dic = shape.sic = 2;
  RnnProblem problem =
      MakeTestProblem(Cell::kVanillaRnn, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape);
  problem.activation = Activation::kRelu;
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter}) {
    problem.md[tensor] = MakeDense(TestDims(problem, shape, tensor), DataType::kS8);
  }
  problem.attr.rnn_weights = {24, {4.f, 0.5f}};
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcLayer, {1.5});
  test.Set(kSrcIter, {0.25, -1.0});
  test.Set(kWeightsLayer, {10.0, 7.0});             // 2.5, 14
  test.Set(kWeightsIter, {-128.0, 1.0, 8.0, 3.0});  // -32, 2; 2, 6
  test.Set(kBias, {8.0, 0.0});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer)[0], 1.75);  // 3.75 - 8 - 2 + 8
  EXPECT_EQ(test.Get(kDstLayer)[1], 15.5);  // 21 + 0.5 - 6
}

// The same with each row of x and of h' in bytes of its own range, 255 steps of 1 and of 0.5.
TEST(DynamicQuantization, VanillaRnnByHand) {
  TestShape shape = Ones();
  shape.slc = 3;
  shape.dhc = shape.dic = shape.sic = 2;
  RnnProblem problem =
      MakeTestProblem(Cell::kVanillaRnn, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape);
  problem.activation = Activation::kRelu;
  problem.attr.rnn_dynamic_quantization = true;
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter}) {
    problem.md[tensor] = MakeDense(TestDims(problem, shape, tensor), DataType::kS8);
  }
  problem.attr.rnn_weights = {24, {4.f, 0.5f}};
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcLayer, {-15.0, 240.0, 2.5});  // 0, 255, 17 with zero point 15: -15, 240, 2
  test.Set(kSrcIter, {127.5, 10.3});         // 255, 21 with zero point 0: 127.5, 10.5
  test.Set(kWeightsLayer, {1.0, 0.0, 0.0, 1.0, 127.0, -128.0});
  test.Set(kWeightsIter, {2.0, 0.0, 4.0, 2.0});
  test.Set(kBias, {-0.5, 0.25});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer)[0], 133.5);  // (-15 + 127 * 2 + 2 * 127.5 + 4 * 10.5) / 4 - 0.5
  EXPECT_EQ(test.Get(kDstLayer)[1], 10.25);  // (240 - 128 * 2 + 2 * 10.5) / 0.5 + 0.25
}

TEST(DynamicQuantization, RangesEndAt0AndRowsOfThemAreTheirOwn) {
  const RowQuantization above = RowQuantizationOf(0.f, 2.55f), both = RowQuantizationOf(-1.f, 254.f);
  EXPECT_EQ(above.zero_point, 0.f);
  EXPECT_EQ(both.scale, 1.f);
  EXPECT_EQ(both.zero_point, 1.f);
  EXPECT_EQ(QuantizeInRow(2.5f, both), 3.f);
  EXPECT_EQ(QuantizeInRow(-300.f, both), 0.f);
  Mat<double> h(2, 4);
  h << 1.0, -254.0, 0.0, 0x1p-110, 255.0, 1.0, 0.0, 0.0;
  const QuantizedRows<double> rows = QuantizeRows(h);
  EXPECT_EQ(rows.scale(0, 0), 1.0);
  EXPECT_EQ(rows.zero_point(0, 0), 0.0);
  EXPECT_EQ(rows.scale(0, 1), 1.0);
  EXPECT_EQ(rows.zero_point(0, 1), 254.0);
  for (const Dim zeros : {2, 3}) {
    EXPECT_EQ(rows.scale(0, zeros), 1.0);
    EXPECT_TRUE((rows.q.col(zeros) == 0).all());
  }
}

TEST(DynamicQuantization, WhatIsNotFiniteMakesNanOfItsRow) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  Mat<double> h(2, 5);
  h << inf, nan, 1.0, -3e38, 1.0, 1.0, 1.0, -inf, 3e38, 2.0;
  const QuantizedRows<double> rows = QuantizeRows(h);
  for (const Dim n : {0, 1, 2, 3}) EXPECT_TRUE(std::isnan(rows.scale(0, n))) << n;
  EXPECT_FALSE(std::isnan(rows.scale(0, 4)));
}

TEST(Int8, SumsOfProductsAreExact) {
  TestShape shape = Ones();
  shape.slc = 60000;
  RnnProblem problem = Int8Problem(Cell::kGru, Direction::kLeft2Right, DataType::kU8, shape, {1.f, 0.f});
  TestCase test = MakeTestCase(problem);
  // 255 * 127 * 59998 = 1.943e9 is beyond f32's integers; the last product takes all but 1 away.
  Values x(60000, 255.0), w(3 * 60000, 0.0);
  for (size_t k = 0; k < 30000; ++k) w[3 * k + 2] = 127.0, w[3 * (k + 30000) + 2] = -127.0;
  x[0] = 254.0;  // leaves -127
  test.Set(kSrcLayer, x);
  test.Set(kWeightsLayer, w);
  test.Set(kBias, {-1000.0, 0.0, 128.0});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer)[0], 1.0);  // tanh(1) = 0.76
}

}  // namespace
}  // namespace reference
}  // namespace tandem
