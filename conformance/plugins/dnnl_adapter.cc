// This is the plugin interface over the dnnl C++ API. One set of sources, dnnl_adapter*.cc, is compiled against Tandem
// (TANDEM_ADAPTER_OWN names the backend) and against a oneDNN of generation 2 or 3 (DNNL_VERSION_MAJOR).
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "conformance/plugin_timing.h"
#include "conformance/plugins/adapter_cells.h"
#include "conformance/plugins/dnnl_adapter_execution.h"
#include "conformance/plugins/dnnl_adapter_streams.h"

namespace tandem::conformance::adapter {
namespace {

// This says how a problem is run: by one execution of all steps, or by a stream.
enum class Steps { kAtOnce, kOneByOne };

struct AdapterPlugin {
  tandem_plugin base;
  tandem_description description;
  const char* implementation;
  ByteInputs byte_inputs;
  Steps steps;
};

const AdapterPlugin& Self(const tandem_plugin* plugin) { return *reinterpret_cast<const AdapterPlugin*>(plugin); }

const tandem_description* Describe(const tandem_plugin* plugin) { return &Self(plugin).description; }

int32_t Supports(const tandem_plugin* plugin, const tandem_problem* problem, tandem_requirements* needs, char* reason,
                 size_t reason_size) {
  try {
    const AskedProblem asked(*problem, Self(plugin).implementation, Self(plugin).byte_inputs);
    const dnnl::primitive_desc pd = CreatePrimitiveDesc(asked.request());
#ifdef TANDEM_ADAPTER_OWN
    if (Self(plugin).steps == Steps::kOneByOne) CheckStreamed(asked.request());
#endif
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

#ifdef TANDEM_ADAPTER_OWN
// `check --impl=streams --same-bits=TANDEM_STREAMS=at_once` compares the bits of both ways.
bool RunsAtOnce() {
  const char* value = std::getenv("TANDEM_STREAMS");
  return value != nullptr && std::strcmp(value, "at_once") == 0;
}
#endif

int32_t Run(const tandem_plugin* plugin, const tandem_problem* problem, const tandem_plugin_memory* memory,
            char* message, size_t message_size) {
  try {
    const AskedProblem asked(*problem, Self(plugin).implementation, Self(plugin).byte_inputs);
    Execution execution(asked.request(), *memory);
#ifdef TANDEM_ADAPTER_OWN
    if (Self(plugin).steps == Steps::kOneByOne && !RunsAtOnce()) {
      execution.RunBySteps();
      return tandem_ok;
    }
#endif
    execution.Run();
    return tandem_ok;
  } catch (const std::exception& error) {
    std::snprintf(message, message_size, "%s", error.what());
    return tandem_failed;
  }
}

// prepare() keeps everything that an Execution points into.
struct Prepared {
  Prepared(const AdapterPlugin& self, const tandem_problem& problem, const tandem_plugin_memory& memory)
      : asked(problem, self.implementation, self.byte_inputs), execution(asked.request(), memory), steps(self.steps) {}

  AskedProblem asked;
  Execution execution;
  Steps steps;
};

// Returns the median of several creations, with the library's primitive cache switched off.
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
    const AskedProblem asked(*problem, Self(plugin).implementation, Self(plugin).byte_inputs);
    prepared->create_seconds = CreationSeconds(asked.request());
    prepared->handle = std::make_unique<Prepared>(Self(plugin), *problem, *memory).release();
    return tandem_ok;
  } catch (const std::exception& error) {
    std::snprintf(message, message_size, "%s", error.what());
    return tandem_failed;
  }
}

int32_t Execute(void* handle) {
  try {
    auto* const prepared = static_cast<Prepared*>(handle);
#ifdef TANDEM_ADAPTER_OWN
    if (prepared->steps == Steps::kOneByOne) {
      prepared->execution.ExecuteBySteps();
      return tandem_ok;
    }
#endif
    prepared->execution.Execute();
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
#ifdef TANDEM_ARG_SEQUENCE_LENGTHS
  description.serves_gate_functions = 1;
#endif
  return description;
}

}  // namespace
}  // namespace tandem::conformance::adapter

using tandem::conformance::adapter::AdapterPlugin;
using tandem::conformance::adapter::ByteInputs;
using tandem::conformance::adapter::DescriptionOf;
using tandem::conformance::adapter::kFunctions;
using tandem::conformance::adapter::kTiming;
using tandem::conformance::adapter::Steps;

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

// The client takes whatever implementation it gets. In reading spec, an s8 state beside a projection needs an attribute object
// of its own, so this client has reading onednn only.
tandem_description ClientDescription() {
  tandem_description description = OwnDescription("client", 0, 4.0);
  description.readings = 1 << tandem_onednn_reading;
  return description;
}

// The streams are those of the implementation that a client gets. They serve forward_inference from left to right.
tandem_description StreamsDescription() {
  tandem_description description = OwnDescription("streams", 0, 2.0);
  description.whole_table = 0;
  return description;
}

[[maybe_unused]] const AdapterPlugin tandem_adapter_reference = {kFunctions, OwnDescription("reference", 1, 1.0),
                                                                 "ref:", ByteInputs::kAsGiven, Steps::kAtOnce};
[[maybe_unused]] const AdapterPlugin tandem_adapter_optimized = {kFunctions, OwnDescription("optimized", 0, 2.0),
                                                                 "hwy:", ByteInputs::kAsGiven, Steps::kAtOnce};
[[maybe_unused]] const AdapterPlugin tandem_adapter_streams = {kFunctions, StreamsDescription(), "",
                                                               ByteInputs::kAsGiven, Steps::kOneByOne};
[[maybe_unused]] const AdapterPlugin tandem_adapter_client = {kFunctions, ClientDescription(), "",
                                                              ByteInputs::kQuantizedByReorders, Steps::kAtOnce};

}  // namespace

// The macro names one of the four plugins.
extern "C" const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  return host_abi == TANDEM_PLUGIN_ABI ? &TANDEM_ADAPTER_OWN.base : nullptr;
}
#else
namespace {

// Returns the CPU's instruction set by its name in ONEDNN_MAX_CPU_ISA, up to what that variable allows.
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
  // The attention cells of oneDNN evaluate slopes in bf16, the other cells do not (docs/verdicts/README.md has the experiment).
  constexpr int32_t kNarrowSlopes = 1 << tandem_augru | 1 << tandem_lbr_augru;
  static AdapterPlugin plugin = {kFunctions, DescriptionOf("onednn"), "", ByteInputs::kAsGiven, Steps::kAtOnce};
  plugin.description.version = version;
  plugin.description.readings = 1 << tandem_onednn_reading;
  plugin.description.narrow_slopes = kNarrowSlopes;
  plugin.description.cpu_isa = EffectiveCpuIsa();
  return host_abi == TANDEM_PLUGIN_ABI ? &plugin.base : nullptr;
}
#endif
