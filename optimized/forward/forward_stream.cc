// Steps of a stream: one execution that never ends. Its parameters are prepared once, its states stay in the scratchpad.
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "api/core/float_environment.h"
#include "api/core/os/os.h"
#include "api/core/rnn/stepper.h"
#include "optimized/forward/forward_input.h"
#include "optimized/forward/forward_parameters.h"
#include "optimized/forward/forward_states.h"
#include "optimized/forward/forward_steps.h"
#include "optimized/machine/target.h"

namespace tandem {
namespace optimized {
namespace {

// Types of states without their memory: those lie in the scratchpad.
RnnProblem WithoutSources(RnnProblem problem) {
  problem.md[kSrcIter] = problem.md[kSrcIterC] = {};
  return problem;
}

TeamOptions OneThread() {
  TeamOptions team;
  team.division = Division{1, 1, 1};
  return team;
}

RnnBuffers BuffersOf(const StepWeights& weights, void* scratchpad) {
  RnnBuffers buffers;
  for (size_t i = 0; i < weights.size(); ++i) buffers.tensor[i] = const_cast<void*>(weights[i]);
  buffers.scratchpad = scratchpad;
  return buffers;
}

class ForwardStream final : public Stepper {
 public:
  ForwardStream(const RnnProblem& problem, const StepWeights& weights, const Target& target);

  void Step(const SteppedRows& rows) override;
  void Run(Dim steps, const SteppedRows& row) override;
  void Save(Dim row, float* h, float* c) const override;
  void Load(Dim row, const float* h, const float* c) override;

 private:
  struct FreeLines {
    void operator()(char* lines) const { os::FreeAligned(lines); }
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
  size_t HBytes() const { return static_cast<size_t>(plan_.h_row) * SizeOf(plan_.state); }
  size_t CBytes() const { return HasCellState(problem_.cell) ? static_cast<size_t>(plan_.u_row) * sizeof(float) : 0; }
  // Home() has the states of a row of layer `l` at home, c behind h. H() and C() have those that the next step starts from.
  char* Home(Dim l, Dim row) const;
  char* H(Dim l, Dim row) const;
  float* C(Dim l, Dim row) const { return run_.CellState(0, l, row); }
  void RoundCellState(float* c) const;

  const RnnForward plan_;
  const Lines scratchpad_;
  RnnBuffers buffers_;
  const SortedRows rows_;
  const RunMemory run_;
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

// Zeros, so that a step touches no page for the first time.
ForwardStream::Lines ForwardStream::AllocateLines(size_t bytes) {
  constexpr size_t kLine = 64;
  const size_t whole = (bytes + kLine - 1) / kLine * kLine;
  Lines lines(static_cast<char*>(os::AllocateAligned(kLine, whole)));
  if (lines == nullptr) throw std::bad_alloc();
  std::memset(lines.get(), 0, whole);
  return lines;
}

ForwardStream::ForwardStream(const RnnProblem& problem, const StepWeights& weights, const Target& target)
    : Stepper(problem),
      plan_(WithoutSources(problem), target, OneThread(), LastStates::kInScratchpad),
      scratchpad_(AllocateLines(plan_.scratchpad_bytes())),
      buffers_(BuffersOf(weights, scratchpad_.get())),
      rows_(problem_, buffers_, plan_.scratch.sorted_rows, scratchpad_.get()),
      run_(plan_, buffers_, rows_),
      barrier_(plan_.scratch.group_flags.In(scratchpad_.get()), 0, 0, 1, 1, plan_.backoff),
      thread_(MakeThread(run_, 0, 1)) {
  thread_.all = thread_.group = &barrier_;
  const FloatEnvironment environment(Subnormals::kZero);
  PrepareParameters(run_, thread_);
  if (IsGroup()) {
    home_ = AllocateLines(static_cast<size_t>(problem_.n_layer * problem_.mb) * (HBytes() + CBytes()));
  }
  if (plan_.RowFunctionFor(TileOp::kGates) != nullptr) {
    copies_h_ = TypeOf(problem_.md[kDstLayer]) == plan_.state;
    row_args_.resize(static_cast<size_t>(2 * problem_.n_layer));
    for (Dim l = 0; l < problem_.n_layer; ++l) {
      for (const Dim newest : {1, 0}) PrepareRow(l, newest);
    }
  }
  for (Dim row = 0; row < problem_.mb; ++row) Load(row, nullptr, nullptr);
}

char* ForwardStream::Home(Dim l, Dim row) const {
  return home_.get() + static_cast<size_t>(l * problem_.mb + row) * (HBytes() + CBytes());
}

char* ForwardStream::H(Dim l, Dim row) const {
  return static_cast<char*>(run_.SlotRows(0, l, newest_).base) + static_cast<size_t>(row) * HBytes();
}

void ForwardStream::Fetch(const SteppedRows& rows) {
  for (Dim l = 0; l < problem_.n_layer; ++l) {
    for (Dim i = 0; i < rows.count; ++i) {
      const char* home = Home(l, rows.rows == nullptr ? i : rows.rows[i]);
      std::memcpy(H(l, i), home, HBytes());
      if (CBytes() > 0) std::memcpy(C(l, i), home + HBytes(), CBytes());
    }
  }
}

void ForwardStream::Return(const SteppedRows& rows) {
  for (Dim l = 0; l < problem_.n_layer; ++l) {
    for (Dim i = 0; i < rows.count; ++i) {
      char* home = Home(l, rows.rows == nullptr ? i : rows.rows[i]);
      std::memcpy(home, H(l, i), HBytes());
      if (CBytes() > 0) std::memcpy(home + HBytes(), C(l, i), CBytes());
    }
  }
}

Chunk ForwardStream::ChunkOf(Dim l, Range rows) const {
  return {l, 0, StepWalk(plan_.problem(), 0), {0, 1}, {0, 1}, rows, 1 - newest_, newest_};
}

// A step of the rows whose states lie first.
void ForwardStream::StepFirst(Dim count, const SteppedRows& rows) {
  if (count == 1 && part_[0] != nullptr) return StepRow(rows);
  buffers_.tensor[kSrcLayer] = const_cast<void*>(rows.src_layer);
  buffers_.tensor[kAugruAttention] = const_cast<void*>(rows.augru_attention);
  buffers_.tensor[kDstLayer] = rows.dst_layer;
  for (Dim l = 0; l < problem_.n_layer; ++l) {
    const int parts = NumRowParts(run_, count, l);
    for (int i = 0; i < parts; ++i) StepPart(ChunkOf(l, Share(count, i, parts)));
  }
  newest_ = 1 - newest_;
}

// Rows of a layer whose W x is kept at once.
void ForwardStream::StepPart(const Chunk& chunk) {
  StepArgs args;
  BeginSteps(run_, thread_, chunk, &args);
  args.before = run_.From(run_.SlotRows(0, chunk.l, newest_), chunk.rows.begin);
  BeginInput(run_, thread_, chunk, &args);
  const StateRows h = ComputeStep(run_, thread_, chunk, 0, AllRows(thread_, chunk, 0, args), &args);
  if (chunk.l == problem_.n_layer - 1) StoreLayer(run_, thread_, chunk, {0, chunk.rows, h});
}

void ForwardStream::PrepareRow(Dim l, Dim newest) {
  newest_ = newest;
  const Chunk chunk = ChunkOf(l, {0, 1});
  StepArgs& args = row_args_[static_cast<size_t>(2 * l + newest)];
  BeginSteps(run_, thread_, chunk, &args);
  AddInput(run_, chunk, {}, &args);
  const StateRows before = run_.SlotRows(0, l, newest), h = run_.SlotRows(0, l, 1 - newest);
  for (int part = 0; part < plan_.iter.layout.n_parts; ++part) {
    TileArgs& tile = args.tile[part];
    CellArgs& cell = args.cell[part];
    if (tile.op == TileOp::kGates) tile.product.a = before.base;
    if (l > 0) tile.input.a = run_.SlotRows(0, l - 1, 1 - newest).base;
    cell.h_prev = before.base;
    cell.h = problem_.HasProjection() ? args.unprojected.base : h.base;
    part_[part] = plan_.RowFunctionFor(tile.op);
  }
  if (!problem_.HasProjection()) return;
  args.projection_cell.h = h.base;
  project_ = plan_.RowFunctionFor(TileOp::kProjection);
}

// x in the type and with the padding of the kernels.
const void* ForwardStream::StagedRow(const SteppedRows& row) {
  buffers_.tensor[kSrcLayer] = const_cast<void*>(row.src_layer);
  return PrepareInput(run_, thread_, ChunkOf(0, {0, 1})).base;
}

void ForwardStream::StepRow(const SteppedRows& row) {
  const void* x = plan_.staged ? StagedRow(row) : row.src_layer;
  const Dim last = problem_.n_layer - 1;
  // In place, the function would write units of dst_layer before it has read all of src_layer.
  const bool copies_h = copies_h_ && row.dst_layer != row.src_layer;
  for (Dim l = 0; l <= last; ++l) {
    StepArgs& args = row_args_[static_cast<size_t>(2 * l + newest_)];
    const int parts = plan_.iter.layout.n_parts;
    if (copies_h_ && l == last) {
      CellArgs& cell = problem_.HasProjection() ? args.projection_cell : args.cell[parts - 1];
      cell.h_copy = copies_h ? row.dst_layer : nullptr;
    }
    for (int part = 0; part < parts; ++part) {
      if (l == 0) args.tile[part].input.a = x;
      args.cell[part].attention.base = row.augru_attention;
      part_[part](args.tile[part]);
    }
    if (project_ != nullptr) project_(args.projection);
  }
  if (!copies_h) {
    buffers_.tensor[kDstLayer] = row.dst_layer;
    StoreLayer(run_, thread_, ChunkOf(last, {0, 1}), {0, {0, 1}, run_.SlotRows(0, last, 1 - newest_)});
  }
  newest_ = 1 - newest_;
}

void ForwardStream::Step(const SteppedRows& rows) {
  const FloatEnvironment environment(Subnormals::kZero);
  if (part_[0] != nullptr && !IsGroup()) return StepRow(rows);
  const KernelsThread kernels_thread(plan_.kernels);
  if (IsGroup()) Fetch(rows);
  StepFirst(rows.count, rows);
  if (IsGroup()) Return(rows);
}

void ForwardStream::Run(Dim steps, const SteppedRows& row) {
  const FloatEnvironment environment(Subnormals::kZero);
  const KernelsThread kernels_thread(plan_.kernels);
  SteppedRows first = row;
  first.count = 1;
  first.rows = nullptr;
  if (IsGroup()) Fetch(first);
  for (Dim step = 0; step < steps; ++step) StepFirst(1, RowsOf(step, first));
  if (IsGroup()) Return(first);
}

void ForwardStream::Save(Dim row, float* h, float* c) const {
  const FloatEnvironment environment(Subnormals::kZero);  // as an execution stores dst_iter
  for (Dim l = 0; l < problem_.n_layer; ++l) {
    const char* from = IsGroup() ? Home(l, row) : H(l, row);
    run_.ConvertRow({from, plan_.state, h + l * problem_.dic, DataType::kF32, problem_.dic, StoreMode::kAssign, {}}, 1,
                    1);
    if (CBytes() == 0) continue;
    const float* cell_state = IsGroup() ? reinterpret_cast<const float*>(from + HBytes()) : C(l, row);
    std::memcpy(c + l * problem_.dhc, cell_state, static_cast<size_t>(problem_.dhc) * sizeof(float));
  }
}

void ForwardStream::Load(Dim row, const float* h, const float* c) {
  const float zero = 0.f;
  const FloatEnvironment environment(Subnormals::kKept);
  for (Dim l = 0; l < problem_.n_layer; ++l) {
    char* to = IsGroup() ? Home(l, row) : H(l, row);
    const float* from = h == nullptr ? &zero : h + l * problem_.dic;
    run_.ConvertRow({from, DataType::kF32, to, plan_.state, problem_.dic, StoreMode::kAssign, {}}, h == nullptr ? 0 : 1,
                    1);
    if (CBytes() == 0) continue;
    float* cell_state = IsGroup() ? reinterpret_cast<float*>(to + HBytes()) : C(l, row);
    std::memset(cell_state, 0, CBytes());
    if (c != nullptr) {
      std::memcpy(cell_state, c + l * problem_.dhc, static_cast<size_t>(problem_.dhc) * sizeof(float));
      RoundCellState(cell_state);
    }
  }
}

// To the type that src_iter_c has.
void ForwardStream::RoundCellState(float* c) const {
  const DataType type = CellStateType(problem_);
  if (type == DataType::kF32) return;
  for (Dim i = 0; i < problem_.dhc; ++i) {
    uint16_t rounded;
    run_.ConvertRow({c + i, DataType::kF32, &rounded, type, 1, StoreMode::kAssign, {}}, 1, 1);
    run_.ConvertRow({&rounded, type, c + i, DataType::kF32, 1, StoreMode::kAssign, {}}, 1, 1);
  }
}

}  // namespace

std::unique_ptr<Stepper> CreateForwardStream(const RnnProblem& problem, const StepWeights& weights) {
  return std::make_unique<ForwardStream>(problem, weights, TargetInForce());
}

}  // namespace optimized
}  // namespace tandem
