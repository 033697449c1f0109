// One RNN problem as a person writes it: benchdnn's options and descriptor, plus what benchdnn's notation cannot say.
// problem_notation.h parses and prints it; ToRnnProblem() gives the validated problem that implementations and the
// oracle see.
#ifndef TANDEM_CONFORMANCE_PROBLEM_PROBLEM_SPEC_H_
#define TANDEM_CONFORMANCE_PROBLEM_PROBLEM_SPEC_H_

#include <array>
#include <cstdint>
#include <string>

#include "api/core/enums.h"
#include "api/core/rnn/rnn_problem.h"

namespace tandem::conformance {

// benchdnn's --cfg. The integer ones name src_iter, src_layer, dst_iter, dst_layer in that order. bf16 and f16 have
// bias and cell state in the 16-bit type, bf16f32 and f16f32 have both in f32, f16c32 (ours) is the row of the
// specification's table of data types: bias in f16, cell state in f32. f32w8 and bf16w8 (ours) have weights in s8, each
// channel with a scale, and bias and cell state in f32; f32w8dyn quantizes its f32 data dynamically, too.
enum class Config {
  kF32,
  kBf16f32,
  kBf16,
  kF16,
  kF16f32,
  kF16c32,
  kF32w8,
  kBf16w8,
  kF32w8dyn,
  kU8u8u8u8,
  kU8u8u8f32,
  kF32u8f32u8,
  kF32u8f32f32,
  kS8s8s8s8,
  kS8s8s8f32,
  kF32s8f32s8,
  kF32s8f32f32,
};
constexpr Config kLastConfig = Config::kF32s8f32f32;
constexpr int kNumConfigs = static_cast<int>(kLastConfig) + 1;

struct ConfigTypes {
  Config config;
  const char* name;
  DataType src_layer, src_iter, dst_iter, dst_layer;
  DataType weights, bias, cell_state;
  size_t draws;  // how often random problems draw it, relative to the others
};
const ConfigTypes& TypesOf(Config config);

enum class QuantizationScaling { kCommon, kPerOutputChannel };

// What the tensors hold; see generator.h.
enum class DataKind { kDense, kSaturating, kTiny, kCancelling, kSpread, kSpecial, kTies, kZero, kSweep, kTame };
constexpr const char* ToString(DataKind kind) {
  switch (kind) {
    case DataKind::kDense:
      return "dense";
    case DataKind::kSaturating:
      return "saturating";
    case DataKind::kTiny:
      return "tiny";
    case DataKind::kCancelling:
      return "cancelling";
    case DataKind::kSpread:
      return "spread";
    case DataKind::kSpecial:
      return "special";
    case DataKind::kTies:
      return "ties";
    case DataKind::kZero:
      return "zero";
    case DataKind::kSweep:
      return "sweep";
    case DataKind::kTame:
      return "tame";
  }
  return nullptr;
}
constexpr int kNumDataKinds = CountOf<DataKind>();

// What sequence_lengths holds, 0 to n_iter for each row; see row_lengths.h.
//
//   none      the problem has no lengths of its own
//   full      n_iter                        ones      1
//   empty     0 or n_iter                   random    any, in any order
//   sorted    any, the longest first        reversed  any, the longest last
//   uniform   1 to n_iter, all as often     speech    log-normal, around 0.4 n_iter
//   text      a gamma distribution, around 0.3 n_iter
enum class RowLengths { kNone, kFull, kOnes, kEmpty, kRandom, kSorted, kReversed, kUniform, kSpeech, kText };

struct ProblemSpec {
  Cell cell = Cell::kVanillaRnn;
  Propagation propagation = Propagation::kForwardInference;
  Direction direction = Direction::kLeft2Right;
  Activation activation = Activation::kRelu;
  Config config = Config::kF32;
  // Physical layouts of src_layer, the weights and dst_layer: "any", or letters as in "tnc", "ntc", "ldigo", "abdec".
  std::string src_tag = "any", weights_tag = "any", dst_tag = "any";
  QuantizationScaling scaling = QuantizationScaling::kCommon;
  QuantizationScaling projection_scaling = QuantizationScaling::kCommon;
  unsigned flags = 0;
  bool with_peephole = false;
  bool with_projection = false;
  FpmathMode fpmath = FpmathMode::kStrict;
  ScratchpadMode scratchpad = ScratchpadMode::kLibrary;

  // Not in benchdnn's notation.
  std::string diff_weights_tag = "any";
  int padding = 0;            // elements after each row of the layer and state tensors; --trivial-strides=false is 1
  int misalign = 0;           // every buffer starts this many elements past an aligned address
  bool wide_offsets = false;  // the outermost slices of every tensor lie 2^31 elements apart (wide_offsets.h)
  unsigned absent = 0;        // 1 << Tensor for each optional tensor that is left out
  Reading reading = Reading::kSpec;
  float alpha = 0.9f;  // benchdnn's fixed value
  float beta = 0.f;
  GateFunctions gates;
  float data_scale = 0.f;   // int8; 0: 63.5 for u8, 32 for s8 (benchdnn's); 127 for tame data
  float zero_point = -1.f;  // int8: what a real 0 quantizes to; -1: 28 for u8 (benchdnn's; 128 for tame data), 0 for s8
  RowLengths lengths = RowLengths::kNone;
  LayerNorm norm;
  unsigned masks = 0;  // tandem_rnn_masks_*: the masks that it has
  DataKind data = DataKind::kDense;
  float gain = 1.f;  // weights have standard deviation gain / sqrt(inputs)
  uint64_t seed = 1;

  // The descriptor. 0: not given (slc and dhc default to sic, dic to dhc).
  Dim l = 1, t = 1, mb = 2, sic = 0, slc = 0, dhc = 0, dic = 0;
  std::string name;
};

bool operator==(const ProblemSpec& a, const ProblemSpec& b);
inline bool operator!=(const ProblemSpec& a, const ProblemSpec& b) { return !(a == b); }

inline bool IsAbsent(const ProblemSpec& spec, Tensor tensor) { return (spec.absent >> tensor) & 1u; }
inline bool IsInt8(Config config) { return config >= Config::kU8u8u8u8; }
inline bool IsInt8(const ProblemSpec& spec) { return IsInt8(spec.config); }
inline bool HasByteWeights(Config config) { return TypesOf(config).weights == DataType::kS8; }

// The scale and the byte of 0 of an int8 problem's data, the given ones or the defaults.
struct DataScale {
  float scale, zero_point;
};
DataScale DataScaleOf(const ProblemSpec& spec);

inline bool IsDynamic(const ProblemSpec& spec) { return spec.config == Config::kF32w8dyn; }

// Fills slc, dhc and dic where they were not given.
void ResolveDims(ProblemSpec* spec);

// The validated problem with concrete plain layouts: `any` becomes tnc, ldnc, ldigo, ldio, ldgo. Throws tandem::Error.
RnnProblem ToRnnProblem(const ProblemSpec& spec);

// Multiply-adds times two of the matrix products, as benchdnn counts them.
double CountOps(const ProblemSpec& spec);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_PROBLEM_SPEC_H_
