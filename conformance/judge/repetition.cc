#include "conformance/judge/repetition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "conformance/sandbox/group_times.h"

namespace tandem::conformance {
namespace {

struct Resource {
  const char* name;
  int64_t GroupResources::*of_group;  // null: the heap, which only the worker knows
  int64_t least;                      // less growth in eight executions does not count
  bool is_memory;
};
// An execution is at least two calls of run(), and the smallest block of the heap has 32 bytes.
constexpr std::array<Resource, 4> kResources = {{
    {"bytes of the heap", nullptr, 8 * 32, true},
    {"bytes of memory", &GroupResources::memory_bytes, 64 << 10, true},
    {"descriptors", &GroupResources::descriptors, 1, false},
    {"threads", &GroupResources::threads, 1, false},
}};
using Sample = std::array<int64_t, kResources.size()>;

constexpr int kWarmUp = 8, kWindow = 8, kWindows = 4;
// A counter that overflows, or a cache that replaces an entry, has its effect late.
constexpr int kLeastExecutions = 128;
// This many executions overlap another thread's calls.
constexpr int kInCompany = 16;
// A resource that grew is looked at this many times longer. Memory that still grows is looked at once more, because libraries
// have caches of 1,024 entries. Descriptors and threads are too few for that.
constexpr int kLonger[] = {4, 32};
// With this setting oneDNN's cache is full sooner.
constexpr char kSmallCache[] = "ONEDNN_PRIMITIVE_CACHE_CAPACITY=16";
// A process that has grown by this number of bytes is not executed again.
constexpr int64_t kEnough = int64_t{256} << 20;

bool IsCommand(const Plugin& plugin) {
  return plugin.worker->word().compare(0, sizeof kPipePrefix - 1, kPipePrefix) == 0;
}

// A command keeps its environment, so that one that runs already can be asked.
std::vector<std::string> SettingsOf(const Plugin& plugin, const RunOptions& run) {
  std::vector<std::string> environment = run.environment;
  if (!IsCommand(plugin)) environment.push_back(kSmallCache);
  return environment;
}

// Names the first element that is not the same in both, NaN or not. The text is empty if there is none.
std::string DifferenceOf(const RnnProblem& problem, const TensorSet& first, const TensorSet& later) {
  for (const Tensor t : Outputs(problem)) {
    for (size_t i = 0; i < first[t].size(); ++i) {
      if (SameBits(first[t], i, later[t], i)) continue;
      char text[120];
      std::snprintf(text, sizeof text, "%s: element %zu is %.9g, then %.9g", ToString(t), i, first[t].Get(i),
                    later[t].Get(i));
      return text;
    }
  }
  return "";
}

class Meter {
 public:
  Meter(const Plugin& plugin, const RnnProblem& problem, const RunOptions& run, const TensorSet& inputs)
      : plugin_(plugin), problem_(problem), run_(run), inputs_(inputs), executor_(plugin, SettingsOf(plugin, run)) {
    run_.executor = &executor_;
  }

  // Returns false if an execution has failed, in which case the process may be gone, or has given other outputs than the first.
  bool Execute(int times) {
    for (int i = 0; i < times && IsWell(); ++i) {
      TensorSet tensors = inputs_;
      last_ = RunIsolated(plugin_, problem_, run_, &tensors);
      if (executions_++ == 0) first_ = tensors;
      if (!last_.outcome.ok()) break;
      std::string difference = DifferenceOf(problem_, first_, tensors);
      if (!difference.empty()) other_ = OtherOutputs{std::move(tensors), std::move(difference)};
    }
    return IsWell();
  }
  bool IsWell() const { return last_.outcome.ok() && !other_; }

  Sample Read() const {
    const GroupResources group = ReadGroupResources(executor_.group());
    Sample sample;
    for (size_t i = 0; i < kResources.size(); ++i) {
      const Resource& resource = kResources[i];
      sample[i] = resource.of_group != nullptr ? group.*resource.of_group : last_.heap_bytes;
    }
    return sample;
  }
  int executions() const { return executions_; }
  // Adds the results of the executions to the sentence about growth.
  Repetition Finish(std::string growth) { return {std::move(growth), executions_, last_, std::move(other_)}; }

 private:
  const Plugin& plugin_;
  const RnnProblem& problem_;
  RunOptions run_;
  const TensorSet& inputs_;
  Executor executor_;
  int executions_ = 0;
  ExecutionReport last_;
  TensorSet first_;
  std::optional<OtherOutputs> other_;
};

// Returns samples at the borders of windows; fewer if an execution failed or the process has grown enough.
std::vector<Sample> ReadWindows(int window, Meter* meter) {
  if (!meter->IsWell()) return {};
  std::vector<Sample> samples = {meter->Read()};
  for (int i = 0; i < kWindows && meter->Execute(window); ++i) {
    samples.push_back(meter->Read());
    if (samples.back()[1] - samples[0][1] > kEnough) break;
  }
  return samples;
}

// Returns true if it grows in each window by what counts, and in the last one not much less than in the first.
bool Grows(const std::vector<Sample>& samples, size_t resource, int64_t least) {
  if (samples.size() < 2) return false;
  const auto growth = [&](size_t i) { return samples[i][resource] - samples[i - 1][resource]; };
  for (size_t i = 1; i < samples.size(); ++i) {
    if (growth(i) < least) return false;
  }
  return 2 * growth(samples.size() - 1) >= growth(1);
}

std::string GrowingResources(const Plugin& plugin, Meter* meter) {
  const std::vector<Sample> first = ReadWindows(kWindow, meter);
  std::vector<size_t> suspects;
  for (size_t i = 0; i < kResources.size(); ++i) {
    if (kResources[i].is_memory && IsCommand(plugin)) continue;
    if (Grows(first, i, kResources[i].least)) suspects.push_back(i);
  }
  if (suspects.empty()) return "";
  std::string found;
  for (const int longer : kLonger) {
    if (suspects.empty()) break;
    const int window = longer * kWindow;
    const std::vector<Sample> samples = ReadWindows(window, meter);
    std::vector<size_t> still;
    for (const size_t i : suspects) {
      if (!Grows(samples, i, longer * kResources[i].least)) continue;
      if (kResources[i].is_memory && longer != kLonger[1]) {
        still.push_back(i);
      } else {
        found += (found.empty() ? "" : ", ") + std::to_string(samples.back()[i] - samples[0][i]) + " " +
                 kResources[i].name + " more after " +
                 std::to_string((samples.size() - 1) * static_cast<size_t>(window)) + " executions";
      }
    }
    suspects = still;
  }
  return found;
}

}  // namespace

Repetition Repeat(const Plugin& plugin, const RnnProblem& problem, const RunOptions& run, const TensorSet& inputs) {
  Meter meter(plugin, problem, run, inputs);
  meter.Execute(kWarmUp);
  std::string growth = GrowingResources(plugin, &meter);
  if (growth.empty()) meter.Execute(kLeastExecutions - meter.executions());
  return meter.Finish(std::move(growth));
}

Repetition RepeatInCompany(const Plugin& plugin, const RnnProblem& problem, const RunOptions& run,
                           const TensorSet& inputs) {
  RunOptions accompanied = run;
  accompanied.company = Company::kOtherThread;
  Meter meter(plugin, problem, accompanied, inputs);
  meter.Execute(kInCompany);
  return meter.Finish("");
}

Repetition ExecuteWith(const std::string& variable, const Plugin& plugin, const RunOptions& run,
                       const Execution& executed) {
  RunOptions elsewhere = run;
  elsewhere.executor = nullptr;               // the executor has an environment already
  elsewhere.environment.push_back(variable);  // it comes after the variables of `run`, which may have it, too
  Plugin loaded = plugin;
  loaded.worker = plugin.worker->LoadedWith(variable);
  TensorSet tensors = executed.inputs;
  Repetition repetition;
  repetition.executions = 1;
  repetition.last = RunIsolated(loaded, executed.problem, elsewhere, &tensors);
  if (!repetition.last.outcome.ok()) return repetition;
  std::string difference = DifferenceOf(executed.problem, executed.outputs, tensors);
  if (!difference.empty()) repetition.other = OtherOutputs{std::move(tensors), std::move(difference)};
  return repetition;
}

}  // namespace tandem::conformance
