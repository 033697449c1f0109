// Streams: the states of rows, and the steppers that change them.
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "api/library/guard.h"
#include "api/library/streams/rnn_stream_plan.h"

using namespace tandem;

struct tandem_rnn_stream final : tandem_object {
  tandem_rnn_stream(const tandem_rnn_stream_plan& its_plan, Dim its_rows);

  void Step(const SteppedRows& rows);
  void Run(Dim steps, const SteppedRows& row);
  void CheckRow(Dim row) const;
  void CheckRows(Dim count, const Dim* named);
  void CheckBuffers(const SteppedRows& rows) const {
    const bool attends = rows.augru_attention != nullptr;
    if (rows.src_layer == nullptr || rows.dst_layer == nullptr || attends != has_attention) RefuseBuffers(rows);
  }

  const Ref<const tandem_rnn_stream_plan> plan;
  const Dim rows;
  std::vector<std::unique_ptr<Stepper>> steppers;
  bool has_attention = false;

 private:
  [[noreturn]] void RefuseBuffers(const SteppedRows& rows) const;
  void TouchAll();

  std::vector<AlignedBuffer> between_;  // dst_layer of all steppers but the last
  std::vector<uint64_t> last_call_;     // of each row, to find one that is named twice
  uint64_t call_ = 0;
};

tandem_rnn_stream::tandem_rnn_stream(const tandem_rnn_stream_plan& its_plan, Dim its_rows)
    : plan(Ref<const tandem_rnn_stream_plan>::Share(&its_plan)),
      rows(its_rows),
      last_call_(static_cast<size_t>(its_rows)) {
  for (const StreamLayers& layers : plan->stack) {
    steppers.push_back(layers.MakeStepper(rows));
    has_attention |= steppers.back()->problem().Has(kAugruAttention);
    if (steppers.size() < plan->stack.size()) {
      between_.emplace_back(BufferBytes(steppers.back()->problem().md[kDstLayer]));
      std::memset(between_.back().get(), 0, BufferBytes(steppers.back()->problem().md[kDstLayer]));
    }
  }
  TouchAll();
}

// Makes the first steps, so that a later one meets no page of memory or of code for the first time. Then the states are zeros again.
// The number of rows chooses the code that runs, up to the rows of a tile.
void tandem_rnn_stream::TouchAll() {
  constexpr Dim kMostRowsOfATile = 16;
  const RnnProblem &first = steppers.front()->problem(), &last = steppers.back()->problem();
  const AlignedBuffer x(BufferBytes(first.md[kSrcLayer])), y(BufferBytes(last.md[kDstLayer]));
  const size_t attention_bytes = static_cast<size_t>(rows) * SizeOf(first.SrcType());
  const AlignedBuffer attention(attention_bytes);
  std::memset(x.get(), 0, BufferBytes(first.md[kSrcLayer]));
  std::memset(attention.get(), 0, attention_bytes);
  const void* const given = has_attention ? attention.get() : nullptr;
  Run(1, {1, nullptr, x.get(), given, y.get()});
  for (Dim count = 1; count <= rows; ++count) {
    if (count <= kMostRowsOfATile || count == rows) Step({count, nullptr, x.get(), given, y.get()});
  }
  for (const auto& stepper : steppers) {
    for (Dim row = 0; row < rows; ++row) stepper->Load(row, nullptr, nullptr);
  }
}

void tandem_rnn_stream::Step(const SteppedRows& all) {
  if (between_.empty()) return steppers[0]->Step(all);
  SteppedRows each = all;
  for (size_t i = 0; i < steppers.size(); ++i) {
    each.dst_layer = i < between_.size() ? between_[i].get() : all.dst_layer;
    each.augru_attention = steppers[i]->problem().Has(kAugruAttention) ? all.augru_attention : nullptr;
    steppers[i]->Step(each);
    each.src_layer = each.dst_layer;
  }
}

void tandem_rnn_stream::Run(Dim steps, const SteppedRows& row) {
  if (steppers.size() == 1) return steppers[0]->Run(steps, row);
  for (Dim step = 0; step < steps; ++step) {
    SteppedRows one = steppers[0]->RowsOf(step, row);
    one.dst_layer = steppers.back()->RowsOf(step, row).dst_layer;
    Step(one);
  }
}

void tandem_rnn_stream::CheckRow(Dim row) const {
  if (row < 0 || row >= rows) {
    ThrowInvalid("stream: row " + std::to_string(row) + " is none of the " + std::to_string(rows));
  }
}

void tandem_rnn_stream::CheckRows(Dim count, const Dim* named) {
  if (count < 0 || count > rows) {
    ThrowInvalid("stream: a step of " + std::to_string(count) + " rows, but there are " + std::to_string(rows));
  }
  ++call_;
  for (Dim i = 0; i < count; ++i) {
    CheckRow(named[i]);
    uint64_t& last = last_call_[static_cast<size_t>(named[i])];
    if (last == call_) ThrowInvalid("stream: row " + std::to_string(named[i]) + " is named twice");
    last = call_;
  }
}

void tandem_rnn_stream::RefuseBuffers(const SteppedRows& given) const {
  if (given.src_layer == nullptr) ThrowInvalid("stream: src_layer is NULL");
  if (given.dst_layer == nullptr) ThrowInvalid("stream: dst_layer is NULL");
  ThrowInvalid(has_attention ? "stream: augru_attention is NULL, but the cell needs it"
                             : "stream: augru_attention is given, but no cell has it");
}

dnnl_status_t tandem_rnn_stream_create(tandem_rnn_stream_t* stream, const_tandem_rnn_stream_plan_t plan,
                                       dnnl_dim_t rows) {
  return Guard([&] {
    NotNull(stream, "stream: pointer for the result");
    NotNull(plan, "stream: plan");
    if (rows < 1) ThrowInvalid("stream: has " + std::to_string(rows) + " rows, but needs one");
    *stream = MakeRef<tandem_rnn_stream>(*plan, rows).Detach();
  });
}

dnnl_status_t tandem_rnn_stream_destroy(tandem_rnn_stream_t stream) {
  Ref<tandem_rnn_stream>::Adopt(stream);
  return dnnl_success;
}

dnnl_status_t tandem_rnn_stream_step(tandem_rnn_stream_t stream, const void* src_layer, const void* augru_attention,
                                     void* dst_layer) {
  return Guard([&] {
    NotNull(stream, "stream");
    const SteppedRows row = {1, nullptr, src_layer, augru_attention, dst_layer};
    stream->CheckBuffers(row);
    stream->Step(row);
  });
}

dnnl_status_t tandem_rnn_stream_run(tandem_rnn_stream_t stream, dnnl_dim_t steps, const void* src_layer,
                                    const void* augru_attention, void* dst_layer) {
  return Guard([&] {
    NotNull(stream, "stream");
    if (steps < 0) ThrowInvalid("stream: the number of steps is " + std::to_string(steps));
    if (steps == 0) return;
    const SteppedRows row = {1, nullptr, src_layer, augru_attention, dst_layer};
    stream->CheckBuffers(row);
    stream->Run(steps, row);
  });
}

dnnl_status_t tandem_rnn_stream_step_rows(tandem_rnn_stream_t stream, dnnl_dim_t count, const dnnl_dim_t* rows,
                                          const void* src_layer, const void* augru_attention, void* dst_layer) {
  return Guard([&] {
    NotNull(stream, "stream");
    if (count > 0) NotNull(rows, "stream: rows");
    stream->CheckRows(count, rows);
    if (count == 0) return;
    const SteppedRows named = {count, rows, src_layer, augru_attention, dst_layer};
    stream->CheckBuffers(named);
    stream->Step(named);
  });
}

namespace {

// Calls visit(stepper, h, c) with the place of each stepper's states; null where there are none.
template <class H, class Visit>
void ForEachState(const tandem_rnn_stream& stream, H* h, H* c, const Visit& visit) {
  for (const auto& stepper : stream.steppers) {
    const RnnProblem& problem = stepper->problem();
    visit(*stepper, h, c);
    if (h != nullptr) h += problem.n_layer * problem.dic;
    if (c != nullptr && HasCellState(problem.cell)) c += problem.n_layer * problem.dhc;
  }
}

void CheckStates(const tandem_rnn_stream& stream, Dim row, const float* h, const float* c) {
  stream.CheckRow(row);
  NotNull(h, "stream: h");
  if (stream.plan->sizes.c > 0) NotNull(c, "stream: c");
}

}  // namespace

dnnl_status_t tandem_rnn_stream_reset(tandem_rnn_stream_t stream, dnnl_dim_t row) {
  return Guard([&] {
    NotNull(stream, "stream").CheckRow(row);
    for (const auto& stepper : stream->steppers) stepper->Load(row, nullptr, nullptr);
  });
}

dnnl_status_t tandem_rnn_stream_save(const_tandem_rnn_stream_t stream, dnnl_dim_t row, float* h, float* c) {
  return Guard([&] {
    CheckStates(NotNull(stream, "stream"), row, h, c);
    ForEachState(*stream, h, c,
                 [&](const Stepper& stepper, float* its_h, float* its_c) { stepper.Save(row, its_h, its_c); });
  });
}

dnnl_status_t tandem_rnn_stream_load(tandem_rnn_stream_t stream, dnnl_dim_t row, const float* h, const float* c) {
  return Guard([&] {
    CheckStates(NotNull(stream, "stream"), row, h, c);
    ForEachState(*stream, h, c,
                 [&](Stepper& stepper, const float* its_h, const float* its_c) { stepper.Load(row, its_h, its_c); });
  });
}
