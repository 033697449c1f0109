// Streams of the cases of rnn_client_testing.h.
#ifndef TANDEM_API_TESTS_STREAMS_STREAM_CASE_TESTING_H_
#define TANDEM_API_TESTS_STREAMS_STREAM_CASE_TESTING_H_

#include <gtest/gtest.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "api/tests/rnn_client_testing.h"
#include "dnnl/rnn_stream.h"

namespace tandem {
namespace testing {

using Arguments = std::unordered_map<int, dnnl::memory>;

constexpr dnnl::algorithm kCells[] = {dnnl::algorithm::vanilla_rnn,   dnnl::algorithm::vanilla_lstm,
                                      dnnl::algorithm::vanilla_gru,   dnnl::algorithm::lbr_gru,
                                      dnnl::algorithm::vanilla_augru, dnnl::algorithm::lbr_augru};

inline RnnCase CaseOf(dnnl::algorithm cell, dnnl::memory::data_type type, dnnl::memory::dim dhc,
                      dnnl::memory::dim layers, dnnl::memory::dim batch) {
  RnnCase rnn;
  rnn.cell = cell;
  rnn.type = type;
  rnn.dhc = dhc;
  rnn.layers = layers;
  rnn.batch = batch;
  rnn.steps = 6;
  rnn.slc = layers > 1 ? dhc : 3;
  return rnn;
}

// The rows of a step lie one behind another, as streams have them.
inline RnnCase WithDenseSteps(RnnCase rnn) {
  for (const int arg : {DNNL_ARG_SRC_LAYER, DNNL_ARG_DST_LAYER, DNNL_ARG_AUGRU_ATTENTION}) {
    if (arg == DNNL_ARG_AUGRU_ATTENTION && !rnn.HasAttention()) continue;
    if (rnn.layouts.count(arg) != 0) continue;
    rnn.layouts[arg] = dnnl::memory::desc(rnn.Dims(arg), rnn.TypeOf(arg), dnnl::memory::format_tag::tnc);
  }
  return rnn;
}

inline bool IsOfBytes(const dnnl::memory::desc& md) {
  return md.get_data_type() == dnnl::memory::data_type::u8 || md.get_data_type() == dnnl::memory::data_type::s8;
}

// Bytes get the parameters of `attr`.
inline void Reorder(dnnl::memory from, dnnl::memory to, const dnnl::primitive_attr& attr) {
  const bool of_bytes = IsOfBytes(from.get_desc()) || IsOfBytes(to.get_desc());
  dnnl::stream stream(Cpu());
  const dnnl::reorder::primitive_desc pd(from, to, of_bytes ? attr : dnnl::primitive_attr());
  dnnl::reorder(pd).execute(stream, from, to);
  stream.wait();
}

inline dnnl::memory::desc DenseFloats(const dnnl::memory::dims& dims) {
  return dnnl::memory::desc(dims, dnnl::memory::data_type::f32, dnnl::memory::dims());
}

// The arguments of `pd` with numbers that differ from tensor to tensor.
inline Arguments FilledArguments(const RnnCase& rnn, const dnnl::primitive_desc& pd,
                                 const dnnl::primitive_attr& attr = {}) {
  Arguments arguments = ZeroArguments(rnn, pd);
  for (const int arg : InputsOf(rnn)) {
    const dnnl::memory::dims dims = rnn.Dims(arg);
    size_t size = 1;
    for (const dnnl::memory::dim dim : dims) size *= static_cast<size_t>(dim);
    std::vector<float> values(size);
    for (size_t i = 0; i < size; ++i) {
      values[i] = static_cast<float>((i * 37 + static_cast<size_t>(arg) * 11) % 101) / 101.f - 0.5f;
    }
    Reorder(dnnl::memory(DenseFloats(dims), Cpu(), values.data()), arguments.at(arg), attr);
  }
  return arguments;
}

inline std::vector<char> BytesOf(const dnnl::memory& tensor) {
  const auto* bytes = static_cast<const char*>(tensor.get_data_handle());
  return std::vector<char>(bytes, bytes + tensor.get_desc().get_size());
}

// A plan of one descriptor, or of several.
class StreamPlan {
 public:
  using Stack = std::vector<std::pair<dnnl::primitive_desc, Arguments>>;

  StreamPlan(const dnnl::primitive_desc& pd, const Arguments& arguments) : StreamPlan(Stack{{pd, arguments}}) {}
  explicit StreamPlan(const Stack& stack) {
    std::vector<std::vector<dnnl_exec_arg_t>> given(stack.size());
    std::vector<tandem_rnn_stream_layers_t> layers;
    for (size_t i = 0; i < stack.size(); ++i) {
      for (const auto& argument : stack[i].second) given[i].push_back({argument.first, argument.second.get()});
      layers.push_back({stack[i].first.get(), static_cast<int>(given[i].size()), given[i].data()});
    }
    dnnl::detail::check(tandem_rnn_stream_plan_create(&plan_, static_cast<int>(layers.size()), layers.data()));
  }
  ~StreamPlan() { tandem_rnn_stream_plan_destroy(plan_); }
  StreamPlan(const StreamPlan&) = delete;
  StreamPlan& operator=(const StreamPlan&) = delete;
  const_tandem_rnn_stream_plan_t get() const { return plan_; }
  tandem_rnn_stream_sizes_t Sizes() const {
    tandem_rnn_stream_sizes_t sizes = {};
    dnnl::detail::check(tandem_rnn_stream_plan_get_sizes(plan_, &sizes));
    return sizes;
  }

 private:
  tandem_rnn_stream_plan_t plan_ = nullptr;
};

// States of one row.
struct RowStates {
  std::vector<float> h, c;
  bool operator==(const RowStates& other) const { return h == other.h && c == other.c; }
};

class RnnStream {
 public:
  RnnStream(const StreamPlan& plan, dnnl_dim_t rows) : sizes_(plan.Sizes()) {
    dnnl::detail::check(tandem_rnn_stream_create(&stream_, plan.get(), rows));
  }
  ~RnnStream() { tandem_rnn_stream_destroy(stream_); }
  RnnStream(const RnnStream&) = delete;
  RnnStream& operator=(const RnnStream&) = delete;
  tandem_rnn_stream_t get() const { return stream_; }

  void Load(dnnl_dim_t row, const RowStates& states) {
    dnnl::detail::check(tandem_rnn_stream_load(stream_, row, states.h.data(), states.c.data()));
  }
  RowStates Save(dnnl_dim_t row) const {
    RowStates states;
    states.h.resize(static_cast<size_t>(sizes_.h));
    states.c.resize(static_cast<size_t>(sizes_.c));
    dnnl::detail::check(tandem_rnn_stream_save(stream_, row, states.h.data(), states.c.data()));
    return states;
  }

 private:
  tandem_rnn_stream_sizes_t sizes_;
  tandem_rnn_stream_t stream_ = nullptr;
};

// dst_layer, and the states of each row after the last step.
struct Streamed {
  std::vector<char> y;
  std::vector<RowStates> states;
};

// The states of each row in a tensor of states and one of c, which may be absent.
inline std::vector<RowStates> StatesIn(const RnnCase& rnn, const Arguments& arguments, int h_arg, int c_arg,
                                       const dnnl::primitive_attr& attr) {
  std::vector<RowStates> rows(static_cast<size_t>(rnn.batch));
  for (const int arg : {h_arg, c_arg}) {
    if (arguments.count(arg) == 0) continue;
    const dnnl::memory::dims dims = rnn.Dims(arg);
    const auto size = static_cast<size_t>(dims[3]);
    std::vector<float> values(static_cast<size_t>(rnn.layers * rnn.batch) * size);
    Reorder(arguments.at(arg), dnnl::memory(DenseFloats(dims), Cpu(), values.data()), attr);
    for (size_t i = 0; i < values.size(); ++i) {
      RowStates& row = rows[i / size % rows.size()];
      (arg == h_arg ? row.h : row.c).push_back(values[i]);
    }
  }
  return rows;
}

inline Streamed ByExecution(const RnnCase& rnn, const dnnl::primitive_desc& pd, const Arguments& arguments,
                            const dnnl::primitive_attr& attr = {}) {
  dnnl::stream stream(Cpu());
  dnnl::primitive(pd).execute(stream, arguments);
  stream.wait();
  return {BytesOf(arguments.at(DNNL_ARG_DST_LAYER)),
          StatesIn(rnn, arguments, DNNL_ARG_DST_ITER, DNNL_ARG_DST_ITER_C, attr)};
}

// Steps through the whole case with a stream of its rows, which start from src_iter.
inline Streamed ByStream(const RnnCase& rnn, const StreamPlan& plan, const Arguments& arguments,
                         const dnnl::primitive_attr& attr = {}) {
  RnnStream stream(plan, rnn.batch);
  const std::vector<RowStates> first = StatesIn(rnn, arguments, DNNL_ARG_SRC_ITER, DNNL_ARG_SRC_ITER_C, attr);
  std::vector<dnnl_dim_t> rows;
  for (dnnl_dim_t n = 0; n < rnn.batch; ++n) {
    rows.push_back(n);
    if (rnn.iter) stream.Load(n, first[static_cast<size_t>(n)]);
  }
  const std::vector<char> x = BytesOf(arguments.at(DNNL_ARG_SRC_LAYER));
  const std::vector<char> a =
      rnn.HasAttention() ? BytesOf(arguments.at(DNNL_ARG_AUGRU_ATTENTION)) : std::vector<char>();
  const auto steps = static_cast<size_t>(rnn.steps);
  Streamed result;
  result.y.resize(arguments.at(DNNL_ARG_DST_LAYER).get_desc().get_size());
  for (size_t t = 0; t < steps; ++t) {
    const void* attention = a.empty() ? nullptr : &a[t * (a.size() / steps)];
    dnnl::detail::check(tandem_rnn_stream_step_rows(stream.get(), rnn.batch, rows.data(), &x[t * (x.size() / steps)],
                                                    attention, &result.y[t * (result.y.size() / steps)]));
  }
  for (const dnnl_dim_t row : rows) result.states.push_back(stream.Save(row));
  return result;
}

// Compares the bits of one execution with those of a stream, for each implementation.
inline void ExpectSameBits(const RnnCase& any_layout, const dnnl::primitive_attr& attr = {}) {
  const RnnCase rnn = WithDenseSteps(any_layout);
  const auto all = EachImplementation(Forward(rnn, dnnl::prop_kind::forward_inference, attr.get()));
  for (const dnnl::primitive_desc& pd : all) {
    SCOPED_TRACE(rnn.ToString() + " by " + pd.impl_info_str());
    const Arguments arguments = FilledArguments(rnn, pd, attr);
    const Streamed want = ByExecution(rnn, pd, arguments, attr);
    const StreamPlan plan(pd, arguments);
    const Streamed got = ByStream(rnn, plan, arguments, attr);
    EXPECT_EQ(got.y, want.y);
    EXPECT_TRUE(!rnn.iter || got.states == want.states);
  }
}

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_STREAMS_STREAM_CASE_TESTING_H_
