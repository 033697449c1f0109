// One execution of a forward plan, shared by the threads of its team.
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_RUN_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_RUN_H_

#include "optimized/forward/chunk.h"

namespace tandem {
namespace optimized {

class ForwardRun : private RunMemory {
 public:
  explicit ForwardRun(const RunMemory& memory);
  void RunThread(int index, int team);

 private:
  friend class ForwardStream;
  // forward_input.cc: src_layer in.
  void StageSource(const TeamThread& thread, const Chunk& chunk);
  void StageInput(Dim time, Dim n, Dim to_row);
  void StageRow(const Chunk& chunk, CellPlace place, Dim to_row);

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
  NormRowsArgs NormOf(const Chunk& chunk, const StepOutput& step, int part, Dim product) const;
  void RunNormalized(const Chunk& chunk, const StepOutput& step, Dim hoisted, const TileArgs& tile, int part) const;
  void RunNormalizedCell(const Chunk& chunk, const StepOutput& step, const ConstRows& sums, const TileArgs& tile) const;

  // forward_lengths.cc: rows of different lengths.
  Dim ChunkEnd(const TeamThread& thread, Dim d, Range steps) const;
  void StageCells(const TeamThread& thread, const Chunk& chunk);
  void PrefetchInput(Dim time, Dim n) const;
  void StageCell(const TeamThread& thread, const Chunk& chunk, CellPlace place, Dim cell);
  void RunLiveCells(const TeamThread& thread, const Chunk& chunk, Dim step, StepArgs* args);

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

  ConstStateRows RowsBefore(const Chunk& chunk) const;
  // h of the chunk's time number `in_chunk`.
  StateRows At(const StepArgs& args, Dim in_chunk) const {
    return {static_cast<char*>(args.output.base) + static_cast<size_t>(in_chunk * args.output_segment) * operand_size_,
            args.output.row};
  }
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_RUN_H_
