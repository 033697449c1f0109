// One execution of a backward plan, shared by the threads of its team.
//
// For each direction and layer, from the last: the recurrence over a chunk of time steps, from the last, divided by
// minibatch rows or units; then the products over all rows (t, n) of the chunk. There the gradients of the weights are divided by
// columns: each sum belongs to one thread, so that results do not depend on the number of threads.
#ifndef TANDEM_OPTIMIZED_BACKWARD_BACKWARD_RUN_H_
#define TANDEM_OPTIMIZED_BACKWARD_BACKWARD_RUN_H_

#include <algorithm>

#include "api/core/rnn/step_walk.h"
#include "optimized/backward/backward.h"
#include "optimized/backward/gate_panels.h"
#include "optimized/threads/threading.h"

namespace tandem {
namespace optimized {

struct TransposeArgs;

class BackwardRun {
 public:
  BackwardRun(const RnnBackward& plan, const RnnBuffers& buffers);
  void RunThread(int index, int team);

 private:
  // The state that belongs to one thread.
  struct TeamThread {
    int index;       // in the team
    int team;        // threads
    Barrier* all;    // of the team
    Barrier* group;  // of the threads that share rows
    Role role;
    Range rows;      // of the minibatch, whose steps it takes part in
    Range own_rows;  // of these, what it loads and stores
    Range blocks;    // of units, in steps
  };
  // Steps [steps) of one layer of one direction, between two products for the weights.
  struct Chunk {
    Dim l, d;
    StepWalk walk;
    Range steps;
    Range times;  // of these steps
    bool first;   // of the chunks of this layer: sums start from zero
  };
  // LBR's candidate has one gradient as weights_layer sees it, another as weights_iter does.
  enum class SeenBy { kLayer, kIter };
  // A product of the gradients: rows of `transposed` times a panel.
  struct WeightsProduct {
    const TypedRegion& transposed;
    Dim k;  // rows of it
  };
  // Blocks of a panel, and where they are summed: `first` makes the sums start from zeros.
  struct WeightsSum {
    Range blocks;
    Rows rows;
    bool first;
  };

  // backward_parameters.cc: weights and peephole into the kernels' layout and type.
  void PackWeights(const TeamThread& thread);
  void PreparePeephole(Dim l, Dim d);

  // backward_states.cc: states, layers and attention between the user's tensors and rows of f32.
  void LoadStates(const TeamThread& thread, Dim l, Dim d);
  void StageFromAbove(const TeamThread& thread, const Chunk& chunk);
  bool StagesInput(const Chunk& chunk) const { return problem_.Has(kMaskLayer) || (plan_.ragged_ && chunk.l == 0); }
  void StageInput(const TeamThread& thread, const Chunk& chunk);
  void ZeroBeyondEnds(const TeamThread& thread) const;
  void StoreSource(const TeamThread& thread, const Chunk& chunk);
  void StoreStates(const TeamThread& thread, Dim l, Dim d);
  void LoadAttention(const TeamThread& thread);
  void StoreAttention(const TeamThread& thread);
  void LoadElements(Tensor tensor, Dim first, Dim stride, Dim n, float* to) const;
  void LoadRows(Tensor tensor, Dim l, Dim d, Range rows, Rows to, Dim n);
  void StoreRows(Tensor tensor, Dim l, Dim d, Range rows, ConstRows from, Dim n);

  // backward_masks.cc: dropout and zoneout.
  const float* MaskOf(Tensor mask, const Chunk& chunk, Dim t, Dim n, Dim first = 0) const;
  void MaskRow(Tensor mask, const Chunk& chunk, Dim t, Dim n, float* row) const;
  void StageMaskedStates(const TeamThread& thread, const Chunk& chunk) const;
  Range OwnStates(const TeamThread& thread) const;
  void SplitStates(const TeamThread& thread, const Chunk& chunk, Dim t, BackwardCellArgs* cell) const;
  void SplitCellStates(const TeamThread& thread, const Chunk& chunk, Dim t, const BackwardCellArgs& cell) const;
  void JoinCellStates(const TeamThread& thread, const BackwardCellArgs& cell) const;
  void JoinStates(const TeamThread& thread, const Chunk& chunk, Dim t, const BackwardCellArgs& cell) const;
  ConstRows RunMaskedReset(const Chunk& chunk, Dim t, const BackwardCellArgs& args) const;
  void MaskSourceGradient(const TeamThread& thread, const Chunk& chunk) const;

  // backward_norms.cc: layer normalization.
  void PrepareNorms(Dim l, Dim d);
  void RunNormedCell(const Chunk& chunk, Dim step, const BackwardCellArgs& args) const;
  void ThroughNorms(const Chunk& chunk, Dim t, Range rows, int part) const;
  void NormGradients(const TeamThread& thread, const Chunk& chunk) const;
  bool NormalizesGates() const { return problem_.attr.rnn_layer_norm.kind != NormKind::kNone; }
  // The gradient of what the norm of a product made.
  const Region<float>& DeltaOf(Dim product) const { return product == 1 && IsLbr() ? at_.delta_iter : at_.delta; }

  // backward_run.cc: layer by layer, chunk by chunk.
  void RunLayer(const TeamThread& thread, Dim d, Dim l);
  void RunChunk(const TeamThread& thread, const Chunk& chunk);
  Chunk MakeChunk(Dim d, Dim l, Dim last_step) const;
  Range TimesOfChunk(Dim time) const;
  void SourceGradient(const TeamThread& thread, const Chunk& chunk);

  // backward_steps.cc: the recurrence.
  void RunStep(const TeamThread& thread, const Chunk& chunk, Dim step);
  BackwardCellArgs MakeCell(const TeamThread& thread, const Chunk& chunk, Dim step) const;
  void Unproject(const TeamThread& thread, const Chunk& chunk, Dim t, BackwardCellArgs* cell);
  void RunCell(const Chunk& chunk, Dim step, const BackwardCellArgs& args, decltype(BackwardKernels::cell) run) const;
  void ResetStep(const TeamThread& thread, const Chunk& chunk, Dim step, const BackwardCellArgs& cell);
  // out = init + a * weights^T, summed over columns [k) of the gates.
  struct Product {
    const PackedWeights* weights;
    const char* slice;  // of them
    Range k;
    const void* a;  // row 0, column k.begin, in the kernels' operand type
    Dim a_row;
    ConstRows init;
    Rows out;
    Range rows;
    Range blocks;  // of the columns of weights^T
  };
  Product MakeProduct(Tensor tensor, const Chunk& chunk) const;
  void Multiply(const Product& product) const;
  // The gates' gradients as Multiply() takes them: column `column` of row (t, 0).
  const void* GatesOperand(const Chunk& chunk, Dim t, SeenBy by, Dim column) const;
  void NarrowGates(const Chunk& chunk, Dim t, Range rows, Range columns) const;
  void NarrowPart(const TeamThread& thread, const Chunk& chunk, Dim t, Range rows, int part) const;
  TeamThread MakeThread(int index, int team) const;

  // weights_gradients.cc: the gradients of the weights.
  void Transpose(const TeamThread& thread, const Chunk& chunk);
  void TransposeInput(const TeamThread& thread, const Chunk& chunk);
  void TransposeStates(const TeamThread& thread, const Chunk& chunk);
  void TransposeInto(const TransposeArgs& args, const TypedRegion& region, Dim first_row);
  void ZeroPadding(const TypedRegion& region, Dim rows, Range k);
  void WeightsGradients(const TeamThread& thread, const Chunk& chunk);
  void PanelGradients(const TeamThread& thread, const Chunk& chunk, Range rows, const GatePanel& panel);
  void ProjectionGradients(const TeamThread& thread, const Chunk& chunk, Range rows, Range columns);
  void PeepholeGradients(const TeamThread& thread, const Chunk& chunk);
  void AddToSums(const TeamThread& thread, const Chunk& chunk, Range rows, const GatePanel& panel, Tensor tensor,
                 const WeightsProduct& product) const;
  Rows UsersSum(Tensor tensor, const Chunk& chunk, const GatePanel& panel) const;
  void MultiplyPanel(const TeamThread& thread, Range rows, const WeightsProduct& product, const WeightsSum& sum) const;

  // store_gradients.cc: the sums into the user's tensors.
  void StoreGradients(const TeamThread& thread, Dim l, Dim d);
  void StoreWeights(const TeamThread& thread, Tensor tensor, Dim l, Dim d);
  void StoreBlock(ConstRows from, Dim rows, Dim units, Tensor tensor, const Dim* index);
  void StoreProjection(const TeamThread& thread, Dim l, Dim d);
  void StoreBias(Dim l, Dim d);
  void StorePeephole(Dim l, Dim d);
  void StoreColumns(const float* sums, Dim gate, Tensor tensor, const Dim* index);
  void StoreNorms(Dim l, Dim d);

  // [k][columns up to a block], so that a product writes one stream of memory.
  Rows ScratchSum(Tensor tensor, const GatePanel& in_scratch) const {
    const Region<float>& sums = tensor == kDiffWeightsLayer ? at_.diff_weights_layer : at_.diff_weights_iter;
    const Dim first = panels_.ScratchPosition(in_scratch);
    return {Scratch(sums, first * problem_.md[tensor].dims[2]), RoundUp(in_scratch.columns, kBlock)};
  }

  // Returns the row of the chunk at which time t begins.
  Dim FirstRow(const Chunk& chunk, Dim t) const { return rows_.CellsBefore(t) - rows_.CellsBefore(chunk.times.begin); }
  Dim RowsOf(const Chunk& chunk) const { return FirstRow(chunk, chunk.times.end); }
  Range LiveRows(const Chunk& chunk, Dim t) const { return chunk.walk.Live(chunk.walk.Step(t)); }
  Dim PaddedRows() const { return RoundUp(plan_.ChunkRows(), std::max(kBlock, plan_.gradient_kernels_.padding)); }
  // Says whether the rows of a chunk are the first ones of their layer.
  bool IsFirst(const Chunk& chunk, Range rows) const { return chunk.first && rows.begin == 0; }
  // Returns the place where a thread packs the panel of gate gradients that it multiplies with.
  Dim PanelOffset(const TeamThread& thread) const {
    return thread.index * std::min(plan_.tuning_.backward.product_rows, PaddedRows()) * kPanelColumns;
  }
  bool IsLbr() const { return IsLinearBeforeReset(problem_.cell); }
  bool HasResetProduct() const { return WaitsForReset(problem_.cell); }
  Dim Columns() const { return plan_.columns_.columns; }
  // The zeros with which the columns of a part end: products leave them out.
  Dim Padding() const { return plan_.unit_row_ - problem_.dhc; }

  ConstRows SavedH(Dim l, Dim d, Dim t) const;
  ConstRows SavedC(Dim l, Dim d, Dim t) const;
  // h and c before zoneout mixed them.
  ConstRows OwnH(Dim l, Dim d, Dim t) const;
  ConstRows OwnC(Dim l, Dim d, Dim t) const;
  // The states that rows of a step started from: `first`, the states before their first step, or those of the step before.
  enum class From { kFirst, kStepBefore };
  ConstRows PreviousH(const Chunk& chunk, Dim step, From from) const;
  ConstRows PreviousC(const Chunk& chunk, Dim step, From from) const;
  // Calls use(rows, from) for those of `rows` that live in a step.
  template <class Use>
  void ForEachOrigin(const Chunk& chunk, Dim step, Range rows, const Use& use) const {
    const Range starting = chunk.walk.Starting(step), live = chunk.walk.Live(step);
    const Range before = Intersection(rows, {live.begin, starting.begin}), first = Intersection(rows, starting);
    if (!before.empty()) use(before, From::kStepBefore);
    if (!first.empty()) use(first, From::kFirst);
  }
  ConstRows FromAbove(const Chunk& chunk, Dim t) const;
  // Row (t, 0) of a region of a chunk's rows.
  Rows ChunkRows(const Region<float>& region, const Chunk& chunk, Dim t, Dim row) const {
    return {Scratch(region, FirstRow(chunk, t) * row), row};
  }
  Rows DiffX(const Chunk& chunk, Dim t) const {
    const Dim row = problem_.n_layer > 1 ? rows_.CellsBefore(t) : FirstRow(chunk, t);
    return {Scratch(at_.diff_x, row * plan_.x_row_), plan_.x_row_};
  }
  template <class T>
  T* Scratch(const Region<T>& region, Dim index = 0) const {
    return region.In(scratch_, index);
  }
  ConstRows Zeros() const { return {Scratch(at_.zeros), 0}; }
  const float* Saved(size_t offset) const { return reinterpret_cast<const float*>(workspace_ + offset); }
  const PackedWeights& WeightsOf(Tensor tensor) const {
    return tensor == kWeightsLayer ? plan_.layer_ : tensor == kWeightsIter ? plan_.iter_ : plan_.projection_;
  }

  const RnnBackward& plan_;
  const RnnProblem& problem_;
  const GatePanels panels_;
  const RnnBuffers& buffers_;
  const BackwardScratch& at_;
  char* scratch_;
  const char* workspace_;
  const SortedRows rows_;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_BACKWARD_BACKWARD_RUN_H_
