// Steps of a stream: one execution that never ends. Its parameters are prepared once, its states stay in the scratchpad.
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_STREAM_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_STREAM_H_

#include <memory>
#include <vector>

#include "api/core/rnn/stepper.h"
#include "optimized/forward/forward_run.h"

namespace tandem {
namespace optimized {

class ForwardStream final : public Stepper {
 public:
  ForwardStream(const RnnProblem& problem, const StepWeights& weights, const Target& target);

  void Step(const SteppedRows& rows) override;
  void Run(Dim steps, const SteppedRows& row) override;
  void Save(Dim row, float* h, float* c) const override;
  void Load(Dim row, const float* h, const float* c) override;

 private:
  struct FreeLines {
    void operator()(char* lines) const;
  };
  using Lines = std::unique_ptr<char, FreeLines>;
  static Lines AllocateLines(size_t bytes);

  void StepFirst(Dim count, const SteppedRows& rows);
  void StepPart(const Chunk& chunk);
  Chunk ChunkOf(Dim l, Range rows) const;
  // The arguments of row functions, for steps that start from slot `newest`.
  void PrepareRow(Dim l, Dim newest);
  void StepRow(const SteppedRows& row);
  const void* StagedRow(const SteppedRows& row);
  // A group of rows has their states at home, from where a step takes those of its rows. A single row's states stay where the
  // last step has left them.
  bool IsGroup() const { return problem_.mb > 1; }
  void Fetch(const SteppedRows& rows);
  void Return(const SteppedRows& rows);
  size_t HBytes() const { return static_cast<size_t>(plan_.h_row_) * SizeOf(plan_.state_); }
  size_t CBytes() const { return HasCellState(problem_.cell) ? static_cast<size_t>(plan_.u_row_) * sizeof(float) : 0; }
  // Home() has the states of a row of layer `l` at home, c behind h. H() and C() have those that the next step starts from.
  char* Home(Dim l, Dim row) const;
  char* H(Dim l, Dim row) const;
  float* C(Dim l, Dim row) const { return memory_.CellState(0, l, row); }
  void RoundCellState(float* c) const;

  const RnnForward plan_;
  const Lines scratchpad_;
  RnnBuffers buffers_;
  const SortedRows rows_;
  const RunMemory memory_;
  ForwardRun run_;
  Barrier barrier_;
  TeamThread thread_;
  Dim newest_ = 0;  // slot of h
  Lines home_;
  // One row of a layer by row functions; null if there are none.
  RowFunction part_[2] = {};
  RowFunction project_ = nullptr;
  bool copies_h_ = false;           // a row function writes dst_layer
  std::vector<StepArgs> row_args_;  // [n_layer][newest]
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_STREAM_H_
