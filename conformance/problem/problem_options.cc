#include "conformance/problem/problem_options.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <type_traits>

#include "conformance/problem/base/mask_values.h"
#include "conformance/problem/layer_norms.h"

namespace tandem::conformance {
namespace {

template <class Enum>
struct Word {
  const char* word;
  Enum value;
};

// Words are read in any case.
bool SameWord(const std::string& a, const std::string& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
           return std::tolower(x) == std::tolower(y);
         });
}

// The first word of a value is the one that is printed: benchdnn's. The others are benchdnn's too, or the
// specification's.
template <class Enum, size_t N>
bool Find(const Word<Enum> (&words)[N], const std::string& text, Enum* value) {
  for (const auto& entry : words) {
    if (SameWord(text, entry.word)) {
      *value = entry.value;
      return true;
    }
  }
  return false;
}
template <class Enum, size_t N>
std::string Name(const Word<Enum> (&words)[N], Enum value) {
  for (const auto& entry : words) {
    if (value == entry.value) return entry.word;
  }
  return "?";
}

constexpr Word<Propagation> kPropagations[] = {{"FWD_I", Propagation::kForwardInference},
                                               {"FWD_D", Propagation::kForwardTraining},
                                               {"FWD_B", Propagation::kForwardTraining},
                                               {"BWD_DW", Propagation::kBackward},
                                               {"BWD_DWB", Propagation::kBackward},
                                               {"forward_inference", Propagation::kForwardInference},
                                               {"forward_training", Propagation::kForwardTraining},
                                               {"backward", Propagation::kBackward}};
constexpr Word<Direction> kDirections[] = {{"left2right", Direction::kLeft2Right},
                                           {"right2left", Direction::kRight2Left},
                                           {"concat", Direction::kBidirectionalConcat},
                                           {"sum", Direction::kBidirectionalSum},
                                           {"unidirectional_left2right", Direction::kLeft2Right},
                                           {"unidirectional_right2left", Direction::kRight2Left},
                                           {"bidirectional_concat", Direction::kBidirectionalConcat},
                                           {"bidirectional_sum", Direction::kBidirectionalSum}};
constexpr Word<QuantizationScaling> kScalings[] = {{"common", QuantizationScaling::kCommon},
                                                   {"per_oc", QuantizationScaling::kPerOutputChannel}};
constexpr Word<FpmathMode> kFpmathModes[] = {{"strict", FpmathMode::kStrict},
                                             {"bf16", FpmathMode::kBf16},
                                             {"f16", FpmathMode::kF16},
                                             {"tf32", FpmathMode::kTf32},
                                             {"any", FpmathMode::kAny}};
constexpr Word<ScratchpadMode> kScratchpads[] = {{"library", ScratchpadMode::kLibrary},
                                                 {"user", ScratchpadMode::kUser}};
constexpr Word<Reading> kReadings[] = {{"spec", Reading::kSpec}, {"onednn", Reading::kOnednn}};
constexpr Word<RowLengths> kLengths[] = {{"none", RowLengths::kNone},         {"full", RowLengths::kFull},
                                         {"ones", RowLengths::kOnes},         {"empty", RowLengths::kEmpty},
                                         {"random", RowLengths::kRandom},     {"sorted", RowLengths::kSorted},
                                         {"reversed", RowLengths::kReversed}, {"uniform", RowLengths::kUniform},
                                         {"speech", RowLengths::kSpeech},     {"text", RowLengths::kText}};
constexpr Word<unsigned> kFlags[] = {{"", 0u}, {"O", unsigned{dnnl_rnn_flags_diff_weights_overwrite}}};
constexpr Word<bool> kBools[] = {{"false", false}, {"true", true}};

std::string InCapitals(std::string word) {
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

// benchdnn's word for a cell: the name of its algorithm in capitals.
std::string CellWord(Cell cell) { return InCapitals(TraitsOf(cell).alg_name); }
bool SetCell(const std::string& text, ProblemSpec* spec) {
  for (const Cell cell : kCells) {
    const std::string word = CellWord(cell);
    // benchdnn also takes LSTM and GRU.
    if (SameWord(text, word) || SameWord("VANILLA_" + text, word)) {
      spec->cell = cell;
      return true;
    }
  }
  return false;
}
std::string CellWords() {
  std::string words;
  for (const Cell cell : kCells) words += (words.empty() ? "" : ", ") + CellWord(cell);
  return words;
}

// UNDEF is what benchdnn's files say for cells without a choice of activation; such cells ignore it.
constexpr char kUndefined[] = "UNDEF";
std::string ActivationWord(Activation activation) { return InCapitals(ToString(activation)); }
bool SetActivation(const std::string& text, ProblemSpec* spec) {
  if (SameWord(text, kUndefined)) {
    spec->activation = ProblemSpec().activation;
    return true;
  }
  for (const Activation activation : kActivations) {
    if (SameWord(text, ToString(activation)) || SameWord(text, TraitsOf(activation).alg_name)) {
      spec->activation = activation;
      return true;
    }
  }
  return false;
}
std::string ActivationWords() {
  std::string words;
  for (const Activation activation : kActivations) words += ActivationWord(activation) + ", ";
  return words + kUndefined;
}

constexpr Tensor kOptionalTensors[] = {kSrcIter, kSrcIterC, kBias, kDstIter, kDstIterC};

template <class T>
bool ParseNumber(const std::string& text, T lowest, T highest, T* value) {
  // A stream reads "-1" as the largest unsigned number.
  if (std::is_unsigned<T>::value && text[0] == '-') return false;
  std::istringstream stream(text);
  T parsed{};
  if (!(stream >> parsed) || !stream.eof() || !(parsed >= lowest && parsed <= highest)) return false;
  *value = parsed;
  return true;
}
std::string PrintFloat(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

// "hard_sigmoid:0.2:0.5+tanh+tanh": the functions by place, each with the numbers that it uses.
bool SetFunction(const std::string& text, ActivationFunction* function) {
  std::istringstream stream(text);
  std::string word, number;
  std::getline(stream, word, ':');
  ActivationFunction parsed;
  const auto named = [&word](const ActivationTraits& traits) {
    return SameWord(word, traits.name) || SameWord(word, traits.alg_name);
  };
  const auto found = std::find_if(kActivationTraits.begin(), kActivationTraits.end(), named);
  if (found == kActivationTraits.end()) return false;
  parsed.kind = found->activation;
  for (float* value : {&parsed.alpha, &parsed.beta}) {
    const bool uses = value == &parsed.alpha ? UsesAlpha(parsed.kind) : UsesBeta(parsed.kind);
    const bool given = static_cast<bool>(std::getline(stream, number, ':'));
    if (uses != given || (given && !ParseNumber<float>(number, -1e30f, 1e30f, value))) return false;
  }
  *function = parsed;
  return true;
}
bool SetFunctions(const std::string& text, ProblemSpec* spec) {
  std::istringstream stream(text);
  GateFunctions gates = spec->gates;
  for (const GatePlace place : kGatePlaces) {
    std::string word;
    if (!std::getline(stream, word, '+') || !SetFunction(word, &gates.At(place))) return false;
  }
  if (!stream.eof()) return false;
  spec->gates = gates;
  return true;
}
std::string GetFunctions(const ProblemSpec& spec) {
  std::string text;
  for (const GatePlace place : kGatePlaces) {
    const ActivationFunction& f = spec.gates.At(place);
    text += (text.empty() ? "" : "+") + std::string(ToString(f.kind));
    if (UsesAlpha(f.kind)) text += ":" + PrintFloat(f.alpha);
    if (UsesBeta(f.kind)) text += ":" + PrintFloat(f.beta);
  }
  return text;
}
constexpr Word<ForgetGate> kForgetGates[] = {{"false", ForgetGate::kOwn}, {"true", ForgetGate::kRestOfInput}};

bool IsTag(const std::string& text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklnotgy") == std::string::npos;
}
bool SetTags(const std::string& text, ProblemSpec* spec) {
  const size_t first = text.find(':');
  const size_t second = text.find(':', first == std::string::npos ? first : first + 1);
  const std::string src = text.substr(0, first);
  // benchdnn takes one tag for all three as well.
  const std::string weights = first == std::string::npos ? src : text.substr(first + 1, second - first - 1);
  const std::string dst = first == std::string::npos    ? src
                          : second == std::string::npos ? "any"
                                                        : text.substr(second + 1);
  if (!IsTag(src) || !IsTag(weights) || !IsTag(dst)) return false;
  spec->src_tag = src;
  spec->weights_tag = first == std::string::npos && src != "any" ? "any" : weights;
  spec->dst_tag = dst;
  return true;
}

bool SetAbsent(const std::string& text, ProblemSpec* spec) {
  unsigned absent = 0;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, '+');) {
    unsigned bit = 0;
    for (Tensor tensor : kOptionalTensors) {
      if (word == ToString(tensor)) bit = 1u << tensor;
    }
    if (bit == 0 && word != "none") return false;
    absent |= bit;
  }
  spec->absent = absent;
  return true;
}
std::string GetAbsent(const ProblemSpec& spec) {
  std::string text;
  for (Tensor tensor : kOptionalTensors) {
    if (IsAbsent(spec, tensor)) text += (text.empty() ? "" : "+") + std::string(ToString(tensor));
  }
  return text.empty() ? "none" : text;
}

bool SetConfig(const std::string& text, ProblemSpec* spec) {
  for (int i = 0; i < kNumConfigs; ++i) {
    if (SameWord(text, TypesOf(static_cast<Config>(i)).name)) {
      spec->config = static_cast<Config>(i);
      return true;
    }
  }
  return false;
}
bool SetData(const std::string& text, ProblemSpec* spec) {
  for (int i = 0; i < kNumDataKinds; ++i) {
    if (SameWord(text, ToString(static_cast<DataKind>(i)))) {
      spec->data = static_cast<DataKind>(i);
      return true;
    }
  }
  return false;
}
// benchdnn's --trivial-strides is --pad=1 or --pad=0 in other words; printing uses --pad.
bool SetTrivialStrides(const std::string& text, ProblemSpec* spec) {
  bool trivial;
  if (!Find(kBools, text, &trivial)) return false;
  if (!trivial && spec->padding == 0) spec->padding = 1;
  return true;
}

using S = ProblemSpec;
using Text = const std::string&;

// An option that chooses one of the words of `table` for `field`.
#define TANDEM_WORD_OPTION(name, table, field, values, meaning)                                                    \
  {                                                                                                                \
    name, [](Text v, S* s) { return Find(table, v, &s->field); }, [](const S& s) { return Name(table, s.field); }, \
        values, meaning                                                                                            \
  }
#define TANDEM_INT_OPTION(name, field, low, high, values, meaning)                               \
  {                                                                                              \
    name, [](Text v, S* s) { return ParseNumber<decltype(s->field)>(v, low, high, &s->field); }, \
        [](const S& s) { return std::to_string(s.field); }, values, meaning                      \
  }
#define TANDEM_FLOAT_OPTION(name, field, low, high, values, meaning)                \
  {                                                                                 \
    name, [](Text v, S* s) { return ParseNumber<float>(v, low, high, &s->field); }, \
        [](const S& s) { return PrintFloat(s.field); }, values, meaning             \
  }

}  // namespace

const std::vector<ProblemOption>& ProblemOptions() {
  static const std::vector<ProblemOption> options = {
      TANDEM_WORD_OPTION("prop", kPropagations, propagation, "FWD_I, FWD_D, BWD_DW",
                         "forward_inference, forward_training, or forward_training and then backward"),
      {"alg", SetCell, [](const S& s) { return CellWord(s.cell); }, CellWords(), "the cell"},
      TANDEM_WORD_OPTION("direction", kDirections, direction, "left2right, right2left, concat, sum",
                         "how the sequence is walked through, and how two directions are joined"),
      {"activation", SetActivation, [](const S& s) { return ActivationWord(s.activation); }, ActivationWords(),
       "of the vanilla RNN; the other cells have their own"},
      {"cfg", SetConfig, [](const S& s) { return std::string(TypesOf(s.config).name); },
       "f32, bf16f32, bf16, f16, f16f32, f16c32, f32w8, bf16w8, f32w8dyn, u8u8u8u8, u8u8u8f32, f32u8f32u8, f32u8f32f32 "
       "and "
       "the same with s8",
       "data types: one word, or those of src_iter, src_layer, dst_iter, dst_layer; bf16 and f16 have bias and c in "
       "the 16-bit type, bf16f32 and f16f32 have both in f32, f16c32 only c; w8 has weights in s8, w8dyn also "
       "quantizes f32 data in each step"},
      {"tag", SetTags, [](const S& s) { return s.src_tag + ":" + s.weights_tag + ":" + s.dst_tag; },
       "SRC:WEIGHTS:DST, each any or the letters of a layout", "layouts of src_layer, the weights, dst_layer"},
      TANDEM_WORD_OPTION("scaling", kScalings, scaling, "common, per_oc",
                         "weights in s8: one scale for all, or one for each gate and channel"),
      TANDEM_WORD_OPTION("scaling-proj", kScalings, projection_scaling, "common, per_oc",
                         "the same for the projection"),
      TANDEM_WORD_OPTION("flags", kFlags, flags, "O or nothing",
                         "O: gradients of weights overwrite what their tensors hold, else they are added"),
      TANDEM_WORD_OPTION("with-peephole", kBools, with_peephole, "true, false",
                         "LSTM: the gates also see the cell state"),
      TANDEM_WORD_OPTION("with-projection", kBools, with_projection, "true, false",
                         "LSTM: a matrix [dhc, dic] makes the output smaller"),
      TANDEM_WORD_OPTION("attr-fpmath", kFpmathModes, fpmath, "strict, bf16, f16, tf32, any",
                         "types to which the f32 operands of products may be converted"),
      TANDEM_WORD_OPTION("attr-scratchpad", kScratchpads, scratchpad, "library, user", "who allocates the scratchpad"),
      {"diff-tag", [](Text v, S* s) { return IsTag(v) ? (s->diff_weights_tag = v, true) : false; },
       [](const S& s) { return s.diff_weights_tag; }, "any or the letters of a layout",
       "layout of diff_weights_layer and diff_weights_iter"},
      TANDEM_INT_OPTION("pad", padding, 0, 1 << 20, "0 to 1048576",
                        "elements after each row of the layer and state tensors"),
      {"trivial-strides", SetTrivialStrides, [](const S&) { return std::string("true"); }, "true, false",
       "false is --pad=1"},
      TANDEM_INT_OPTION("misalign", misalign, 0, 4096, "0 to 4096",
                        "elements by which every buffer starts past an aligned address"),
      TANDEM_WORD_OPTION("wide-offsets", kBools, wide_offsets, "true, false",
                         "the outermost slices of every tensor lie 2^31 elements apart"),
      {"absent", SetAbsent, GetAbsent,
       "none, or src_iter, src_iter_c, bias, dst_iter, dst_iter_c "
       "joined by +",
       "optional tensors that are left out"},
      TANDEM_WORD_OPTION("reading", kReadings, reading, "spec, onednn",
                         "the specification, or oneDNN where it differs (docs/readings.md)"),
      TANDEM_WORD_OPTION("lengths", kLengths, lengths,
                         "none, full, ones, empty, random, sorted, reversed, uniform, speech, text",
                         "how many steps each row has, in sequence_lengths (docs/sequence_lengths.md)"),
      {"norm", SetLayerNorm, LayerNormText, "none, sum or parts; :gate or :row; :none, :output or :state",
       "layer normalization: of W x + U h' or of both apart; of each gate or of all gates of a row; of LSTM's c "
       "(docs/layer_normalization.md)"},
      TANDEM_FLOAT_OPTION("norm-epsilon", norm.epsilon, 0x1p-126f, 1e30f, "a positive number",
                          "layer normalization: what is added to the variance"),
      {"masks", [](Text v, S* s) { return ParseMasks(v, &s->masks); }, [](const S& s) { return MasksText(s.masks); },
       "none, or mask_layer, mask_iter, zoneout_iter, zoneout_iter_c joined by +",
       "tensors that inputs and states are multiplied by: dropout and zoneout (docs/rnn_masks.md)"},
      TANDEM_FLOAT_OPTION("alpha", alpha, -1e30f, 1e30f, "a number",
                          "of the activation: relu's slope below 0, the threshold of thresholded_relu, a factor"),
      TANDEM_FLOAT_OPTION("beta", beta, -1e30f, 1e30f, "a number", "of hard_sigmoid, affine, scaled_tanh"),
      {"attr-rnn-activations", SetFunctions, GetFunctions,
       "RECURRENT+CANDIDATE+OUTPUT, each an activation with its alpha and beta, as hard_sigmoid:0.2:0.5",
       "functions of the gates of LSTM, GRU and LBR-GRU (docs/numerics.md)"},
      TANDEM_FLOAT_OPTION("attr-rnn-clip", gates.clip, 0.f, 1e30f, "a positive number, or 0 for none",
                          "the pre-activations of gates lie in [-clip, clip]"),
      TANDEM_WORD_OPTION("attr-rnn-input-forget", kForgetGates, gates.forget, "true, false",
                         "LSTM: the forget gate is f = 1 - i"),
      TANDEM_FLOAT_OPTION("data-scale", data_scale, 0.f, 1e30f, "a positive number, or 0 for the default",
                          "int8: scale of the data"),
      TANDEM_FLOAT_OPTION("zero-point", zero_point, -1.f, 255.f, "0 to 255, or -1 for the default",
                          "int8: the byte that stands for 0"),
      {"data", SetData, [](const S& s) { return std::string(ToString(s.data)); },
       "dense, saturating, tiny, cancelling, spread, special, ties, zero, tame",
       "what the tensors hold; dense: numbers of both signs around 1"},
      TANDEM_FLOAT_OPTION("gain", gain, 1e-6f, 1e6f, "1e-6 to 1e6", "size of the weights"),
      TANDEM_INT_OPTION("seed", seed, 0u, ~uint64_t{0}, "a whole number below 2^64", "of the random tensors"),
  };
  return options;
}

}  // namespace tandem::conformance
