#include "optimized/forward/forward_states.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tandem {
namespace optimized {
namespace {

// Copies `n` elements; a stride of 0 repeats one.
struct ElementCopy {
  const char* from;
  Dim from_stride;
  char* to;
  Dim to_stride;
  size_t size;

  void operator()(Dim n) const {
    if (from == to) return;
    if (from_stride == 1 && to_stride == 1) {
      std::memcpy(to, from, static_cast<size_t>(n) * size);
      return;
    }
    for (Dim i = 0; i < n; ++i) {
      std::memcpy(to + static_cast<size_t>(i * to_stride) * size, from + static_cast<size_t>(i * from_stride) * size,
                  size);
    }
  }
};

struct StatePlace {
  Dim l, d, n;
};
using OneElement = std::array<char, sizeof(float)>;  // of any type

void ZeroTails(const RunMemory& run, Dim d, Dim l, Dim n) {
  const Dim layer_row = d * run.problem.n_layer + l;
  for (Dim slot = 0; slot < run.plan.slots; ++slot) {
    run.ZeroTail(run.at.states, (layer_row * run.plan.slots + slot) * run.problem.mb + n, run.plan.h_row,
                 run.problem.dic);
  }
  run.ZeroTail(run.at.initial, layer_row * run.problem.mb + n, run.plan.h_row, run.problem.sic);
  const Dim row = d * run.problem.mb + n;
  if (run.problem.HasProjection()) run.ZeroTail(run.at.unprojected, row, run.plan.u_row, run.problem.dhc);
  if (WaitsForReset(run.problem.cell)) {
    run.ZeroTail(run.at.reset_h, row, run.plan.u_row, run.problem.dhc);
  }
}

void LoadInitial(const RunMemory& run, Dim d, Dim l, Dim n) {
  const DataType operand = run.plan.state;
  const Dim row = (d * run.problem.n_layer + l) * run.problem.mb + n;
  void* initial = run.Scratch(run.at.initial, row * run.plan.h_row);
  if (run.problem.Has(kSrcIter)) {
    const MemoryDesc& md = run.problem.md[kSrcIter];
    const char* from = run.UserElement(kSrcIter, {l, d, run.rows.UserRow(n), 0});
    run.ConvertRow({from, TypeOf(md), initial, operand, run.problem.sic, StoreMode::kAssign, {}}, Strides(md)[3], 1);
  } else if (!run.problem.IsInt8()) {  // multiplied as any state is
    std::memset(initial, 0, static_cast<size_t>(run.problem.sic) * run.operand_size);
  } else {  // the byte that stands for zero
    const float zero = 0.f;
    run.ConvertRow({&zero, DataType::kF32, initial, operand, run.problem.sic, StoreMode::kAssign, {}}, 0, 1);
  }
}

void LoadCellState(const RunMemory& run, const TeamThread& thread, Dim d, Dim l, Dim n) {
  const Dim begin = thread.blocks.begin * kBlock;
  const Dim valid = std::min(thread.blocks.end * kBlock, run.problem.dhc) - begin;
  float* c = run.CellState(d, l, n, begin);
  std::fill(c, c + thread.blocks.size() * kBlock, 0.f);
  if (!run.problem.Has(kSrcIterC) || valid <= 0) return;
  const MemoryDesc& md = run.problem.md[kSrcIterC];
  const char* from = run.UserElement(kSrcIterC, {l, d, run.rows.UserRow(n), begin});
  run.ConvertRow({from, TypeOf(md), c, DataType::kF32, valid, StoreMode::kAssign, {}}, Strides(md)[3], 1);
}

// 0.0 as an output of that type has it.
OneElement ZeroOf(const RunMemory& run, DataType type) {
  OneElement zero = {};
  const float value = 0.f;
  if (IsByte(type)) run.ConvertRow({&value, DataType::kF32, zero.data(), type, 1, StoreMode::kAssign, {}}, 1, 1);
  return zero;
}

void ZeroBeyondEnd(const RunMemory& run, const TeamThread& thread, Dim d, Dim n) {
  const MemoryDesc& md = run.problem.md[kDstLayer];
  const Range blocks = thread.output_blocks;
  const Range units = {blocks.begin * kBlock, std::min(blocks.end * kBlock, run.problem.dic)};
  if (units.empty()) return;
  const Dim first = run.problem.direction == Direction::kBidirectionalConcat ? d * run.problem.dic : 0;
  const OneElement zero = ZeroOf(run, TypeOf(md));
  const bool bytes = Strides(md)[2] == 1 && std::all_of(zero.begin(), zero.end(), [&](char c) { return c == zero[0]; });
  for (Dim t = run.rows.Length(n); t < run.problem.n_iter; ++t) {
    const size_t size = SizeOf(TypeOf(md));
    char* to = run.UserElement(kDstLayer, {t, run.rows.UserRow(n), first + units.begin});
    if (bytes || (size == 1 && Strides(md)[2] == 1)) {
      std::memset(to, zero[0], static_cast<size_t>(units.size()) * size);
    } else {
      ElementCopy{zero.data(), 0, to, Strides(md)[2], size}(units.size());
    }
  }
}

// A state that no step has changed, as it is; zeros where none was given. `at`: layer, direction, the user's row.
void HandOn(const RunMemory& run, Tensor from, Tensor to, StatePlace at, Range blocks) {
  if (!run.problem.Has(to)) return;
  const MemoryDesc &to_md = run.problem.md[to], &from_md = run.problem.md[from];
  const Dim begin = blocks.begin * kBlock, end = std::min(blocks.end * kBlock, to_md.dims[3]);
  if (begin >= end) return;
  const size_t size = SizeOf(TypeOf(to_md));
  char* target = run.UserElement(to, {at.l, at.d, at.n, begin});
  const OneElement zero = ZeroOf(run, TypeOf(to_md));
  if (!run.problem.Has(from)) return ElementCopy{zero.data(), 0, target, Strides(to_md)[3], size}(end - begin);
  const char* source = run.UserElement(from, {at.l, at.d, at.n, begin});
  ElementCopy{source, Strides(from_md)[3], target, Strides(to_md)[3], size}(end - begin);
}

}  // namespace

void LoadStates(const RunMemory& run, const TeamThread& thread, Dim d) {
  const Role& role = thread.role;
  const bool copies = run.plan.tails || !run.initial_in_place;
  for (Dim l = 0; l < run.problem.n_layer; ++l) {
    for (Dim n = role.rows.begin; n < role.rows.end; ++n) {
      if (HasCellState(run.problem.cell)) LoadCellState(run, thread, d, l, n);
      if (!copies || n % role.unit_count != role.unit_index) continue;
      if (run.plan.tails) ZeroTails(run, d, l, n);
      if (!run.initial_in_place) LoadInitial(run, d, l, n);
    }
  }
  if (copies) thread.group->Wait();
}

void StartRows(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, Dim step, const StateRows& before) {
  const Range rows = Intersection(chunk.walk.Starting(step), chunk.rows);
  const Range blocks = thread.output_blocks;
  const Range units = {blocks.begin * kBlock, std::min(blocks.end * kBlock, run.problem.dic)};
  if (units.empty()) return;
  const ConstStateRows initial = run.InitialRows(chunk.d, chunk.l);
  for (Dim n = rows.begin; n < rows.end; ++n) {
    std::memcpy(run.From(before, n, units.begin).base, run.From(initial, n, units.begin).base,
                static_cast<size_t>(units.size()) * run.operand_size);
  }
}

void StoreLayer(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const StepOutput& output) {
  const MemoryDesc& md = run.problem.md[kDstLayer];
  const Dim begin = thread.output_blocks.begin * kBlock;
  const Dim end = std::min(thread.output_blocks.end * kBlock, run.problem.dic);
  if (begin >= end) return;
  const bool concat = run.problem.direction == Direction::kBidirectionalConcat;
  const Dim channel = (concat ? chunk.d * run.problem.dic : 0) + begin;
  const auto place = [&](Dim n) { return run.UserElement(kDstLayer, {output.time, run.rows.UserRow(n), channel}); };
  const size_t bytes = static_cast<size_t>(end - begin) * SizeOf(TypeOf(md));
  for (Dim n = output.rows.begin; n < output.rows.end; ++n) {
    const void* from = run.From(output.h, n - chunk.rows.begin, begin).base;
    char* to = place(n);
    if (run.plan.ragged && n + 1 < output.rows.end) PrefetchRow<Access::kWrite>(place(n + 1), bytes);
    run.ConvertRow({from, run.plan.state, to, TypeOf(md), end - begin, thread.mode, {}}, 1, Strides(md)[2]);
  }
}

void SaveStates(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const StepOutput& output) {
  const Dim l = chunk.l, d = chunk.d, t = output.time;
  const StateRows& h = output.h;
  const WorkspaceLayout& layout = run.plan.workspace;
  const Range outputs = {thread.output_blocks.begin * kBlock, thread.output_blocks.end * kBlock};
  const Range units = {thread.blocks.begin * kBlock, thread.blocks.end * kBlock};
  for (Dim n = output.rows.begin; n < output.rows.end; ++n) {
    if (outputs.size() > 0) {
      float* to = run.Workspace(layout.H(l, d, t)) + n * layout.h_row + outputs.begin;
      const Dim valid = std::min(outputs.end, run.problem.dic) - outputs.begin;
      const void* from = run.From(h, n - chunk.rows.begin, outputs.begin).base;
      run.ConvertRow({from, run.plan.state, to, DataType::kF32, valid, StoreMode::kAssign, {}}, 1, 1);
      // A client's workspace may begin at any byte: no float is stored there by assignment.
      std::memset(to + valid, 0, static_cast<size_t>(outputs.size() - valid) * sizeof(float));
    }
    if (layout.c_row != 0) {
      const float* from = run.CellState(d, l, n, units.begin);
      std::copy(from, from + units.size(), run.Workspace(layout.C(l, d, t)) + n * layout.c_row + units.begin);
    }
  }
}

void StoreStates(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const StepOutput& output) {
  const StateRows& h = output.h;
  const Range outputs = {thread.output_blocks.begin * kBlock, thread.output_blocks.end * kBlock};
  const Range units = {thread.blocks.begin * kBlock, thread.blocks.end * kBlock};
  for (Dim n = output.rows.begin; n < output.rows.end; ++n) {
    const auto store = [&](Tensor tensor, const void* from, DataType type, Range channels, Dim count) {
      const Dim valid = std::min(channels.end, count) - channels.begin;
      if (!run.problem.Has(tensor) || valid <= 0) return;
      const MemoryDesc& md = run.problem.md[tensor];
      char* to = run.UserElement(tensor, {chunk.l, chunk.d, run.rows.UserRow(n), channels.begin});
      run.ConvertRow({from, type, to, TypeOf(md), valid, StoreMode::kAssign, {}}, 1, Strides(md)[3]);
    };
    store(kDstIter, run.From(h, n - chunk.rows.begin, outputs.begin).base, run.plan.state, outputs, run.problem.dic);
    if (!HasCellState(run.problem.cell)) continue;
    store(kDstIterC, run.CellState(chunk.d, chunk.l, n, units.begin), DataType::kF32, units, run.problem.dhc);
  }
}

void FinishRows(const RunMemory& run, const TeamThread& thread) {
  const bool concat = run.problem.direction == Direction::kBidirectionalConcat;
  for (Dim d = thread.role.dirs.begin; d < thread.role.dirs.end; ++d) {
    if (d == 0 || concat) {
      for (Dim n = thread.role.rows.begin; n < thread.role.rows.end; ++n) ZeroBeyondEnd(run, thread, d, n);
    }
    for (Dim n = std::max(thread.role.rows.begin, run.rows.FirstEmpty()); n < thread.role.rows.end; ++n) {
      for (Dim l = 0; l < run.problem.n_layer; ++l) {
        HandOn(run, kSrcIter, kDstIter, {l, d, run.rows.UserRow(n)}, thread.output_blocks);
        if (HasCellState(run.problem.cell))
          HandOn(run, kSrcIterC, kDstIterC, {l, d, run.rows.UserRow(n)}, thread.blocks);
      }
    }
  }
}

}  // namespace optimized
}  // namespace tandem
