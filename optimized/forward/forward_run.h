// One execution of a forward plan, shared by the threads of its team; a `Worker` belongs to one of them.
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_RUN_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_RUN_H_

#include "optimized/forward/forward.h"
#include "optimized/threads/threading.h"

namespace tandem {
namespace optimized {

// Rows of h, or of anything of its type: `base` is minibatch row 0.
struct StateRows {
  void* base = nullptr;
  Dim row = 0;  // elements
};

class ForwardRun {
 public:
  ForwardRun(const RnnForward& plan, const RnnBuffers& buffers);
  void Thread(int thread, int team);

 private:
  // Steps [steps) of one direction whose W x is computed at once. Slots are in the order of time in both directions.
  struct Chunk {
    Range steps;
    Dim first_time = 0;  // of the lowest time in the chunk
    Dim first_slot = 0;  // of that time
  };
  // What belongs to one thread.
  struct Worker {
    Role role;
    Barrier* group;
    bool divided_rows;
    Dim hoisted_row;         // where W x of its group begins: rows are (step in the chunk, minibatch row of the pass)
    Range blocks;            // of dhc
    Range projected_blocks;  // of dic
    StoreMode mode = StoreMode::kAssign;
    Dim last_slot[2] = {-1, -1};  // per direction: where the newest h is
  };
  // A chunk of one layer of one direction, for the minibatch rows whose W x is kept at once.
  struct Pass {
    Dim d, l;
    Chunk chunk;
    Range rows;
  };
  // x of a chunk: `base` is that of its lowest time, `segment` the distance from one time to the next.
  struct InputRows {
    const void* base = nullptr;
    Dim row = 0;
    Dim segment = 0;
  };
  // The kernels' arguments of a pass. From step to step only the addresses of states and of x change.
  struct Step {
    TileArgs tile[2];
    CellArgs cell[2];
    TileArgs projection;
    CellArgs projection_cell;
    InputRows input;  // where W x is added in each step
  };

  // forward_parameters.cc: weights, bias and peephole into the layout and type of the kernels.
  void Prepare(const Worker& worker, Barrier* all, int thread, int team);
  bool PackWeights(int thread, int team);
  void PrepareSlice(Dim l, Dim d, Range blocks, Range projected_blocks);
  int32_t OperandOffset() const;
  void PrepareInt8Slice(Dim l, Dim d, Range blocks);
  void PreparePeephole(Dim l, Dim d, Range blocks);
  void PrepareProjection(Dim l, Dim d, Range blocks);
  void CopyBias(Dim l, Dim d, Dim bias_gate, Dim gate, Range blocks, float* columns) const;

  // forward_states.cc: src_iter and src_layer in, dst_iter and dst_layer out.
  bool ReadsInitialInPlace() const;
  void LoadStates(const Worker& worker, Dim d);
  void LoadInitial(Dim d, Dim l, Dim n) const;
  void LoadCellState(const Worker& worker, Dim d, Dim l, Dim n) const;
  void ZeroTails(Dim d, Dim l, Dim n) const;
  void ZeroTail(const TypedRegion& region, Dim row, Dim row_size, Dim valid) const;
  void StageSource(const Worker& worker, const Pass& pass);
  void StoreLayer(const Worker& worker, const Pass& pass, Dim t, const StateRows& h);
  void StoreStates(const Worker& worker, Dim d);
  void SaveStates(const Worker& worker, const Pass& pass, Dim t, const StateRows& h);
  void ConvertRow(ConvertArgs args, Dim from_stride, Dim to_stride) const;

  // forward_run.cc: layer by layer, chunk by chunk.
  Worker MakeWorker(int thread, int team) const;
  void RunDirections(Worker* worker, Barrier* all);
  void RunSteps(Worker* worker, Dim d, Range steps);
  Chunk MakeChunk(const Worker& worker, Dim d, Range steps) const;
  void RunLayer(const Worker& worker, Dim d, Dim l, const Chunk& chunk);
  InputRows PrepareInput(const Worker& worker, const Pass& pass);
  bool AddsInput(Dim rows) const;
  int NumPasses(Dim rows, Dim l) const;
  void HoistInput(const Worker& worker, const Pass& pass, const InputRows& input);

  // forward_steps.cc: the recurrence.
  void BeginSteps(const Worker& worker, const Pass& pass, Step* step) const;
  void BeginInput(const Worker& worker, const Pass& pass, const InputRows& input, Step* step) const;
  void BeginProjection(const Worker& worker, const Pass& pass, Step* step) const;
  CellArgs MakeCell(const Pass& pass) const;
  void MoveCell(const Pass& pass, Dim t, CellArgs* cell) const;
  void RunStep(const Worker& worker, const Pass& pass, Dim index, Step* step);
  TileArgs MakeTile(const Worker& worker, const Pass& pass, Tensor tensor, int part) const;

  Dim TimeOf(Dim d, Dim step) const { return problem_.IsReversed(d) ? problem_.n_iter - 1 - step : step; }
  bool IsLast(Dim l) const { return l == problem_.n_layer - 1; }
  Dim SliceIndex(Dim l, Dim d) const { return l * problem_.n_dir + d; }
  Range OutputBlocks(const Worker& worker) const {
    return problem_.HasProjection() ? worker.projected_blocks : worker.blocks;
  }
  StateRows Previous(const Worker& worker, const Pass& pass, Dim step) const;
  StateRows SlotRows(Dim d, Dim l, Dim slot) const;
  StateRows OutputRows(Dim d, Dim l, Dim t, Dim slot) const;

  // Row `row` of `rows`, from which the kernels count.
  StateRows From(const StateRows& rows, Dim row) const {
    if (rows.base == nullptr) return rows;
    return {static_cast<char*>(rows.base) + static_cast<size_t>(row * rows.row) * operand_size_, rows.row};
  }
  template <class T>
  T* Scratch(const Region<T>& region, Dim index = 0) const {
    return region.In(scratch_, index);
  }
  void* Scratch(const TypedRegion& region, Dim index) const { return region.In(scratch_, index); }
  // From unit `unit` on, c of minibatch row n.
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
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_RUN_H_
