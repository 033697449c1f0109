// One execution of a forward plan, shared by the threads of its team.
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_RUN_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_RUN_H_

#include <array>

#include "api/core/rnn/step_walk.h"
#include "optimized/forward/forward.h"
#include "optimized/threads/threading.h"

namespace tandem {
namespace optimized {

// Rows of h, or of anything of its type: `base` is minibatch row 0.
template <class Void>
struct StateRowsOf {
  Void* base = nullptr;
  Dim row = 0;  // elements

  operator StateRowsOf<const void>() const { return {base, row}; }
};
using StateRows = StateRowsOf<void>;
using ConstStateRows = StateRowsOf<const void>;

class ForwardRun {
 public:
  ForwardRun(const RnnForward& plan, const RnnBuffers& buffers);
  void RunThread(int index, int team);

 private:
  friend class ForwardStream;
  // The state that belongs to one thread.
  struct TeamThread {
    int index;       // in the team
    int team;        // threads
    Barrier* all;    // of the team
    Barrier* group;  // of the threads that share dirs and rows
    Role role;
    bool divided_rows;
    Dim hoisted_row;         // where W x of its group begins: rows are (step in the chunk, minibatch row of the chunk)
    Range blocks;            // of dhc
    Range projected_blocks;  // of dic
    StoreMode mode = StoreMode::kAssign;
    Dim last_slot[2];  // per direction: where h of the newest step is
  };
  // Steps [steps) of one layer of one direction, whose W x is computed at once, for minibatch rows [rows). Slots are in
  // the order of time in both directions.
  struct Chunk {
    Dim l, d;
    StepWalk walk;
    Range steps;
    Range times;        // of these steps
    Range rows;         // whose W x is kept at once
    Dim first_slot;     // of the first time
    Dim previous_slot;  // of the step before the first
    Dim Slot(Dim t) const { return first_slot + t - times.begin; }
  };
  // x of a chunk: `base` is that of its lowest time, `segment` the distance from one time to the next.
  struct InputRows {
    const void* base = nullptr;
    Dim row = 0;
    Dim segment = 0;
  };
  // The kernels' arguments in the steps of a chunk. From step to step only rows and the addresses of states and of x
  // change.
  struct StepArgs {
    TileArgs tile[2];
    CellArgs cell[2];
    StateRows unprojected;  // h of LSTM before the projection
    TileArgs projection;
    CellArgs projection_cell;
    InputRows input;  // where W x is added in each step
    Dim cells = 0;    // with sequence_lengths: of the chunk's steps so far; all of them lie without gaps
    // h that the first step starts from, and h of the lowest time, both from the chunk's first row on. A segment, in elements, is
    // the distance from one time to the next.
    ConstStateRows before;
    StateRows output;
    Dim output_segment;
  };
  // A step computes these minibatch rows. Their W x lies in `gx` from row `hoisted` on, or their x lies `input` elements behind
  // that of the chunk.
  struct StepRows {
    Range rows;
    Dim hoisted;
    Dim input;
  };
  // A step leaves these `rows` of h, whose base is the chunk's first row.
  struct StepOutput {
    Dim time;
    Range rows;
    StateRows h;
  };

  struct CellPlace {
    Dim time, n;
  };
  struct StatePlace {
    Dim l, d, n;
  };
  // The bias of a slice, as it lies in the client's memory. No bias: base is null.
  struct BiasRows {
    const char* base = nullptr;
    DataType type = DataType::kF32;
    Dim first = 0, gate = 0, unit = 0;  // the first element; strides of gates and units
  };
  using OneElement = std::array<char, sizeof(float)>;  // of any type

  // forward_parameters.cc: weights, bias and peephole into the layout and type of the kernels.
  void PrepareParameters(const TeamThread& thread);
  void PackWeights(const TeamThread& thread);
  void PrepareSlice(Dim l, Dim d, Range blocks, Range projected_blocks);
  int32_t OperandOffset() const;
  void PrepareInt8Slice(Dim l, Dim d, Range blocks);
  void PreparePeephole(Dim l, Dim d, Range blocks);
  void PrepareProjection(Dim l, Dim d, Range blocks);
  BiasRows BiasOf(Dim l, Dim d) const;
  void CopyBias(const BiasRows& bias, Dim bias_gate, Dim gate, Range blocks, float* columns) const;

  // forward_states.cc: src_iter and src_layer in, dst_iter and dst_layer out.
  bool ReadsInitialInPlace() const;
  void LoadStates(const TeamThread& thread, Dim d);
  void LoadInitial(Dim d, Dim l, Dim n) const;
  void LoadCellState(const TeamThread& thread, Dim d, Dim l, Dim n) const;
  void ZeroTails(Dim d, Dim l, Dim n) const;
  void ZeroTail(const TypedRegion& region, Dim row, Dim row_size, Dim valid) const;
  void StageSource(const TeamThread& thread, const Chunk& chunk);
  void StageInput(Dim time, Dim n, Dim to_row);
  void StageRow(const Chunk& chunk, CellPlace place, Dim to_row);
  void StoreLayer(const TeamThread& thread, const Chunk& chunk, const StepOutput& output);
  void SaveStates(const TeamThread& thread, const Chunk& chunk, const StepOutput& output);
  void StoreStates(const TeamThread& thread, const Chunk& chunk, const StepOutput& output);
  void ConvertRow(ConvertArgs args, Dim from_stride, Dim to_stride) const;

  // forward_masks.cc: dropout and zoneout.
  const float* MaskOf(Tensor mask, const Chunk& chunk, CellPlace place, Dim first = 0) const;
  void MaskInput(const Chunk& chunk, CellPlace place, Dim to_row) const;
  ConstStateRows BeginMasks(const TeamThread& thread, const Chunk& chunk, Range rows,
                            const ConstStateRows& previous) const;
  StateRows MaskedStates(const TeamThread& thread, const Chunk& chunk, Range rows,
                         const ConstStateRows& previous) const;
  void KeepCellStates(const TeamThread& thread, const Chunk& chunk, Range rows) const;
  void MixCellStates(const TeamThread& thread, const Chunk& chunk, const StepOutput& output) const;
  void MixStates(const TeamThread& thread, const Chunk& chunk, const StepOutput& output,
                 const ConstStateRows& previous) const;

  // forward_norms.cc: layer normalization.
  BiasRows ParametersOfNorms(Tensor tensor, Dim l, Dim d) const;
  void PrepareNorms(Dim l, Dim d, Range blocks) const;
  NormRowsArgs NormOf(const Chunk& chunk, const StepOutput& step, int part, Dim product) const;
  void RunNormalized(const Chunk& chunk, const StepOutput& step, Dim hoisted, const TileArgs& tile, int part) const;
  void RunNormalizedCell(const Chunk& chunk, const StepOutput& step, const ConstRows& sums, const TileArgs& tile) const;

  // forward_lengths.cc: rows of different lengths.
  Dim ChunkEnd(const TeamThread& thread, Dim d, Range steps) const;
  void StageCells(const TeamThread& thread, const Chunk& chunk);
  void PrefetchInput(Dim time, Dim n) const;
  void StageCell(const TeamThread& thread, const Chunk& chunk, CellPlace place, Dim cell);
  void RunLiveCells(const TeamThread& thread, const Chunk& chunk, Dim step, StepArgs* args);
  void StartRows(const TeamThread& thread, const Chunk& chunk, Dim step, const StateRows& before) const;
  void FinishRows(const TeamThread& thread) const;
  void ZeroBeyondEnd(const TeamThread& thread, Dim d, Dim n) const;
  void HandOn(Tensor from, Tensor to, StatePlace at, Range blocks) const;
  OneElement ZeroOf(DataType type) const;

  // forward_dynamic.cc: dynamic quantization. Each thread has the bytes that it multiplies.
  void QuantizeInput(const TeamThread& thread, const Chunk& chunk, const InputRows& input) const;
  const QuantizedRow* QuantizeStates(const TeamThread& thread, const ConstStateRows& rows, Dim n, Dim channels,
                                     ProductArgs* product) const;
  void QuantizeOperand(const TeamThread& thread, const StepRows& place, const ConstStateRows& previous, TileArgs* tile,
                       CellArgs* cell) const;
  void BeginDynamic(const Chunk& chunk, StepArgs* args) const;
  QuantizedRow QuantizeRow(const void* from, Dim channels, Dim padded, uint8_t* to) const;
  uint8_t* InputBytes(const TeamThread& thread, Dim cell) const {
    return Scratch(at_.x_bytes, (thread.index * plan_.cells_ + cell) * plan_.XBytesRow());
  }
  QuantizedRow* InputScales(const TeamThread& thread, Dim cell) const {
    return Scratch(at_.x_scales, thread.index * plan_.cells_ + cell);
  }

  // forward_run.cc: layer by layer, chunk by chunk.
  TeamThread MakeThread(int index, int team) const;
  void RunDirections(TeamThread* thread);
  void RunSteps(TeamThread* thread, Dim d, Range steps);
  Chunk MakeChunk(const TeamThread& thread, Dim d, Range steps) const;
  void RunLayer(const TeamThread& thread, const Chunk& all_rows, Dim l);
  void RunPart(const TeamThread& thread, const Chunk& chunk, bool last_part);
  InputRows PrepareInput(const TeamThread& thread, const Chunk& chunk);
  bool AddsInput(Dim rows) const;
  int NumRowParts(Dim rows, Dim l) const;
  void HoistInput(const TeamThread& thread, const Chunk& chunk, const InputRows& input);

  // forward_steps.cc: the recurrence.
  void BeginSteps(const TeamThread& thread, const Chunk& chunk, StepArgs* args) const;
  void BeginInput(const TeamThread& thread, const Chunk& chunk, const InputRows& input, StepArgs* args) const;
  void BeginProjection(const TeamThread& thread, const Chunk& chunk, StepArgs* args) const;
  CellArgs MakeCell(const Chunk& chunk) const;
  void MoveCell(const Chunk& chunk, Dim t, Dim hoisted_row, CellArgs* cell) const;
  const void* Attention(const Chunk& chunk, Dim t, Dim hoisted_row) const;
  void RunStep(const TeamThread& thread, const Chunk& chunk, Dim step, const StepRows& place, StepArgs* args);
  StateRows ComputeStep(const TeamThread& thread, const Chunk& chunk, Dim step, const StepRows& place, StepArgs* args);
  void RunTile(RowFunction row_function, const TileArgs& tile) const;
  void Project(const TeamThread& thread, const StateRows& h, Dim rows, StepArgs* args) const;
  TileArgs MakeTile(const TeamThread& thread, const Chunk& chunk, Tensor tensor, int part) const;

  Range LiveRows(const Chunk& chunk, Dim step) const { return Intersection(chunk.walk.Live(step), chunk.rows); }
  Dim CountCells(const Chunk& chunk) const {
    Dim cells = 0;
    for (Dim step = chunk.steps.begin; step < chunk.steps.end; ++step) cells += LiveRows(chunk, step).size();
    return cells;
  }
  Dim FewestRows(const Chunk& chunk) const {
    return std::min(LiveRows(chunk, chunk.steps.begin).size(), LiveRows(chunk, chunk.steps.end - 1).size());
  }
  // The rows of a step in a problem without lengths.
  StepRows AllRows(const TeamThread& thread, const Chunk& chunk, Dim step, const StepArgs& args) const {
    const Dim in_chunk = chunk.walk.Time(step) - chunk.times.begin;
    return {chunk.rows, thread.hoisted_row + in_chunk * chunk.rows.size(), in_chunk * args.input.segment};
  }
  bool IsLast(Dim l) const { return l == problem_.n_layer - 1; }
  Dim SliceIndex(Dim l, Dim d) const { return l * problem_.n_dir + d; }
  Range OutputBlocks(const TeamThread& thread) const {
    return problem_.HasProjection() ? thread.projected_blocks : thread.blocks;
  }
  ConstStateRows InitialRows(Dim d, Dim l) const;
  ConstStateRows RowsBefore(const Chunk& chunk) const;
  StateRows SlotRows(Dim d, Dim l, Dim slot) const;
  StateRows OutputRows(Dim d, Dim l, Dim t, Dim slot) const;
  StateRows DstRows(Dim d, Dim t) const;

  // h of the chunk's time number `in_chunk`.
  StateRows At(const StepArgs& args, Dim in_chunk) const {
    return {static_cast<char*>(args.output.base) + static_cast<size_t>(in_chunk * args.output_segment) * operand_size_,
            args.output.row};
  }
  // Row `row` of `rows`, from which the kernels count.
  StateRows From(const StateRows& rows, Dim row) const {
    return {static_cast<char*>(rows.base) + static_cast<size_t>(row * rows.row) * operand_size_, rows.row};
  }
  ConstStateRows From(const ConstStateRows& rows, Dim row) const {
    return {static_cast<const char*>(rows.base) + static_cast<size_t>(row * rows.row) * operand_size_, rows.row};
  }
  template <class T>
  T* Scratch(const Region<T>& region, Dim index = 0) const {
    return region.In(scratch_, index);
  }
  void* Scratch(const TypedRegion& region, Dim index) const { return region.In(scratch_, index); }
  // The address of c of minibatch row n, unit `unit`.
  float* CellState(Dim d, Dim l, Dim n, Dim unit = 0) const {
    return Scratch(at_.c, ((d * problem_.n_layer + l) * problem_.mb + n) * plan_.u_row_ + unit);
  }
  float* Workspace(size_t offset) const {
    return reinterpret_cast<float*>(static_cast<char*>(buffers_.workspace) + offset);
  }
  const PackedWeights& WeightsOf(Tensor tensor) const {
    return tensor == kWeightsLayer ? plan_.layer_ : tensor == kWeightsIter ? plan_.iter_ : plan_.projection_;
  }
  const int32_t* ColumnSums(Tensor tensor, Dim l, Dim d) const {
    return WeightsOf(tensor).ColumnSums(UserTensor(tensor), scratch_, l, d);
  }
  const char* UserTensor(Tensor tensor) const { return static_cast<const char*>(buffers_.tensor[tensor]); }

  const RnnForward& plan_;
  const RnnProblem& problem_;
  const RnnBuffers& buffers_;
  const ForwardScratch& at_;
  char* scratch_;
  size_t operand_size_;
  bool initial_in_place_;
  const SortedRows rows_;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_RUN_H_
