// The interface between the driver (plain C++, compiled once) and the kernels (compiled once per Highway target and storage
// type). A plan picks its table once, at creation; every call does the work of one thread for at least one time step.
#ifndef TANDEM_OPTIMIZED_KERNELS_KERNELS_H_
#define TANDEM_OPTIMIZED_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/core/attributes/attributes.h"
#include "api/core/attributes/quantization.h"
#include "api/core/gate_functions.h"
#include "api/core/types.h"
#include "optimized/machine/target.h"
#include "optimized/machine/tuning.h"
#include "optimized/threads/range.h"
#include "optimized/weights/layout.h"

namespace tandem {
namespace optimized {

// The operation that follows the sums of a tile.
enum class TileOp {
  kStore,  // written to `out` as they are: W x, hoisted out of the recurrence
  kGates,  // the cell's gates, or all but its candidate (GatePasses::kCandidateSecond): u and r * h of GRU and AUGRU
  kCandidate,   // o and h of GRU and AUGRU
  kProjection,  // h of LSTM with projection
};

// Panels from first to last or back. If the order alternates from step to step, each sweep begins with the panels that the
// last one left in the L2 cache, although the weights as a whole are larger.
enum class Sweep { kForward, kBackward };

// The cache where one or two rows find weights. Weights that an execution reads once come from L3 if L2 does not hold them.
enum class WeightsIn { kL2, kL3 };

// rnn_data_qparams, and the range of the byte type: 0 and 255, or -128 and 127.
struct StateQuantization : DataQparams {
  float lowest = 0.f;
  float highest = 255.f;
};

// forward_training leaves here what backward needs (workspace_layout.h). All are null in inference.
struct TrainingRows {
  float* gates = nullptr;  // activated, in the part's column order
  Dim gates_row = 0;
  float* linear = nullptr;  // LBR: U_o h + b_u'
  Dim linear_row = 0;
};

// The cell around the matrix product. Rows are minibatch rows; a `_row` is the distance between two, in elements.
// State pointers (h_prev, h, reset_h) are in the kernel's operand type.
struct LstmArgs {
  float* c = nullptr;  // in: c of the previous step; out: of this one
  Dim c_row = 0;
  DataType c_rounding = DataType::kF32;  // to which c is rounded
  const float* peephole = nullptr;       // [3][peephole_row], order i, f, o; null if absent
  Dim peephole_row = 0;
};

// GRU and AUGRU: from the gates to the candidate.
struct GruArgs {
  float* update = nullptr;  // u; AUGRU: (1 - a) u
  Dim update_row = 0;
  void* reset_h = nullptr;  // r * h
  Dim reset_h_row = 0;
};

// LBR, and every cell under dynamic quantization: W x, apart from U h.
struct LbrArgs {
  const void* gx = nullptr;  // in column order, in the sums' type; plus b unless the weights are s8
  Dim gx_row = 0;
};

// AUGRU and LBR-AUGRU: one element for each row.
struct AttentionArgs {
  const void* base = nullptr;  // null if absent
  DataType type = DataType::kF32;
  Dim row = 0;
};

// s8 weights: pre-activation = accumulator * column_scale + column_bias.
struct Int8Args {
  const float* column_scale = nullptr;
  const float* column_bias = nullptr;
  const float* iter_bias = nullptr;  // LBR: the column_bias of U h
  StateQuantization quantization;
};

// A row of f32 as bytes: x = scale * (byte - Kernels::offset - zero_point).
struct QuantizedRow {
  float scale = 1.f;
  int32_t zero_point = 0;
};

// Dynamic quantization: states are f32, A has their bytes. W x and U h have scales of their own, so W x lies in LbrArgs::gx
// for every cell; a projection has none.
struct DynamicArgs {
  const QuantizedRow* h = nullptr;  // of each row of A; null: there is no dynamic quantization
  const QuantizedRow* x = nullptr;
  const int32_t* h_sums = nullptr;  // of each column's weights
  const int32_t* x_sums = nullptr;
};

// The gate math itself has the code of these; that of the others is called (ActivationOf of activations-inl.h).
constexpr bool IsInlined(Activation activation) {
  return activation == Activation::kRelu || activation == Activation::kTanh || activation == Activation::kLogistic;
}

struct CellArgs {
  Cell cell = Cell::kVanillaRnn;
  ActivationFunction activation;
  const GateFunctions* gates = nullptr;  // null: those of the specification
  Dim units = 0;                         // valid ones: nothing is stored beyond
  DataType rounding = DataType::kF32;    // to which a stored state is rounded while it stays in f32 lanes

  const void* h_prev = nullptr;  // null: zeros
  Dim h_prev_row = 0;
  void* h = nullptr;
  Dim h_row = 0;
  void* h_copy = nullptr;  // RowFunction: another place for h, without room beyond the units; null: none

  LstmArgs lstm;
  GruArgs gru;
  LbrArgs lbr;
  AttentionArgs attention;
  Int8Args int8;
  DynamicArgs dynamic;
  TrainingRows training;
};

// The minibatch rows from which W x may be added in each step.
constexpr Dim kLeastInputRows = ForwardTuning().least_input_rows;

// Rows of A times weights.
struct ProductArgs {
  const void* weights = nullptr;  // the part
  Dim k = 0;                      // 0: adds nothing
  Dim k_padded = 0;
  const void* a = nullptr;  // padded with zeros as Kernels::padding says
  Dim a_row = 0;
};

// Rows of A (in `segments` groups of `rows`, for the time steps of a chunk) times blocks [blocks) of one part.
struct TileArgs {
  TileOp op = TileOp::kStore;
  ProductArgs product;
  // Added before `product`: W x of a time step, where it is not hoisted. kLeastInputRows rows may have it, if
  // Kernels::adds_input and the cell adds both.
  ProductArgs input;

  // The gates of the weights.
  Dim gates = 0;
  Dim panel_blocks = 0;
  Dim total_blocks = 0;

  Dim a_segment = 0;
  Dim segments = 1;
  Range rows;
  Range blocks;
  Sweep sweep = Sweep::kForward;
  WeightsIn weights_in = WeightsIn::kL2;

  // Accumulators before the product, in the part's column order, the same for every segment. Row 0 broadcasts one row.
  const void* init = nullptr;
  Dim init_row = 0;
  // The last term of f32 sums, one row for all; null: none. Sums that begin with a large bias would lose the low bits of
  // every other term.
  const float* bias = nullptr;
  const float* input_bias = nullptr;  // RowFunction: the same of W x, for LBR

  void* out = nullptr;  // kStore
  Dim out_row = 0;
  Dim out_segment = 0;

  const CellArgs* cell = nullptr;  // all others; needs segments == 1
};

// The way a row is stored. bidirectional_sum takes two conversions: the first leaves the value that the second needs, which for a
// byte in an f32 tensor is the byte's own value.
enum class StoreMode { kAssign, kFirstOfSum, kSecondOfSum };

// One contiguous run of elements from one type to another. Integral types use the quantization; with a signed one, u8
// means an operand, which is kept as byte + 128.
struct ConvertArgs {
  const void* from = nullptr;
  DataType from_type = DataType::kF32;
  void* to = nullptr;
  DataType to_type = DataType::kF32;
  Dim n = 0;
  StoreMode mode = StoreMode::kAssign;
  StateQuantization quantization;
};

// The values of A that are multiplied: themselves, or rounded to the type of the weights, which the fpmath mode must permit.
enum class Factors { kExact, kNarrowed };

// The order in which products of floating numbers are added: that of storage_float-inl.h, which all targets have, or that of a
// processor's own instruction. Sums of bytes are exact in any order.
enum class SumOrder { kCommon, kOwn };
inline SumOrder OrderFor(const Attributes& attr) { return attr.deterministic ? SumOrder::kCommon : SumOrder::kOwn; }

// One row (row-inl.h) with the specification's functions of gates, chosen for an operation other than kStore and a cell. It takes
// TileArgs::input of any cell: for LBR in place of LbrArgs::gx. Rows of A, of h, c, u and r * h have room for whole blocks of
// units. Nothing is saved for training.
using RowFunction = void (*)(const TileArgs& args);

struct Kernels {
  const char* code = "";                // the Highway target that they were compiled for (compiled_targets.h)
  DataType operand = DataType::kUndef;  // of A and of states: f32, bf16 or u8
  Dim padding = 1;                      // A's rows, and weights, are padded with zeros to a multiple of so many k
  double macs_per_cycle = 1;            // multiply-adds of one core at best; only to compare divisions of the work
  // A thread calls begin before its first `run` and end after its last one. Pairs of them may lie within one another.
  void (*begin)() = nullptr;
  void (*run)(const TileArgs& args) = nullptr;
  void (*end)() = nullptr;
  RowFunction (*row_function)(TileOp op, Cell cell) = nullptr;  // null or its result: there is none
  bool adds_input = false;                                      // `run` serves TileArgs::input
  int32_t offset = 0;  // int8: subtracted from A's bytes. The caller adds the weights' sums times it to `init`.
};

// While it lives, this thread may run `kernels`.
class KernelsThread {
 public:
  explicit KernelsThread(const Kernels& kernels) : end_(kernels.end) { kernels.begin(); }
  ~KernelsThread() { end_(); }
  KernelsThread(const KernelsThread&) = delete;
  KernelsThread& operator=(const KernelsThread&) = delete;

 private:
  void (*end_)();
};

// A row of the registry, kernels.inc.
struct KernelsEntry {
  const char* name;
  DataType weights;  // as stored
  DataType data;     // what A's values are exact in; kUndef: whatever the operand is
  Factors factors;
  SumOrder order;
  Kernels (*kernels)(const Target& target);  // `run` is null where the target or the processor has none
};
const std::vector<KernelsEntry>& KernelsRegistry();
// A problem permits its kernels this much, besides the types.
struct KernelsPermitted {
  Factors factors = Factors::kExact;
  SumOrder order = SumOrder::kOwn;
};
// The first of the registry for weights stored as `weights` and A whose values are exact in `data`, compiled for `target`,
// with the factors and the order of sums that are permitted. `run` is null if there is none.
Kernels KernelsFor(DataType weights, DataType data, const Target& target, KernelsPermitted permitted = {});
// The type that weights are packed in: their own, but f32 for f16 where the processor cannot widen a vector of f16.
DataType StorageFor(DataType weights, const Target& target);

// Says for each target of this machine which Highway target compiled its kernels, for weights of each type and data of the
// same one (s8: u8): "AVX3_ZEN4 runs AVX3 for f32, AVX3_DL for s8, ...; AVX2 runs ...".
std::string CodeOfTargets();

// Quantizes `n` values by their own range, and pads them with zeros to `padded` bytes.
using QuantizeRowFunction = RowQuantization (*)(const float* from, Dim n, Dim padded, uint8_t* to);
QuantizeRowFunction QuantizeRowFor(const Target& target);

using ConvertFunction = void (*)(const ConvertArgs& args);
ConvertFunction ConvertFor(const Target& target);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_KERNELS_KERNELS_H_
