#include "conformance/plugins/dnnl_adapter_streams.h"

#ifdef TANDEM_ADAPTER_OWN

#include <algorithm>
#include <cstring>

#include "dnnl/abi.h"

namespace tandem::conformance::adapter {
namespace {

using dnnl::memory;

void Check(dnnl_status_t status) {
  if (status != dnnl_success) throw dnnl::error(status, tandem_last_error());
}

memory::dims RowMajor(const memory::dims& dims) {
  memory::dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * dims[i - 1];
  return strides;
}

float* Floats(const memory& tensor) { return static_cast<float*>(tensor.get_data_handle()); }

size_t BytesOf(dnnl_data_type_t type) { return memory::data_type_size(static_cast<memory::data_type>(type)); }

}  // namespace

void CheckStreamed(const Request& request) {
  const tandem_problem& problem = *request.problem;
  const tandem_tensor& iter = problem.tensor[tandem_weights_iter];
  const tandem_tensor& layer = problem.tensor[tandem_dst_layer];
  const char* reason = nullptr;
  if (problem.propagation != tandem_forward_inference) {
    reason = "streams serve forward_inference only";
  } else if (problem.direction != tandem_left2right) {
    reason = "streams serve left2right only";
  } else if (problem.tensor[tandem_sequence_lengths].ndims != 0) {
    reason = "streams have no sequence lengths";
  } else if (std::any_of(problem.tensor + tandem_mask_layer, problem.tensor + tandem_zoneout_iter_c + 1,
                         [](const tandem_tensor& mask) { return mask.ndims != 0; })) {
    reason = "streams have no masks";
  } else if (iter.ndims != 0 && iter.dims[2] != layer.dims[2]) {
    reason = "streams need sic = dic";
  }
  if (reason != nullptr) throw dnnl::error(dnnl_unimplemented, reason);
}

StreamedRun::StreamedRun(const Request& request, const dnnl::primitive_desc& pd,
                         const std::unordered_map<int, memory>& args)
    : request_(request) {
  const tandem_problem& problem = *request.problem;
  const tandem_tensor& x = problem.tensor[tandem_src_layer];
  const tandem_tensor& weights = problem.tensor[tandem_weights_layer];
  steps_ = x.dims[0];
  rows_ = x.dims[1];
  layers_ = weights.dims[0];
  dhc_ = weights.dims[4];
  dic_ = problem.tensor[tandem_dst_layer].dims[2];
  std::vector<dnnl_exec_arg_t> given;
  for (const auto& arg : args) given.push_back({arg.first, arg.second.get()});
  const tandem_rnn_stream_layers_t layers = {pd.get(), static_cast<int>(given.size()), given.data()};
  Check(tandem_rnn_stream_plan_create(&plan_, 1, &layers));
  Check(tandem_rnn_stream_plan_get_sizes(plan_, &sizes_));
  if (rows_ > 0) Check(tandem_rnn_stream_create(&stream_, plan_, rows_));
  for (dnnl_dim_t row = 0; row < rows_; ++row) all_.push_back(row);
  x_step_ = static_cast<size_t>(rows_ * sizes_.slc) * BytesOf(sizes_.src_type);
  attention_step_ = static_cast<size_t>(rows_) * BytesOf(sizes_.src_type);
  y_step_ = static_cast<size_t>(rows_ * sizes_.dlc) * BytesOf(sizes_.dst_type);
}

// The attribute has the parameters of the data, for bytes of states and of layers. Those of weights would be for a projection.
void StreamedRun::Reorder(memory& from, memory& to) const {
  const tandem_problem& problem = *request_.problem;
  dnnl::primitive_attr attr;
  if (from.get_desc().get_data_type() != to.get_desc().get_data_type()) {
    attr.set_reading(problem.reading == tandem_spec_reading ? dnnl::reading::spec : dnnl::reading::onednn);
    attr.set_rnn_data_qparams(problem.data_scale, problem.data_shift);
  }
  dnnl::stream stream(request_.engine);
  dnnl::reorder(dnnl::reorder::primitive_desc(from, to, attr)).execute(stream, from, to);
  stream.wait();
}

StreamedRun::~StreamedRun() {
  tandem_rnn_stream_destroy(stream_);
  tandem_rnn_stream_plan_destroy(plan_);
}

// Returns a dense copy of the user's tensor; an empty memory if there is none.
memory StreamedRun::Dense(const std::unordered_map<int, memory>& users, int arg, memory::data_type type) const {
  const auto found = users.find(arg);
  if (found == users.end()) return memory();
  memory user = found->second;
  const memory::dims dims = user.get_desc().get_dims();
  memory dense(Desc(dims, type, RowMajor(dims)), request_.engine);
  Reorder(user, dense);
  return dense;
}

// Loads row by row: h and c of all layers.
void StreamedRun::LoadStates(const std::unordered_map<int, memory>& users) {
  const memory h = Dense(users, DNNL_ARG_SRC_ITER, memory::data_type::f32);
  const memory c = Dense(users, DNNL_ARG_SRC_ITER_C, memory::data_type::f32);
  std::vector<float> its_h(static_cast<size_t>(sizes_.h)), its_c(static_cast<size_t>(sizes_.c) + 1);
  for (dnnl_dim_t n = 0; n < rows_ && h.get(true) != nullptr; ++n) {
    for (dnnl_dim_t l = 0; l < layers_; ++l) {
      std::copy_n(Floats(h) + (l * rows_ + n) * dic_, dic_, &its_h[l * dic_]);
      if (c.get(true) != nullptr) std::copy_n(Floats(c) + (l * rows_ + n) * dhc_, dhc_, &its_c[l * dhc_]);
    }
    Check(tandem_rnn_stream_load(stream_, n, its_h.data(), its_c.data()));
  }
}

void StreamedRun::SaveStates(const std::unordered_map<int, memory>& users) {
  const memory::dims h_dims = {layers_, 1, rows_, dic_}, c_dims = {layers_, 1, rows_, dhc_};
  memory h(Desc(h_dims, memory::data_type::f32, RowMajor(h_dims)), request_.engine);
  memory c(Desc(c_dims, memory::data_type::f32, RowMajor(c_dims)), request_.engine);
  std::vector<float> its_h(static_cast<size_t>(sizes_.h)), its_c(static_cast<size_t>(sizes_.c) + 1);
  for (dnnl_dim_t n = 0; n < rows_; ++n) {
    Check(tandem_rnn_stream_save(stream_, n, its_h.data(), its_c.data()));
    for (dnnl_dim_t l = 0; l < layers_; ++l) {
      std::copy_n(&its_h[l * dic_], dic_, Floats(h) + (l * rows_ + n) * dic_);
      if (sizes_.c > 0) std::copy_n(&its_c[l * dhc_], dhc_, Floats(c) + (l * rows_ + n) * dhc_);
    }
  }
  for (const auto& [arg, from] : {std::pair(DNNL_ARG_DST_ITER, h), std::pair(DNNL_ARG_DST_ITER_C, c)}) {
    const auto found = users.find(arg);
    memory source = from, user = found == users.end() ? memory() : found->second;
    if (user.get(true) != nullptr) Reorder(source, user);
  }
}

// Makes one call for these rows, whose inputs and outputs are gathered from one step's.
void StreamedRun::StepRows(const std::vector<dnnl_dim_t>& rows, const char* x, const char* attention, char* y) {
  const size_t x_row = static_cast<size_t>(sizes_.slc) * BytesOf(sizes_.src_type), one = BytesOf(sizes_.src_type);
  const size_t y_row = static_cast<size_t>(sizes_.dlc) * BytesOf(sizes_.dst_type);
  std::vector<char> its_x(rows.size() * x_row), its_attention(rows.size() * one), its_y(rows.size() * y_row);
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<size_t>(rows[i]);
    std::memcpy(&its_x[i * x_row], x + row * x_row, x_row);
    if (attention != nullptr) std::memcpy(&its_attention[i * one], attention + row * one, one);
  }
  Check(tandem_rnn_stream_step_rows(stream_, static_cast<dnnl_dim_t>(rows.size()), rows.data(), its_x.data(),
                                    attention == nullptr ? nullptr : its_attention.data(), its_y.data()));
  for (size_t i = 0; i < rows.size(); ++i)
    std::memcpy(y + static_cast<size_t>(rows[i]) * y_row, &its_y[i * y_row], y_row);
}

// With one row it makes some steps one by one, then the others in one call. With several rows it makes a step in one call, last
// row first. Each other step has two calls, because rows may come and go.
void StreamedRun::StepAll(const memory& x, const memory& attention, memory& y) {
  const auto* x_at = static_cast<const char*>(x.get_data_handle());
  const bool attends = attention.get(true) != nullptr;
  const auto* a_at = attends ? static_cast<const char*>(attention.get_data_handle()) : nullptr;
  auto* y_at = static_cast<char*>(y.get_data_handle());
  for (dnnl_dim_t step = 0; step < steps_; ++step, x_at += x_step_, y_at += y_step_) {
    if (rows_ == 1 && step == 2) return Check(tandem_rnn_stream_run(stream_, steps_ - step, x_at, a_at, y_at));
    if (rows_ == 1) {
      Check(tandem_rnn_stream_step(stream_, x_at, a_at, y_at));
    } else {
      std::vector<dnnl_dim_t> all, odd;
      for (dnnl_dim_t row = rows_ - 1; row >= 0; --row) (step % 2 == 1 && row % 2 == 1 ? odd : all).push_back(row);
      StepRows(all, x_at, a_at, y_at);
      StepRows(odd, x_at, a_at, y_at);
    }
    if (attends) a_at += attention_step_;
  }
}

void StreamedRun::Begin(const std::unordered_map<int, memory>& users) {
  LoadStates(users);
  const auto type = [&](int tensor) {
    return static_cast<memory::data_type>(request_.problem->tensor[tensor].data_type);
  };
  x_ = Dense(users, DNNL_ARG_SRC_LAYER, type(tandem_src_layer));
  attention_ = Dense(users, DNNL_ARG_AUGRU_ATTENTION, type(tandem_augru_attention));
  y_ = Dense(users, DNNL_ARG_DST_LAYER, type(tandem_dst_layer));
}

void StreamedRun::Run(const std::unordered_map<int, memory>& users) {
  if (rows_ == 0) return;
  Begin(users);
  StepAll(x_, attention_, y_);
  memory user = users.at(DNNL_ARG_DST_LAYER);
  Reorder(y_, user);
  SaveStates(users);
}

bool StreamedRun::StepAgain() {
  const auto* x = static_cast<const char*>(x_.get_data_handle());
  const bool attends = attention_.get(true) != nullptr;
  const auto* attention = attends ? static_cast<const char*>(attention_.get_data_handle()) : nullptr;
  auto* y = static_cast<char*>(y_.get_data_handle());
  dnnl_status_t status = dnnl_success;
  for (dnnl_dim_t step = 0; step < steps_ && status == dnnl_success; ++step, x += x_step_, y += y_step_) {
    status = rows_ == 1 ? tandem_rnn_stream_step(stream_, x, attention, y)
                        : tandem_rnn_stream_step_rows(stream_, rows_, all_.data(), x, attention, y);
    if (attends) attention += attention_step_;
  }
  return status == dnnl_success;
}

}  // namespace tandem::conformance::adapter

#endif  // TANDEM_ADAPTER_OWN
