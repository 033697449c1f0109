#include "conformance/cli/runs/memory_budget.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "conformance/cli/runs/usage_error.h"
#include "conformance/problem/base/format.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

constexpr double kUnknown = HUGE_VAL;

// Returns the number that follows `key` in a file of lines "key number"; without a key, the file's first word.
double NumberIn(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    if (!key.empty() && word != key) continue;
    if (!key.empty() && !(file >> word)) break;
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    return *end == '\0' ? number : kUnknown;  // "max" is no number
  }
  return kUnknown;
}

// Returns the bytes that one control group leaves. Cached files are given back when memory is short.
double LeftIn(const std::string& group, const char* limit, const char* usage) {
  const double most = NumberIn(group + limit, ""), used = NumberIn(group + usage, "");
  if (!std::isfinite(most) || !std::isfinite(used)) return kUnknown;
  const double cached = NumberIn(group + "/memory.stat", "inactive_file");
  return std::max(0.0, most - used + (std::isfinite(cached) ? cached : 0));
}

// Asks a group and all groups that contain it.
double LeftInControlGroups() {
  std::ifstream file("/proc/self/cgroup");
  double left = kUnknown;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && controllers != "memory") continue;
    const std::string root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    std::string path = line.substr(second + 1);
    while (true) {
      while (!path.empty() && path.back() == '/') path.pop_back();
      left = std::min(left, unified ? LeftIn(root + path, "/memory.max", "/memory.current")
                                    : LeftIn(root + path, "/memory.limit_in_bytes", "/memory.usage_in_bytes"));
      if (path.empty()) break;
      path.erase(path.rfind('/'));
    }
  }
  return left;
}

std::string InWords(double bytes) {
  if (!std::isfinite(bytes)) return "more than 10^19 bytes";
  constexpr const char* kUnits[] = {"bytes", "KB", "MB", "GB", "TB", "PB", "EB"};
  size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1000;
  return Format(unit == 0 ? "%.0f %s" : "%.1f %s", bytes, kUnits[unit]);
}

double ToBytes(const std::string& word) {
  char* end = nullptr;
  const double number = std::strtod(word.c_str(), &end);
  constexpr const char kUnits[] = "KMGT";
  const char* const unit = *end == '\0' ? nullptr : std::find(kUnits, kUnits + 4, *end);
  const bool valid = end != word.c_str() && std::isfinite(number) && number > 0 &&
                     (unit == nullptr || (unit != kUnits + 4 && end[1] == '\0'));
  if (!valid) throw UsageError("--memory=" + word + ": a number of bytes is expected, such as 4G");
  return unit == nullptr ? number : number * std::pow(1024, unit - kUnits + 1);
}

struct Counts {
  double tensor_bytes = 0;
  double elements = 0;       // of all tensors
  double steps_of_rows = 0;  // numbers of all units, gates and steps of a batch, which training and the oracle keep
  double cell_weights = 0;   // of the largest layer
};

Counts CountOf(const ProblemSpec& spec) {
  Counts counts;
  ProblemSpec plain = spec;
  plain.scaling = plain.projection_scaling = QuantizationScaling::kCommon;  // scales that are made would be memory, too
  ResolveDims(&plain);
  const RnnProblem problem = ToRnnProblem(plain);
  for (int i = 0; i < kNumTensors; ++i) {
    const MemoryDesc& md = problem.md[i];
    if (IsZero(md)) continue;
    counts.tensor_bytes += static_cast<double>(ExtentInBytes(md));
    counts.elements += static_cast<double>(NumElements(md));
  }
  const double dhc = static_cast<double>(problem.dhc), gates = static_cast<double>(problem.n_gates);
  const double cells = static_cast<double>(problem.n_layer) * static_cast<double>(problem.n_dir);
  const double rows = static_cast<double>(problem.n_iter) * static_cast<double>(problem.mb);
  const double inputs = static_cast<double>(std::max(problem.slc, problem.dic));
  const bool training = problem.IsTraining() || problem.IsBackward();
  counts.steps_of_rows = rows * ((training ? cells * (gates + 3) : 4) * dhc + 2 * inputs);
  counts.cell_weights = (inputs + static_cast<double>(problem.sic)) * gates * dhc;
  return counts;
}

double BytesOf(const ProblemSpec& spec, double judged_share) {
  const Counts counts = CountOf(spec);
  // They are inputs and outputs of the problem and of a run before it, two layouts of each in shared memory, copies of outputs.
  double bytes = 8 * counts.tensor_bytes;
  if (spec.padding != 0) bytes += 4 * sizeof(size_t) * counts.elements;  // for each element, the place where it lies
  // A worker has doubles of the reference, packed weights and workspace. The judge fills the tensors from doubles.
  bytes += sizeof(double) * (2 * counts.steps_of_rows + counts.cell_weights + counts.elements);
  // The oracle's numbers carry their error, as six doubles.
  return bytes + 6 * sizeof(double) * (2 * counts.steps_of_rows * judged_share + counts.cell_weights);
}

}  // namespace

double AvailableBytes() { return std::min(1024 * NumberIn("/proc/meminfo", "MemAvailable:"), LeftInControlGroups()); }

double NeededBytes(const ProblemSpec& spec) { return BytesOf(spec, 1); }

double NeededBytes(const ProblemSpec& given, const CheckOptions& options) {
  ProblemSpec spec = given;
  ResolveDims(&spec);
  spec.t = StepsToRun(spec, options);
  const Dim rows = RowsToJudge(spec, options);
  return BytesOf(spec, static_cast<double>(rows) / static_cast<double>(std::max<Dim>(1, spec.mb)));
}

void MemoryBudget::AddOption(CLI::App* app) {
  app->add_option("--memory", given_, "bytes that may be used, e.g. 4G; what the machine has left if not given");
}

double MemoryBudget::limit() const { return given_.empty() ? AvailableBytes() : ToBytes(given_); }

void MemoryBudget::Check(const ProblemSpec& spec, double needed) const {
  const double most = limit();
  if (needed <= most) return;
  throw UsageError(PrintProblem(spec) + ": needs about " + InWords(needed) + " of memory, but " + InWords(most) +
                   (given_.empty() ? " are available; --memory=SIZE sets another limit" : " are allowed by --memory"));
}

void MemoryBudget::Check(const std::vector<ProblemSpec>& specs) const {
  for (const ProblemSpec& spec : specs) Check(spec, NeededBytes(spec));
}

int MemoryBudget::Fitting(double needed, int wanted) const {
  if (needed <= 0) return wanted;
  return static_cast<int>(std::clamp(std::floor(limit() / needed), 1.0, static_cast<double>(wanted)));
}

}  // namespace tandem::conformance
