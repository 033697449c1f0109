// The plugin interface over the dnnl C++ API: one source, compiled against Tandem (TANDEM_ADAPTER_OWN says for
// which backend) and against a oneDNN of generation 2 or 3, as DNNL_VERSION_MAJOR of its headers says.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/plugin_timing.h"
#include "conformance/plugins/adapter_cells.h"
#include "conformance/stated_problem.h"

namespace tandem::conformance::adapter {
namespace {

struct AdapterPlugin {
  tandem_plugin base;
  tandem_description description;
  const char* implementation;
};

bool IsOutput(const tandem_problem& problem, int tensor) {
  const AdapterTensor& traits = kAdapterTensors[tensor];
  return problem.propagation == tandem_backward ? traits.is_backward_output : traits.is_forward_output;
}

dnnl::fpmath_mode ToFpmath(int mode) {
  switch (mode) {
    case tandem_fpmath_strict:
      return dnnl::fpmath_mode::strict;
    case tandem_fpmath_bf16:
      return dnnl::fpmath_mode::bf16;
    case tandem_fpmath_f16:
      return dnnl::fpmath_mode::f16;
    case tandem_fpmath_any:
      return dnnl::fpmath_mode::any;
    case tandem_fpmath_tf32:
#if DNNL_VERSION_MAJOR >= 3 || defined(TANDEM_ADAPTER_OWN)
      return dnnl::fpmath_mode::tf32;
#else
      throw dnnl::error(dnnl_unimplemented, "there is no fpmath mode tf32");
#endif
  }
  throw dnnl::error(dnnl_invalid_arguments, "not a value of tandem_fpmath");
}

dnnl::primitive_attr ToAttributes(const tandem_problem& problem) {
  dnnl::primitive_attr attr;
#if !defined(TANDEM_ADAPTER_OWN) || DNNL_VERSION_MAJOR >= 3
  // oneDNN 2.6 ignores the bit instead of refusing it; the C++ classes of generation 3 have no argument for it.
  if (problem.flags != 0) throw dnnl::error(dnnl_unimplemented, "there is no flag diff_weights_overwrite");
#endif
#ifdef TANDEM_ADAPTER_OWN
  attr.set_reading(problem.reading == tandem_spec_reading ? dnnl::reading::spec : dnnl::reading::onednn);
#endif
  attr.set_scratchpad_mode(problem.user_scratchpad ? dnnl::scratchpad_mode::user : dnnl::scratchpad_mode::library);
  if (problem.fpmath != tandem_fpmath_strict) attr.set_fpmath_mode(ToFpmath(problem.fpmath));
  const int src_type = problem.tensor[tandem_src_layer].data_type;
  if (src_type != tandem_u8 && src_type != tandem_s8) return attr;
  attr.set_rnn_data_qparams(problem.data_scale, problem.data_shift);
  const auto values = [](const tandem_scales& s) { return std::vector<float>(s.values, s.values + s.count); };
  attr.set_rnn_weights_qparams(problem.weights_scales.mask, values(problem.weights_scales));
  if (problem.tensor[tandem_weights_projection].ndims != 0) {
    attr.set_rnn_weights_projection_qparams(problem.projection_scales.mask, values(problem.projection_scales));
  }
  return attr;
}

// oneDNN refuses a problem without bias. It is given a bias of zeros, and memory for its gradient.
struct StandInBias {
  StatedProblem stated;
  std::vector<float> bias, diff_bias;

  explicit StandInBias(const tandem_problem& given) : stated(given) {
#ifndef TANDEM_ADAPTER_OWN
    const tandem_tensor& weights = given.tensor[tandem_weights_layer];
    if (given.tensor[tandem_bias].ndims != 0) return;
    const bool lbr = given.cell == tandem_lbr_gru || given.cell == tandem_lbr_augru;
    tandem_tensor t = {};
    t.ndims = 4;
    t.data_type = weights.data_type == tandem_s8 ? int32_t{tandem_f32} : weights.data_type;
    if (t.data_type == tandem_bf16) t.data_type = tandem_f32;
    const int64_t dims[4] = {weights.dims[0], weights.dims[1], weights.dims[3] + (lbr ? 1 : 0), weights.dims[4]};
    int64_t stride = 1;
    for (int i = 3; i >= 0; --i) {
      t.dims[i] = dims[i];
      t.strides[i] = stride;
      stride *= dims[i];
    }
    bias.assign(stride, 0.f);  // also large enough for a 16-bit type
    t.data = bias.data();
    stated.tensor[tandem_bias] = t;
    if (given.propagation != tandem_backward) return;
    diff_bias.assign(stride, 0.f);
    t.data_type = tandem_f32;
    t.data = diff_bias.data();
    stated.tensor[tandem_diff_bias] = t;
#endif
  }
};

Request MakeRequest(const AdapterPlugin& self, const tandem_problem& problem) {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  Request request;
  request.problem = &problem;
  request.propagation = problem.propagation == tandem_forward_inference  ? dnnl::prop_kind::forward_inference
                        : problem.propagation == tandem_forward_training ? dnnl::prop_kind::forward_training
                                                                         : dnnl::prop_kind::backward;
  for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) request.md[i] = RequestedDesc(problem, i);
  request.attr = ToAttributes(problem);
  request.engine = engine;
  request.implementation = self.implementation;
  return request;
}

// A tensor in the layout that the primitive chose: the caller's memory, or a copy.
struct Argument {
  dnnl::memory user, own;
  bool copied = false;
};

class Execution {
 public:
  Execution(const Request& request, const tandem_plugin_memory& memory)
      : request_(request), pd_(CreatePrimitiveDesc(request)), primitive_(pd_), stream_(request.engine) {
    for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
      if (request.problem->tensor[i].ndims != 0) Bind(i);
    }
    AddBytes(DNNL_ARG_WORKSPACE, pd_.workspace_desc(), memory.workspace);
    if (request.problem->user_scratchpad) {
      AddBytes(DNNL_ARG_SCRATCHPAD, pd_.scratchpad_desc(), memory.scratchpad);
    }
  }

  void Execute() {
    primitive_.execute(stream_, args_);
    stream_.wait();
  }

  void Run() {
    Execute();
    for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
      if (arguments_[i].copied && IsOutput(*request_.problem, i)) {
        Reorder(arguments_[i].own, arguments_[i].user);
      }
    }
    stream_.wait();
  }

 private:
  void Bind(int i) {
    const tandem_tensor& tensor = request_.problem->tensor[i];
    Argument& argument = arguments_[i];
    const Desc user_md = ConcreteDesc(tensor);
    const Desc wanted = pd_.query_md(dnnl::query::exec_arg_md, kAdapterTensors[i].exec_arg);
    argument.user = dnnl::memory(user_md, request_.engine, tensor.data);
    argument.copied = wanted != user_md;
    argument.own = argument.copied ? dnnl::memory(wanted, request_.engine) : argument.user;
    // Gradients of weights add to what is there, so outputs are copied in as well.
    if (argument.copied) Reorder(argument.user, argument.own);
    args_[kAdapterTensors[i].exec_arg] = argument.own;
  }

  void AddBytes(int arg, const Desc& md, void* bytes) {
    if (md.get_size() != 0) args_[arg] = dnnl::memory(md, request_.engine, bytes);
  }

  void Reorder(dnnl::memory& from, dnnl::memory& to) {
    dnnl::primitive_attr attr;
    // A reorder that quantizes needs a scratchpad of its own; the caller provided only the RNN primitive's.
    if (IsQuantized()) {
      attr = request_.attr;
      attr.set_scratchpad_mode(dnnl::scratchpad_mode::library);
    }
    dnnl::reorder(dnnl::reorder::primitive_desc(from, to, attr)).execute(stream_, from, to);
    stream_.wait();
  }
  bool IsQuantized() const { return request_.problem->tensor[tandem_weights_layer].data_type == tandem_s8; }

  const Request& request_;
  dnnl::primitive_desc pd_;
  dnnl::primitive primitive_;
  dnnl::stream stream_;
  std::array<Argument, TANDEM_NUM_TENSORS> arguments_;
  std::unordered_map<int, dnnl::memory> args_;
};

const AdapterPlugin& Self(const tandem_plugin* plugin) { return *reinterpret_cast<const AdapterPlugin*>(plugin); }

const tandem_description* Describe(const tandem_plugin* plugin) { return &Self(plugin).description; }

int32_t Supports(const tandem_plugin* plugin, const tandem_problem* problem, tandem_requirements* needs, char* reason,
                 size_t reason_size) {
  try {
    StandInBias stand_in(*problem);
    const Request request = MakeRequest(Self(plugin), *stand_in.stated.get());
    const dnnl::primitive_desc pd = CreatePrimitiveDesc(request);
    needs->workspace_bytes = pd.workspace_desc().get_size();
    needs->scratchpad_bytes = problem->user_scratchpad ? pd.scratchpad_desc().get_size() : 0;
    return tandem_ok;
  } catch (const dnnl::error& error) {
    std::snprintf(reason, reason_size, "%s", error.what());
    return error.status == dnnl_unimplemented ? tandem_not_supported : tandem_failed;
  } catch (const std::exception& error) {
    std::snprintf(reason, reason_size, "%s", error.what());
    return tandem_failed;
  }
}

int32_t Run(const tandem_plugin* plugin, const tandem_problem* problem, const tandem_plugin_memory* memory,
            char* message, size_t message_size) {
  try {
    StandInBias stand_in(*problem);
    const Request request = MakeRequest(Self(plugin), *stand_in.stated.get());
    Execution(request, *memory).Run();
    return tandem_ok;
  } catch (const std::exception& error) {
    std::snprintf(message, message_size, "%s", error.what());
    return tandem_failed;
  }
}

// Kept by prepare(): everything that an Execution points into.
struct Prepared {
  Prepared(const AdapterPlugin& self, const tandem_problem& problem, const tandem_plugin_memory& memory)
      : stand_in(problem), request(MakeRequest(self, *stand_in.stated.get())), execution(request, memory) {}

  StandInBias stand_in;
  Request request;
  Execution execution;
};

// The median of several creations, with the library's primitive cache switched off.
double CreationSeconds(const Request& request) {
  using Clock = std::chrono::steady_clock;
  const int capacity = dnnl::get_primitive_cache_capacity();
  dnnl::set_primitive_cache_capacity(0);
  std::array<double, 15> seconds;
  for (double& one : seconds) {
    const Clock::time_point start = Clock::now();
    const dnnl::primitive primitive(CreatePrimitiveDesc(request));
    one = std::chrono::duration<double>(Clock::now() - start).count();
  }
  dnnl::set_primitive_cache_capacity(capacity);
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  return seconds[seconds.size() / 2];
}

int32_t Prepare(const tandem_plugin* plugin, const tandem_problem* problem, const tandem_plugin_memory* memory,
                tandem_prepared* prepared, char* message, size_t message_size) {
  try {
    StandInBias stand_in(*problem);
    const Request request = MakeRequest(Self(plugin), *stand_in.stated.get());
    prepared->create_seconds = CreationSeconds(request);
    prepared->handle = std::make_unique<Prepared>(Self(plugin), *problem, *memory).release();
    return tandem_ok;
  } catch (const std::exception& error) {
    std::snprintf(message, message_size, "%s", error.what());
    return tandem_failed;
  }
}

int32_t Execute(void* handle) {
  try {
    static_cast<Prepared*>(handle)->execution.Execute();
    return tandem_ok;
  } catch (const std::exception&) {
    return tandem_failed;
  }
}

void Release(void* handle) { delete static_cast<Prepared*>(handle); }

constexpr tandem_timing kTiming = {sizeof(tandem_timing), TANDEM_PLUGIN_ABI, Prepare, Execute, Release, nullptr};
constexpr tandem_plugin kFunctions = {sizeof(tandem_plugin), TANDEM_PLUGIN_ABI, Describe, Supports, Run};

tandem_description DescriptionOf(const char* name) {
  tandem_description description = {};
  description.size = sizeof description;
  description.name = name;
  description.tensor_count = TANDEM_NUM_TENSORS;
  return description;
}

}  // namespace
}  // namespace tandem::conformance::adapter

using tandem::conformance::adapter::AdapterPlugin;
using tandem::conformance::adapter::DescriptionOf;
using tandem::conformance::adapter::kFunctions;
using tandem::conformance::adapter::kTiming;

extern "C" const tandem_timing* tandem_get_timing(uint32_t host_abi) {
  return host_abi == TANDEM_PLUGIN_ABI ? &kTiming : nullptr;
}

#ifdef TANDEM_ADAPTER_OWN
namespace {

tandem_description OwnDescription(const char* name, int keeps_subnormals, double activation_ulp) {
  tandem_description description = DescriptionOf(name);
  description.whole_table = 1;
  description.version = "";
  description.readings = 1 << tandem_spec_reading | 1 << tandem_onednn_reading;
  description.keeps_subnormals = keeps_subnormals;
  description.sigmoid_ulp = description.tanh_ulp = activation_ulp;
  description.thread_deterministic = 1;
  return description;
}

[[maybe_unused]] const AdapterPlugin tandem_adapter_reference = {kFunctions, OwnDescription("reference", 1, 1.0),
                                                                 "ref:"};
[[maybe_unused]] const AdapterPlugin tandem_adapter_optimized = {kFunctions, OwnDescription("optimized", 0, 4.0),
                                                                 "hwy:"};

}  // namespace

// The macro is one of the two.
extern "C" const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  return host_abi == TANDEM_PLUGIN_ABI ? &TANDEM_ADAPTER_OWN.base : nullptr;
}
#else
namespace {

// As ONEDNN_MAX_CPU_ISA names it: what the CPU has, up to what that variable allows.
const char* EffectiveCpuIsa() {
  const auto isa = static_cast<int>(dnnl::get_effective_cpu_isa());
  switch (isa) {
    case dnnl_cpu_isa_sse41:
      return "sse41";
    case dnnl_cpu_isa_avx:
      return "avx";
    case dnnl_cpu_isa_avx2:
      return "avx2";
    case dnnl_cpu_isa_avx2_vnni:
      return "avx2_vnni";
    case dnnl_cpu_isa_avx512_core:
      return "avx512_core";
    case dnnl_cpu_isa_avx512_core_vnni:
      return "avx512_core_vnni";
    case dnnl_cpu_isa_avx512_core_bf16:
      return "avx512_core_bf16";
    case dnnl_cpu_isa_avx512_core_amx:
      return "avx512_core_amx";
    default:
      break;
  }
  static char number[16];
  std::snprintf(number, sizeof number, "isa_%#x", static_cast<unsigned>(isa));
  return number;
}

}  // namespace

extern "C" const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  static char version[32];
  const dnnl_version_t* v = dnnl::version();
  std::snprintf(version, sizeof version, "%d.%d.%d", v->major, v->minor, v->patch);
  // Its attention cells do so in bf16, the other cells do not (docs/verdicts/findings.md has the experiment).
  constexpr int32_t kNarrowSlopes = 1 << tandem_augru | 1 << tandem_lbr_augru;
  static AdapterPlugin plugin = {kFunctions, DescriptionOf("onednn"), ""};
  plugin.description.version = version;
  plugin.description.readings = 1 << tandem_onednn_reading;
  plugin.description.narrow_slopes = kNarrowSlopes;
  plugin.description.cpu_isa = EffectiveCpuIsa();
  return host_abi == TANDEM_PLUGIN_ABI ? &plugin.base : nullptr;
}
#endif
