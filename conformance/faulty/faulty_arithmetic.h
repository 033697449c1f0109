// Single-precision arithmetic with injection points: products over eight lanes, activations, stores, quantization.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_ARITHMETIC_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_ARITHMETIC_H_

#include "api/core/rnn/rnn_problem.h"
#include "conformance/faulty/mutation.h"

namespace tandem::conformance {

class FaultyArithmetic {
 public:
  FaultyArithmetic(const RnnProblem& problem, Mutation mutation);

  bool On(Mutation m) const { return mutation_ == m; }
  Mutation mutation() const { return mutation_; }

  // sum_k a[k * a_stride] * b[k * b_stride]. Products of bytes are summed exactly.
  double Dot(long n, const float* a, long a_stride, const float* b, long b_stride) const;
  float Sigmoid(float x) const;
  // `lane` is the unit: some bugs affect one lane of a vector.
  float Tanh(float x, long lane) const;
  float SigmoidIn(float x, long lane) const { return Sigmoid(Launder(x, lane)); }
  float Relu(float x, float alpha, long lane) const;
  // The activations that only the vanilla RNN has, and their slopes.
  float Activate(const ActivationFunction& f, float x) const;
  float ActivationSlope(const ActivationFunction& f, float x) const;

  // Rounds to the 16-bit types; an f32 is unchanged.
  float Store(DataType type, float x) const;
  // A state h in src_layer's type: rounded, or quantized to an integer.
  float StoreState(float h) const;
  // The real number of a stored state.
  float Widen(float stored) const;
  // Data quantization, without and with saturation and rounding.
  float BeforeQuantization(float x) const;
  float Saturate(float before) const;
  double zero_point() const { return zero_point_; }
  double scale() const { return problem_.attr.rnn_data_scale; }
  bool int8() const { return int8_; }
  DataType state_type() const { return type_; }

 private:
  float Launder(float x, long lane) const;
  float Operand(float x) const;
  double IntegerDot(long n, const float* a, long a_stride, const float* b, long b_stride) const;
  float Exp(float x) const;

  const RnnProblem& problem_;
  const Mutation mutation_;
  const DataType type_;
  const bool int8_;
  const bool bytes_;  // products of them
  double zero_point_;
  FpmathMode mode_;
};

float RoundBf16(float x);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_ARITHMETIC_H_
