// What layer normalization is refused for, and the tensors that it asks for.
#include <gtest/gtest.h>

#include <limits>

#include "api/core/error_testing.h"
#include "api/core/rnn/rnn_problem_testing.h"

namespace tandem {
namespace {

RnnProblem Normalized(Cell cell, LayerNorm norm, Propagation propagation = Propagation::kForwardInference,
                      DataType x = DataType::kF32) {
  RnnProblem problem = MakeTestProblem(cell, propagation, Direction::kLeft2Right, x);
  problem.attr.rnn_layer_norm = norm;
  return problem;
}

void ExpectUnimplemented(RnnProblem problem, const std::string& words) {
  ExpectError(dnnl_unimplemented, words, [&problem] { Validate(&problem); });
}

TEST(RnnLayerNorm, AsksForGainsAndOffsetsOfEachNorm) {
  const struct {
    Cell cell;
    LayerNorm norm;
    Dim norms;
  } cases[] = {{Cell::kVanillaRnn, {NormKind::kSum}, 1},
               {Cell::kVanillaRnn, {NormKind::kParts, NormScope::kRow}, 2},
               {Cell::kLstm, {NormKind::kSum}, 4},
               {Cell::kLstm, {NormKind::kParts, NormScope::kRow, CellNorm::kState}, 9},
               {Cell::kLstm, {NormKind::kNone, NormScope::kGate, CellNorm::kOutput}, 1},
               {Cell::kGru, {NormKind::kSum}, 3},
               {Cell::kLbrGru, {NormKind::kParts, NormScope::kRow}, 6}};
  for (const auto& c : cases) {
    for (const Propagation propagation : AllOf<Propagation>()) {
      RnnProblem problem = Normalized(c.cell, c.norm, propagation);
      Validate(&problem);
      const Dims dims = {problem.n_layer, problem.n_dir, c.norms, problem.dhc};
      for (const Tensor t : {kNormGain, kNormOffset}) {
        EXPECT_TRUE(Equal(problem.md[t], MakeDense(dims, DataType::kF32))) << ToString(c.cell);
        EXPECT_EQ(problem.Has(Diff(t)), propagation == Propagation::kBackward);
      }
      EXPECT_FALSE(ForwardOf(problem).Has(kDiffNormGain));
      problem.attr.rnn_layer_norm = {};
      Validate(&problem);
      for (const Tensor t : {kNormGain, kNormOffset, kDiffNormGain, kDiffNormOffset}) EXPECT_FALSE(problem.Has(t));
    }
  }
}

TEST(RnnLayerNorm, WhatHasNoDefinitionIsRefused) {
  for (const Cell cell : {Cell::kAugru, Cell::kLbrAugru}) {
    ExpectUnimplemented(Normalized(cell, {NormKind::kParts}),
                        "rnn_layer_normalization: is set, but no publication defines it for ");
  }
  ExpectUnimplemented(Normalized(Cell::kGru, {NormKind::kParts, NormScope::kRow}),
                      "rnn_layer_normalization: the scope is row, but gru takes gate");
  ExpectUnimplemented(Normalized(Cell::kLbrGru, {NormKind::kSum}),
                      "rnn_layer_normalization: the kind is sum, but lbr_gru takes parts");
  for (const CellNorm cell : {CellNorm::kOutput, CellNorm::kState}) {
    ExpectUnimplemented(Normalized(Cell::kGru, {NormKind::kSum, NormScope::kGate, cell}),
                        std::string("c is normalized (") + ToString(cell) + "), but gru has no c");
  }
}

TEST(RnnLayerNorm, BytesAreRefused) {
  ExpectUnimplemented(Normalized(Cell::kLstm, {NormKind::kSum}, Propagation::kForwardInference, DataType::kU8),
                      "rnn_layer_normalization: is set, but src_layer is u8 and the weights are s8");
  RnnProblem problem = Normalized(Cell::kLstm, {NormKind::kSum});
  for (const Tensor t : {kWeightsLayer, kWeightsIter}) problem.md[t].data_type = dnnl_s8;
  ExpectUnimplemented(problem, "src_layer is f32 and the weights are s8: it takes f32, bf16 and f16");
}

TEST(RnnLayerNorm, EpsilonIsPositive) {
  for (const float bad :
       {0.f, -1.f, 1e-40f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    RnnProblem problem = Normalized(Cell::kLstm, {NormKind::kSum, NormScope::kGate, CellNorm::kNone, bad});
    ExpectError(dnnl_invalid_arguments, "rnn_layer_normalization: epsilon is ", [&problem] { Validate(&problem); });
    problem.attr.rnn_layer_norm.kind = NormKind::kNone;  // nothing is normalized
    EXPECT_NO_THROW(Validate(&problem));
  }
}

TEST(RnnLayerNorm, ValuesAreEnumerators) {
  RnnProblem problem = Normalized(Cell::kLstm, {static_cast<NormKind>(3)});
  ExpectError(dnnl_invalid_arguments, "layer normalization is 3", [&problem] { Validate(&problem); });
  problem.attr.rnn_layer_norm = {NormKind::kSum, static_cast<NormScope>(2)};
  ExpectError(dnnl_invalid_arguments, "scope of layer normalization is 2", [&problem] { Validate(&problem); });
  problem.attr.rnn_layer_norm = {NormKind::kSum, NormScope::kGate, static_cast<CellNorm>(-1)};
  ExpectError(dnnl_invalid_arguments, "normalization of the cell state is -1", [&problem] { Validate(&problem); });
}

}  // namespace
}  // namespace tandem
