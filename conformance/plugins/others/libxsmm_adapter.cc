// This is the plugin interface over the RNN cells of libxsmm 1.17 (Debian's libxsmm-dev): one layer, left2right, f32, forward
// and backward. Those who have the library compile it (docs/verdicts/README.md), and so does a test.
//
// The library has the plain formats NC and CK: dense tensors whose first dim is the slowest, a step or an input channel; the
// gates of a channel lie beside each other. Backward computes the forward pass again.
#include <libxsmm.h>

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "conformance/plugin.h"

namespace {

// The tensor is at a multiple of 64 bytes: with 16 outputs or a multiple of it the LSTM crashes elsewhere.
class Numbers {
 public:
  void Assign(size_t count) { lines_.assign((count + kLine - 1) / kLine, Line{}), size_ = count; }
  size_t size() const { return size_; }
  float* data() { return lines_[0].number; }
  float& operator[](size_t i) { return lines_[i / kLine].number[i % kLine]; }

 private:
  static constexpr size_t kLine = 16;
  struct alignas(64) Line {
    float number[kLine];
  };
  std::vector<Line> lines_;
  size_t size_ = 0;
};
using Gates = std::array<int, 4>;  // for each gate of the library, in its order, the gate of the specification

void Expect(libxsmm_dnn_err_t status, const char* what) {
  if (status < LIBXSMM_DNN_ERR_GENERAL) return;
  throw std::runtime_error(std::string(what) + ": " + libxsmm_dnn_get_error(status));
}

int NumGates(const tandem_problem& p) { return p.cell == tandem_lstm ? 4 : p.cell == tandem_gru ? 3 : 1; }

// The orders were found by experiment, but for that of LSTM, which the header has: i, c, f, o; GRU r, u, o.
Gates GatesOf(const tandem_problem& p) {
  return p.cell == tandem_lstm ? Gates{0, 2, 1, 3} : p.cell == tandem_gru ? Gates{1, 0, 2} : Gates{0};
}

libxsmm_dnn_rnncell_type TypeOf(const tandem_problem& p) {
  if (p.cell == tandem_lstm) return LIBXSMM_DNN_RNNCELL_LSTM;
  if (p.cell == tandem_gru) return LIBXSMM_DNN_RNNCELL_GRU;
  if (p.activation == tandem_relu) return LIBXSMM_DNN_RNNCELL_RNN_RELU;
  return p.activation == tandem_tanh ? LIBXSMM_DNN_RNNCELL_RNN_TANH : LIBXSMM_DNN_RNNCELL_RNN_SIGMOID;
}

// Calls do(element, index) for each element, the last dim fastest.
template <class Do>
void ForEach(const tandem_tensor& t, const Do& element) {
  int64_t at[TANDEM_MAX_NDIMS] = {};
  for (size_t index = 0;; ++index) {
    int64_t offset = 0;
    for (int d = 0; d < t.ndims; ++d) offset += at[d] * t.strides[d];
    element(static_cast<float*>(t.data)[offset], index);
    int d = t.ndims - 1;
    while (d >= 0 && ++at[d] == t.dims[d]) at[d--] = 0;
    if (d < 0) return;
  }
}

// This is one execution: the library's handle, and its tensors by their type.
class Cell {
 public:
  explicit Cell(const tandem_problem& problem) : p_(problem), gates_(GatesOf(problem)) {
    libxsmm_dnn_rnncell_desc desc = {};
    desc.threads = 1;
    desc.K = desc.bk = static_cast<libxsmm_blasint>(p_.dhc);
    desc.N = desc.bn = static_cast<libxsmm_blasint>(p_.mb);
    desc.C = desc.bc = static_cast<libxsmm_blasint>(p_.slc);
    desc.max_T = static_cast<libxsmm_blasint>(p_.n_iter);
    desc.cell_type = TypeOf(p_);
    desc.datatype_in = desc.datatype_out = LIBXSMM_DNN_DATATYPE_F32;
    desc.buffer_format = LIBXSMM_DNN_TENSOR_FORMAT_NC;
    desc.filter_format = LIBXSMM_DNN_TENSOR_FORMAT_CK;
    libxsmm_dnn_err_t status = LIBXSMM_DNN_SUCCESS;
    handle_ = libxsmm_dnn_create_rnncell(desc, &status);
    Expect(status, "create_rnncell");
    if (p_.cell == tandem_lstm) Expect(libxsmm_dnn_rnncell_allocate_forget_bias(handle_, 0.f), "forget_bias");
    for (int i = 0; i < kTensors; ++i) Link(static_cast<libxsmm_dnn_tensor_type>(kFirst + i));
  }
  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;
  ~Cell() {
    for (libxsmm_dnn_tensor* tensor : tensors_) {
      if (tensor != nullptr) libxsmm_dnn_destroy_tensor(tensor);
    }
    libxsmm_dnn_destroy_rnncell(handle_);
  }

  void Forward() {
    Read(tandem_src_layer, LIBXSMM_DNN_RNN_REGULAR_INPUT);
    Read(tandem_src_iter, LIBXSMM_DNN_RNN_REGULAR_HIDDEN_STATE_PREV);
    Read(tandem_src_iter_c, LIBXSMM_DNN_RNN_REGULAR_CS_PREV);
    ReadGates(tandem_weights_layer, LIBXSMM_DNN_RNN_REGULAR_WEIGHT, LIBXSMM_DNN_RNN_REGULAR_WEIGHT_TRANS);
    ReadGates(tandem_weights_iter, LIBXSMM_DNN_RNN_REGULAR_RECUR_WEIGHT, LIBXSMM_DNN_RNN_REGULAR_RECUR_WEIGHT_TRANS);
    ReadGates(tandem_bias, LIBXSMM_DNN_RNN_REGULAR_BIAS, LIBXSMM_DNN_RNN_REGULAR_BIAS);
    Execute(LIBXSMM_DNN_COMPUTE_KIND_FWD);
  }
  void WriteStates() {
    Write(tandem_dst_layer, LIBXSMM_DNN_RNN_REGULAR_HIDDEN_STATE, 0);
    Write(tandem_dst_iter, LIBXSMM_DNN_RNN_REGULAR_HIDDEN_STATE, LastStep());
    Write(tandem_dst_iter_c, LIBXSMM_DNN_RNN_REGULAR_CS, LastStep());
  }
  void Backward() {
    Read(tandem_diff_dst_layer, LIBXSMM_DNN_RNN_GRADIENT_HIDDEN_STATE);
    if (Has(tandem_diff_dst_iter)) {
      Numbers& all = Of(LIBXSMM_DNN_RNN_GRADIENT_HIDDEN_STATE);
      ForEach(p_.tensor[tandem_diff_dst_iter], [&](float x, size_t i) { all[LastStep() + i] += x; });
    }
    Read(tandem_diff_dst_iter_c, LIBXSMM_DNN_RNN_GRADIENT_CS);
    Execute(LIBXSMM_DNN_COMPUTE_KIND_BWDUPD);
    Write(tandem_diff_src_layer, LIBXSMM_DNN_RNN_GRADIENT_INPUT, 0);
    Write(tandem_diff_src_iter, LIBXSMM_DNN_RNN_GRADIENT_HIDDEN_STATE_PREV, 0);
    Write(tandem_diff_src_iter_c, LIBXSMM_DNN_RNN_GRADIENT_CS_PREV, 0);
    AddGates(tandem_diff_weights_layer, LIBXSMM_DNN_RNN_GRADIENT_WEIGHT);
    AddGates(tandem_diff_weights_iter, LIBXSMM_DNN_RNN_GRADIENT_RECUR_WEIGHT);
    AddGates(tandem_diff_bias, LIBXSMM_DNN_RNN_GRADIENT_BIAS);
  }

 private:
  static constexpr int kFirst = LIBXSMM_DNN_RNN_REGULAR_INPUT;
  static constexpr int kTensors = LIBXSMM_DNN_RNN_INTERNAL_CO - kFirst + 1;

  bool Has(int tensor) const { return p_.tensor[tensor].ndims != 0; }
  Numbers& Of(int type) { return numbers_[static_cast<size_t>(type - kFirst)]; }
  size_t LastStep() const { return static_cast<size_t>((p_.n_iter - 1) * p_.mb * p_.dhc); }

  void Link(libxsmm_dnn_tensor_type type) {
    libxsmm_dnn_err_t status = LIBXSMM_DNN_SUCCESS;
    libxsmm_dnn_tensor_datalayout* const layout = libxsmm_dnn_rnncell_create_tensor_datalayout(handle_, type, &status);
    Expect(status, "create_tensor_datalayout");
    Of(type).Assign(libxsmm_dnn_get_tensor_elements(layout, &status));
    tensors_[static_cast<size_t>(type - kFirst)] = libxsmm_dnn_link_tensor(layout, Of(type).data(), &status);
    libxsmm_dnn_destroy_tensor_datalayout(layout);
    Expect(status, "link_tensor");
    Expect(libxsmm_dnn_rnncell_bind_tensor(handle_, tensors_[static_cast<size_t>(type - kFirst)], type), "bind_tensor");
  }

  void Execute(libxsmm_dnn_compute_kind kind) {
    libxsmm_dnn_err_t status = LIBXSMM_DNN_SUCCESS;
    std::vector<char> scratch(libxsmm_dnn_rnncell_get_scratch_size(handle_, kind, &status));
    state_.resize(libxsmm_dnn_rnncell_get_internalstate_size(handle_, kind, &status));
    Expect(libxsmm_dnn_rnncell_bind_scratch(handle_, kind, scratch.data()), "bind_scratch");
    Expect(libxsmm_dnn_rnncell_bind_internalstate(handle_, kind, state_.data()), "bind_internalstate");
    Expect(libxsmm_dnn_rnncell_execute_st(handle_, kind, 0, 0), "execute_st");
    Expect(libxsmm_dnn_rnncell_release_scratch(handle_, kind), "release_scratch");
  }

  void Read(int tensor, int type) {
    if (Has(tensor)) ForEach(p_.tensor[tensor], [&](float x, size_t i) { Of(type)[i] = x; });
  }
  void Write(int tensor, int type, size_t from) {
    if (Has(tensor)) ForEach(p_.tensor[tensor], [&](float& x, size_t i) { x = Of(type)[from + i]; });
  }

  // Returns the place of element `i` of the specification's weights or bias: (channel of the input, column of the library).
  std::pair<size_t, size_t> Place(size_t i) const {
    const size_t dhc = static_cast<size_t>(p_.dhc), gates = static_cast<size_t>(NumGates(p_));
    const size_t gate = i / dhc % gates;
    size_t column = 0;
    while (static_cast<size_t>(gates_[column]) != gate) ++column;
    return {i / dhc / gates, column * dhc + i % dhc};
  }
  size_t Columns() const { return static_cast<size_t>(NumGates(p_) * p_.dhc); }

  void ReadGates(int tensor, int type, int transposed) {
    if (!Has(tensor)) return;
    const size_t rows = Of(type).size() / Columns();
    ForEach(p_.tensor[tensor], [&](float x, size_t i) {
      const auto [row, column] = Place(i);
      Of(transposed)[column * rows + row] = x;
      Of(type)[row * Columns() + column] = x;
    });
  }
  void AddGates(int tensor, int type) {
    if (!Has(tensor)) return;
    const bool overwrites = (p_.flags & TANDEM_FLAG_DIFF_WEIGHTS_OVERWRITE) != 0;
    ForEach(p_.tensor[tensor], [&](float& x, size_t i) {
      const auto [row, column] = Place(i);
      x = (overwrites ? 0.f : x) + Of(type)[row * Columns() + column];
    });
  }

  const tandem_problem& p_;
  const Gates gates_;
  libxsmm_dnn_rnncell* handle_ = nullptr;
  std::array<Numbers, kTensors> numbers_;
  std::array<libxsmm_dnn_tensor*, kTensors> tensors_ = {};
  std::vector<char> state_;
};

const tandem_description* Describe(const tandem_plugin*) {
  static const tandem_description description = [] {
    tandem_description d = {};
    d.size = sizeof d;
    d.name = "libxsmm";
    d.version = LIBXSMM_VERSION;
    d.readings = 1 << tandem_spec_reading;
    d.sigmoid_abs =
        1.2e-7;  // with 16 outputs or a multiple of it: a small gate becomes 0, or has the grain of numbers near 1
    d.cpu_isa = libxsmm_get_target_arch();
    d.tensor_count = tandem_norm_gain;
    return d;
  }();
  return &description;
}

const char* Lack(const tandem_problem& p) {
  if (p.cell != tandem_vanilla_rnn && p.cell != tandem_lstm && p.cell != tandem_gru) return "it has no such cell";
  if (p.cell == tandem_vanilla_rnn) {
    const bool known = p.activation == tandem_relu || p.activation == tandem_tanh || p.activation == tandem_logistic;
    if (!known) return "it has no such activation";
    if (p.activation == tandem_relu && p.alpha != 0) return "its relu has no slope";
  }
  if (p.n_layer != 1 || p.direction != tandem_left2right) return "it has one layer, left2right";
  for (const int tensor : {tandem_src_layer, tandem_weights_layer}) {
    if (p.tensor[tensor].data_type != tandem_f32) return "the adapter has f32 only";
  }
  if (p.sic != p.dhc) return "its states have as many channels as its results";
  if (p.tensor[tandem_weights_peephole].ndims != 0) return "it has no peephole";
  if (p.tensor[tandem_weights_projection].ndims != 0) return "it has no projection";
  if (p.tensor_count > tandem_sequence_lengths && p.tensor[tandem_sequence_lengths].ndims != 0) {
    return "all rows have one length";
  }
  return nullptr;
}

int32_t Supports(const tandem_plugin*, const tandem_problem* problem, tandem_requirements* needs, char* reason,
                 size_t reason_size) {
  needs->workspace_bytes = needs->scratchpad_bytes = 0;
  const char* const lack = Lack(*problem);
  if (lack == nullptr) return tandem_ok;
  std::snprintf(reason, reason_size, "%s", lack);
  return tandem_not_supported;
}

int32_t Run(const tandem_plugin*, const tandem_problem* problem, const tandem_plugin_memory*, char* message,
            size_t message_size) {
  try {
    Cell cell(*problem);
    cell.Forward();
    if (problem->propagation == tandem_backward) {
      cell.Backward();
    } else {
      cell.WriteStates();
    }
    return tandem_ok;
  } catch (const std::exception& error) {
    std::snprintf(message, message_size, "%s", error.what());
    return tandem_failed;
  }
}

}  // namespace

extern "C" const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  static const tandem_plugin plugin = {sizeof plugin, TANDEM_PLUGIN_ABI, Describe, Supports, Run};
  return host_abi == TANDEM_PLUGIN_ABI ? &plugin : nullptr;
}
