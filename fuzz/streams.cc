// The target makes streams: plans of small problems, groups of rows, and calls in any order, many of which must be refused.
// Outputs and states are compared with one execution of all steps of a row.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "dnnl/abi.h"
#include "dnnl/rnn_stream.h"
#include "fuzz/outcome.h"
#include "fuzz/stream_layers.h"
#include "fuzz/stream_model.h"
#include "fuzz/threads.h"

using dnnl::memory;
using namespace tandem;
using namespace tandem::fuzz;

namespace {

constexpr int kPlans = 2;
constexpr int kStreams = 3;
constexpr int kMostCalls = 40;
constexpr int kMostHistory = 12;  // steps of a row between two replays
constexpr dnnl_dim_t kMostChannels = 512;

struct Plan {
  tandem_rnn_stream_plan_t handle = nullptr;
  tandem_rnn_stream_sizes_t sizes = {};
  std::vector<ModelLayers> stack;
  bool attends = false;
};

struct Stream {
  tandem_rnn_stream_t handle = nullptr;
  Plan plan;  // a plan without its handle, because a stream may live longer
  std::vector<History> rows;
};

struct World {
  Plan plans[kPlans];
  Stream streams[kStreams];
};

size_t SizeOfType(dnnl_data_type_t type) { return memory::data_type_size(static_cast<memory::data_type>(type)); }

// A refused call says why, and blames the client.
bool Succeeded(dnnl_status_t status) {
  if (status == dnnl_success) return true;
  Require(status == dnnl_invalid_arguments || status == dnnl_unimplemented, "a refused call blames the input");
  Require(std::strlen(tandem_last_error()) > 10, "a refused call has a sentence");
  return false;
}

tandem_rnn_stream_layers_t GivenOf(ByteSource* bytes, const ModelLayers& layers, std::vector<dnnl_exec_arg_t>* given) {
  for (const auto& weights : layers.weights) given->push_back({weights.first, weights.second.get(true)});
  const bool missing = bytes->OneIn(24) && !given->empty();
  if (missing) given->pop_back();
  return {layers.pd.get(true), static_cast<int>(given->size()), bytes->OneIn(48) ? nullptr : given->data()};
}

// Makes one descriptor, the same one twice, or two. Returns false if one is not for this target.
bool DecodeStack(ByteSource* bytes, std::vector<ModelLayers>* stack) {
  const int kind = bytes->Below(8);
  stack->push_back(DecodeLayers(bytes));
  if (stack->back().pd && !AddWeights(bytes, &stack->back())) return false;
  if (kind == 6) stack->push_back(stack->front());
  if (kind != 7) return true;
  stack->push_back(DecodeLayers(bytes, &stack->front()));
  return !stack->back().pd || AddWeights(bytes, &stack->back());
}

void CreatePlan(ByteSource* bytes, World* world) {
  Plan& slot = world->plans[bytes->Below(kPlans)];
  Plan plan;
  if (!DecodeStack(bytes, &plan.stack)) return;
  std::vector<std::vector<dnnl_exec_arg_t>> given(plan.stack.size());
  std::vector<tandem_rnn_stream_layers_t> all;
  for (size_t i = 0; i < given.size(); ++i) all.push_back(GivenOf(bytes, plan.stack[i], &given[i]));
  const int count = bytes->OneIn(32) ? bytes->Below(2) - 1 : static_cast<int>(all.size());
  const bool nowhere = bytes->OneIn(32);
  tandem_rnn_stream_plan_t made = nullptr;
  if (!Succeeded(tandem_rnn_stream_plan_create(nowhere ? nullptr : &made, count, all.data()))) {
    return Require(made == nullptr, "a refused plan is not made");
  }
  Require(!nowhere && count > 0, "a plan needs a place and an RNN");
  plan.handle = made;
  Require(tandem_rnn_stream_plan_get_sizes(made, &plan.sizes) == dnnl_success, "a plan has sizes");
  for (const ModelLayers& layers : plan.stack) {
    Require(!!layers.pd, "a plan needs RNNs");
    plan.attends |= HasAttention(layers.rnn.cell);
  }
  const auto sizes = {plan.sizes.slc, plan.sizes.dlc, plan.sizes.h};
  const bool fits = std::min(sizes) > 0 && std::max(std::max(sizes), plan.sizes.c) <= kMostChannels;
  tandem_rnn_stream_plan_destroy(fits ? slot.handle : made);
  if (fits) slot = std::move(plan);
}

void DestroyPlan(ByteSource* bytes, World* world) {
  Plan& plan = world->plans[bytes->Below(kPlans)];
  tandem_rnn_stream_plan_destroy(plan.handle);
  plan.handle = nullptr;
}

// Replaces the states of `history` by those that the stream saves: bytes cannot hold each number.
void Reread(const Stream& stream, dnnl_dim_t row, History* history) {
  const std::vector<float> h = history->h, c = history->c;
  Require(Succeeded(tandem_rnn_stream_save(stream.handle, row, history->h.data(), history->c.data())),
          "states are saved");
  const bool of_bytes = SizeOfType(stream.plan.sizes.src_type) == 1;
  Require(of_bytes || AreSame(history->h, h), "h is what was loaded");
  Require(AreSame(history->c, c), "c is what was loaded");
}

void CreateStream(ByteSource* bytes, World* world) {
  constexpr dnnl_dim_t kRows[] = {1, 2, 3, 1, 5, 17, 0, -1};
  const Plan& plan = world->plans[bytes->Below(kPlans)];
  Stream& slot = world->streams[bytes->Below(kStreams)];
  const dnnl_dim_t rows = bytes->OneOf(kRows);
  tandem_rnn_stream_t made = nullptr;
  const bool succeeded = Succeeded(tandem_rnn_stream_create(&made, plan.handle, rows));
  Require(succeeded == (plan.handle != nullptr && rows > 0), "a stream needs a plan and a row");
  if (!succeeded) return;
  tandem_rnn_stream_destroy(slot.handle);
  slot.handle = made;
  slot.plan = plan;
  slot.plan.handle = nullptr;
  History zeros;
  zeros.h.resize(static_cast<size_t>(plan.sizes.h));
  zeros.c.resize(static_cast<size_t>(plan.sizes.c));
  slot.rows.assign(static_cast<size_t>(rows), zeros);
  for (dnnl_dim_t row = 0; row < rows; ++row) Reread(slot, row, &slot.rows[static_cast<size_t>(row)]);
}

// Replays a row's steps. The row's states are then those of the stream.
void CheckRow(const Stream& stream, size_t row, History* history) {
  Replay(stream.plan.stack, history);
  std::vector<float> h(history->h.size()), c(history->c.size());
  Require(Succeeded(tandem_rnn_stream_save(stream.handle, static_cast<dnnl_dim_t>(row), h.data(), c.data())) &&
              AreSame(h, history->h) && AreSame(c, history->c),
          "a stream has the states of one execution");
}

void CheckRows(Stream* stream) {
  for (size_t row = 0; row < stream->rows.size(); ++row) CheckRow(*stream, row, &stream->rows[row]);
}

void DestroyStream(Stream* stream) {
  if (stream->handle != nullptr) CheckRows(stream);
  tandem_rnn_stream_destroy(stream->handle);
  *stream = Stream();
}

// This has inputs and outputs of `count` rows or steps. Some pointers are missing, as if a client forgot them.
struct Exchange {
  Exchange(ByteSource* bytes, const Plan& plan, size_t count)
      : x(count * static_cast<size_t>(plan.sizes.slc) * SizeOfType(plan.sizes.src_type)),
        attention(count * SizeOfType(plan.sizes.src_type)),
        y(count * static_cast<size_t>(plan.sizes.dlc) * SizeOfType(plan.sizes.dst_type), 0x5a) {
    Vary(bytes, static_cast<memory::data_type>(plan.sizes.src_type), &x);
    Vary(bytes, static_cast<memory::data_type>(plan.sizes.src_type), &attention);
    in = bytes->OneIn(24) ? nullptr : x.data();
    attended = plan.attends != bytes->OneIn(24) ? attention.data() : nullptr;
    out = bytes->OneIn(24) ? nullptr : y.data();
    valid = in != nullptr && out != nullptr && plan.attends == (attended != nullptr);
  }
  // Judges a call: `expected` says whether it must succeed. Note() adds place `place` as a step of `history`.
  void Judge(bool succeeded, bool expected) const {
    Require(succeeded == expected, "a step succeeds exactly when its arguments are valid");
    if (!succeeded)
      Require(std::count(y.begin(), y.end(), 0x5a) == static_cast<std::ptrdiff_t>(y.size()), "no refused call writes");
  }
  void Note(size_t place, size_t count, const std::vector<uint8_t>& given, History* history) const {
    const auto append = [&](const std::vector<uint8_t>& from, std::vector<uint8_t>* to) {
      const size_t size = from.size() / count;
      to->insert(to->end(), from.begin() + static_cast<std::ptrdiff_t>(place * size),
                 from.begin() + static_cast<std::ptrdiff_t>((place + 1) * size));
    };
    append(given, &history->x);
    append(attention, &history->attention);
    append(y, &history->y);
    ++history->steps;
  }

  std::vector<uint8_t> x, attention, y;
  const void *in, *attended;
  void* out;
  bool valid;
};

void Step(ByteSource* bytes, Stream* stream) {
  Exchange exchange(bytes, stream->plan, 1);
  const std::vector<uint8_t> given = exchange.x;
  const bool in_place = exchange.valid && exchange.x.size() == exchange.y.size() && bytes->OneIn(3);
  if (in_place) exchange.out = exchange.x.data();
  exchange.Judge(Succeeded(tandem_rnn_stream_step(stream->handle, exchange.in, exchange.attended, exchange.out)),
                 exchange.valid);
  if (!exchange.valid) return;
  if (in_place) exchange.y = exchange.x;
  exchange.Note(0, 1, given, &stream->rows[0]);
}

void Run(ByteSource* bytes, Stream* stream) {
  const int steps = bytes->Below(7) - 1;
  const auto count = static_cast<size_t>(std::max(steps, 0));
  const Exchange exchange(bytes, stream->plan, count);
  const bool valid = steps == 0 || (steps > 0 && exchange.valid);
  exchange.Judge(Succeeded(tandem_rnn_stream_run(stream->handle, steps, exchange.in, exchange.attended, exchange.out)),
                 valid);
  for (size_t step = 0; valid && step < count; ++step) exchange.Note(step, count, exchange.x, &stream->rows[0]);
}

// Returns a row of the group in most cases.
dnnl_dim_t DecodeRow(ByteSource* bytes, const Stream& stream) {
  return bytes->OneIn(24) ? bytes->Number() : bytes->Below(static_cast<int>(stream.rows.size()));
}

bool HasRow(const Stream& stream, dnnl_dim_t row) {
  return row >= 0 && row < static_cast<dnnl_dim_t>(stream.rows.size());
}

void StepRows(ByteSource* bytes, Stream* stream) {
  const auto most = static_cast<dnnl_dim_t>(stream->rows.size());
  const dnnl_dim_t count = bytes->OneIn(24) ? bytes->Below(20) - 1 : bytes->Below(static_cast<int>(most) + 1);
  const dnnl_dim_t first = bytes->Byte();
  std::vector<dnnl_dim_t> rows;
  for (dnnl_dim_t i = 0; i < count; ++i) rows.push_back((first + i) % most);
  if (!rows.empty() && bytes->OneIn(8)) rows.back() = DecodeRow(bytes, *stream);  // a wrong row, or one twice
  const Exchange exchange(bytes, stream->plan, rows.size());
  bool valid = count == 0 || (count > 0 && count <= most && exchange.valid);
  for (size_t i = 0; i < rows.size(); ++i) {
    valid = valid && HasRow(*stream, rows[i]) && std::count(rows.begin(), rows.end(), rows[i]) == 1;
  }
  const bool forgotten = bytes->OneIn(24);
  if (count > 0) valid = valid && !forgotten;
  exchange.Judge(Succeeded(tandem_rnn_stream_step_rows(stream->handle, count, forgotten ? nullptr : rows.data(),
                                                       exchange.in, exchange.attended, exchange.out)),
                 valid);
  for (size_t i = 0; valid && i < rows.size(); ++i) {
    exchange.Note(i, rows.size(), exchange.x, &stream->rows[static_cast<size_t>(rows[i])]);
  }
}

void Reset(ByteSource* bytes, Stream* stream) {
  const dnnl_dim_t row = DecodeRow(bytes, *stream);
  if (HasRow(*stream, row)) CheckRow(*stream, static_cast<size_t>(row), &stream->rows[static_cast<size_t>(row)]);
  Require(Succeeded(tandem_rnn_stream_reset(stream->handle, row)) == HasRow(*stream, row), "a row is reset");
  if (!HasRow(*stream, row)) return;
  History& history = stream->rows[static_cast<size_t>(row)];
  std::fill(history.h.begin(), history.h.end(), 0.f);
  std::fill(history.c.begin(), history.c.end(), 0.f);
  Reread(*stream, row, &history);
}

// Loads states that each type can hold, except bytes.
void Load(ByteSource* bytes, Stream* stream) {
  const dnnl_dim_t row = DecodeRow(bytes, *stream);
  const auto of = [&](dnnl_dim_t size) {
    std::vector<float> values(static_cast<size_t>(size));
    for (float& value : values) value = static_cast<float>(bytes->Below(32) - 16) / 16.f;
    return values;
  };
  std::vector<float> h = of(stream->plan.sizes.h), c = of(stream->plan.sizes.c);
  const bool without_h = bytes->OneIn(24), without_c = bytes->OneIn(24);
  const bool valid = HasRow(*stream, row) && !without_h && !(without_c && !c.empty());
  if (valid) CheckRow(*stream, static_cast<size_t>(row), &stream->rows[static_cast<size_t>(row)]);
  Require(Succeeded(tandem_rnn_stream_load(stream->handle, row, without_h ? nullptr : h.data(),
                                           without_c ? nullptr : c.data())) == valid,
          "states are loaded");
  if (!valid) return;
  History& history = stream->rows[static_cast<size_t>(row)];
  history.h = h;
  history.c = c;
  Reread(*stream, row, &history);
}

void Save(ByteSource* bytes, Stream* stream) {
  const dnnl_dim_t row = DecodeRow(bytes, *stream);
  std::vector<float> h(static_cast<size_t>(stream->plan.sizes.h), 5.f),
      c(static_cast<size_t>(stream->plan.sizes.c), 5.f);
  const std::vector<float> h_before = h, c_before = c;
  const bool without_h = bytes->OneIn(8), without_c = bytes->OneIn(8);
  const bool valid = HasRow(*stream, row) && !without_h && !(without_c && !c.empty());
  Require(Succeeded(tandem_rnn_stream_save(stream->handle, row, without_h ? nullptr : h.data(),
                                           without_c ? nullptr : c.data())) == valid,
          "states are saved");
  if (!valid) return Require(h == h_before && c == c_before, "no refused call writes");
  History& history = stream->rows[static_cast<size_t>(row)];
  Replay(stream->plan.stack, &history);
  Require(AreSame(h, history.h) && AreSame(c, history.c), "a stream has the states of one execution");
}

// Each function of a stream refuses one that is NULL.
void CallWithoutStream() {
  float number = 0;
  const dnnl_dim_t row = 0;
  Require(!Succeeded(tandem_rnn_stream_step(nullptr, &number, nullptr, &number)) &&
              !Succeeded(tandem_rnn_stream_run(nullptr, 1, &number, nullptr, &number)) &&
              !Succeeded(tandem_rnn_stream_step_rows(nullptr, 1, &row, &number, nullptr, &number)) &&
              !Succeeded(tandem_rnn_stream_reset(nullptr, 0)) &&
              !Succeeded(tandem_rnn_stream_save(nullptr, 0, &number, &number)) &&
              !Succeeded(tandem_rnn_stream_load(nullptr, 0, &number, &number)),
          "a stream that is NULL is refused");
}

void Use(ByteSource* bytes, Stream* stream) {
  constexpr void (*kCalls[])(ByteSource*, Stream*) = {&Step, &Run, &StepRows, &Save, &Load, &Reset, &StepRows};
  if (stream->handle == nullptr) return CallWithoutStream();
  bytes->OneOf(kCalls)(bytes, stream);
  for (size_t row = 0; row < stream->rows.size(); ++row) {
    if (stream->rows[row].steps >= kMostHistory) CheckRow(*stream, row, &stream->rows[row]);
  }
}

void Call(ByteSource* bytes, World* world) {
  switch (bytes->Below(12)) {
    case 0:
      return CreatePlan(bytes, world);
    case 1:
    case 2:
      return CreateStream(bytes, world);
    case 3:
      return bytes->OneIn(2) ? DestroyPlan(bytes, world) : DestroyStream(&world->streams[bytes->Below(kStreams)]);
    default:
      return Use(bytes, &world->streams[bytes->Below(kStreams)]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ChooseThreads(data, size);
  ByteSource bytes(data, size);
  World world;
  CreatePlan(&bytes, &world);
  for (int call = 0; call < kMostCalls && !bytes.empty(); ++call) Call(&bytes, &world);
  for (Stream& stream : world.streams) DestroyStream(&stream);
  for (const Plan& plan : world.plans) tandem_rnn_stream_plan_destroy(plan.handle);
  return 0;
}
