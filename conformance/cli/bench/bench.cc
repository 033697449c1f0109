#include "conformance/cli/bench/bench.h"

#include <dlfcn.h>
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>

#include "conformance/cli/bench/thread_supply.h"
#include "conformance/judge/check.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/problem/generator.h"
#include "conformance/sandbox/pipe/pipe_plugin.h"
#include "hwy/aligned_allocator.h"

namespace tandem::conformance {
namespace {

// The bytes are aligned to a cache line, as frameworks and dnnl::memory place tensors. With malloc's 16 bytes, every vector
// would touch two lines, and threads that divide the units would share lines.
using Bytes = std::vector<uint8_t, hwy::AlignedAllocator<uint8_t>>;

double Now(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr int kWarmUps = 2;
// A sample is the mean of the executions in this time, because reading a thread's CPU time takes 0.5 us.
constexpr double kShortestSample = 20e-6;
constexpr int kMostPerSample = 64;

// The environment has the contender's setting while this object lives.
class ImposedSetting {
 public:
  explicit ImposedSetting(const Contender& contender)
      : name_(contender.setting.name), read_again_(contender.read_environment_again) {
    if (name_.empty()) return;
    const char* before = std::getenv(name_.c_str());
    if (before != nullptr) before_ = before;
    setenv(name_.c_str(), contender.setting.value.c_str(), 1);
    if (read_again_ != nullptr) read_again_();
  }
  ~ImposedSetting() {
    if (name_.empty()) return;
    before_ ? setenv(name_.c_str(), before_->c_str(), 1) : unsetenv(name_.c_str());
    if (read_again_ != nullptr) read_again_();
  }
  ImposedSetting(const ImposedSetting&) = delete;
  ImposedSetting& operator=(const ImposedSetting&) = delete;

 private:
  const std::string name_;
  void (*const read_again_)();
  std::optional<std::string> before_;
};

// This is one problem for one implementation, with its own tensors, so that none finds another's data in the cache.
class Prepared {
 public:
  Prepared(const Contender& contender, const ProblemSpec& spec, int threads)
      : contender_(contender), problem_(ToRnnProblem(spec)), threads_(threads) {
    timing_.implementation = contender.label.empty() ? contender.plugin.word : contender.label;
    timing_.threads = threads;
    omp_set_num_threads(threads);
    const ImposedSetting imposed(contender);
    PlaceTensors(spec);
    free_layouts_ = FreeLayouts(spec);
    if (Ask() && problem_.IsBackward()) RunForward();
  }

  // A turn prepares in the thread that executes, because libdnnl 2.6.3 has its scratchpad there.
  void TakeTurn(double seconds) {
    if (!timing_.refused.empty()) return;
    omp_set_num_threads(threads_);
    if (!Prepare()) return;
    const size_t before = samples_.size();
    if (MeasuresItself(*contender_.timing)) {
      TakeItsWord(seconds);
    } else {
      TakeTimes(seconds);
    }
    contender_.timing->release(prepared_.handle);
    if (samples_.size() == before) return;
    std::vector<double> turn(samples_.begin() + static_cast<std::ptrdiff_t>(before), samples_.end());
    std::sort(turn.begin(), turn.end());
    timing_.turn_seconds.push_back(turn[turn.size() / 2]);
  }

  // Calls turn(call) once, with all prepared.
  void TakeCalls(const std::function<void(const PreparedCall&)>& turn) {
    if (!timing_.refused.empty() || !Prepare()) return;
    PreparedCall call;
    call.execute = [&] {
      const bool done = contender_.timing->execute(prepared_.handle) == tandem_ok;
      if (!done) timing_.refused = "an execution failed";
      return done;
    };
    if (MeasuresItself(*contender_.timing)) {
      call.last_seconds = [&] { return contender_.timing->last_seconds(prepared_.handle); };
    }
    turn(call);
    contender_.timing->release(prepared_.handle);
  }
  const std::string& refused() const { return timing_.refused; }

  bool HasMeasured(double seconds) const { return !timing_.refused.empty() || measured_seconds_ >= seconds; }

  Timing Result() {
    if (samples_.empty()) return timing_;
    std::sort(samples_.begin(), samples_.end());
    timing_.min_seconds = samples_.front();
    timing_.median_seconds = samples_[samples_.size() / 2];
    timing_.executions = executions_;
    return timing_;
  }

 private:
  // Plugins that were built before have no last_seconds.
  static bool MeasuresItself(const tandem_timing& timing) {
    return timing.size > offsetof(tandem_timing, last_seconds) && timing.last_seconds != nullptr;
  }

  bool Prepare() {
    const ImposedSetting imposed(contender_);
    StatedProblem stated = State(problem_);
    char message[256] = "";
    if (contender_.timing->prepare(contender_.functions, stated.get(), &memory_, &prepared_, message, sizeof message) !=
        tandem_ok) {
      timing_.refused = message;
      return false;
    }
    // A later creation may be faster, because the library may have kept the primitive.
    if (samples_.empty()) timing_.create_seconds = prepared_.create_seconds;
    return true;
  }

  void TakeTimes(double seconds) {
    for (int i = 1; i < kWarmUps; ++i) contender_.timing->execute(prepared_.handle);
    // CPU time does not depend on other processes. Several threads also wait for each other, so theirs is real time.
    const clockid_t clock = threads_ == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    const double warm = Now(clock);
    contender_.timing->execute(prepared_.handle);
    const double start = Now(clock);
    const int batch = std::clamp(static_cast<int>(kShortestSample / std::max(start - warm, 1e-9)), 1, kMostPerSample);
    double last = start;
    do {
      for (int i = 0; i < batch; ++i) {
        if (contender_.timing->execute(prepared_.handle) != tandem_ok) timing_.refused = "an execution failed";
      }
      const double now = Now(clock);
      samples_.push_back((now - last) / batch);
      last = now;
      executions_ += batch;
    } while (last - start < seconds && timing_.refused.empty());
    measured_seconds_ += last - start;
  }

  void TakeItsWord(double seconds) {
    const tandem_timing& timing = *contender_.timing;
    const double start = Now(CLOCK_MONOTONIC);
    for (int i = 0; i < kWarmUps; ++i) timing.execute(prepared_.handle);
    do {
      if (timing.execute(prepared_.handle) != tandem_ok) timing_.refused = "an execution failed";
      samples_.push_back(timing.last_seconds(prepared_.handle));
      ++executions_;
    } while (Now(CLOCK_MONOTONIC) - start < seconds && timing_.refused.empty());
    measured_seconds_ += Now(CLOCK_MONOTONIC) - start;
  }

  void PlaceTensors(const ProblemSpec& spec) {
    TensorSet filled(problem_);
    FillInputs(spec, problem_, &filled);
    for (int i = 0; i < kNumTensors; ++i) {
      const TensorBuffer& from = filled.tensor[i];
      tensors_[i].assign(from.bytes().begin(), from.bytes().end());
    }
  }

  StatedProblem State(const RnnProblem& problem) {
    StatedProblem stated = ToPluginProblem(problem, free_layouts_);
    stated.problem.threads = threads_;
    for (int i = 0; i < kNumTensors; ++i) {
      if (stated.tensor[i].ndims == 0) continue;
      const MemoryDesc& md = problem.md[i];
      stated.tensor[i].data = tensors_[i].data() + static_cast<size_t>(md.offset0) * SizeOf(TypeOf(md));
    }
    return stated;
  }

  bool Ask() {
    const tandem_plugin* plugin = contender_.functions;
    tandem_requirements needs = {sizeof needs, 0, 0, 0};
    char reason[256] = "";
    StatedProblem stated = State(problem_);
    stated.problem.user_scratchpad = 1;
    if (plugin->supports(plugin, stated.get(), &needs, reason, sizeof reason) != tandem_ok) {
      timing_.refused = reason;
      return false;
    }
    timing_.scratchpad_bytes = needs.scratchpad_bytes;
    workspace_.resize(needs.workspace_bytes);
    memory_ = {sizeof memory_, 0, workspace_.data(), needs.workspace_bytes, nullptr, 0};
    return true;
  }

  void RunForward() {
    const tandem_plugin* plugin = contender_.functions;
    const RnnProblem forward = ForwardOf(problem_);
    StatedProblem stated = State(forward);
    char message[256] = "";
    if (plugin->run(plugin, stated.get(), &memory_, message, sizeof message) != tandem_ok) timing_.refused = message;
  }

  const Contender& contender_;
  RnnProblem problem_;
  int threads_;
  uint64_t free_layouts_;
  std::array<Bytes, kNumTensors> tensors_;
  Bytes workspace_;
  tandem_plugin_memory memory_ = {};
  tandem_prepared prepared_ = {sizeof prepared_, 0, 0, nullptr};
  Timing timing_;
  std::vector<double> samples_;
  size_t executions_ = 0;
  double measured_seconds_ = 0;
};

// The teams of a thread end with it. Under OMP_WAIT_POLICY=active they would spin beside the threads of the next
// implementation: an LBR-GRU of 681 units on two threads took three times as long beside a waiting oneDNN.
void InOwnThread(const std::function<void()>& work) {
  RequireThreads(2);
  std::async(std::launch::async, work).get();
}

}  // namespace

Contender LoadContender(const std::string& word) {
  Contender contender;
  contender.plugin = LoadPlugin(word);
  contender.plugin.word = word;
  return contender;
}

void LoadHere(Contender* contender) {
  const std::string& file = contender->plugin.worker->word();
  if (file.compare(0, sizeof kPipePrefix - 1, kPipePrefix) == 0) {
    contender->functions = PipePlugin(file.substr(sizeof kPipePrefix - 1), WhenCommandEnds::kFail);
    contender->timing = PipeTiming();
    return;
  }
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto plugin = reinterpret_cast<tandem_get_plugin_function>(dlsym(library, "tandem_get_plugin"));
  const auto timing = reinterpret_cast<tandem_get_timing_function>(dlsym(library, "tandem_get_timing"));
  contender->read_environment_again = reinterpret_cast<void (*)()>(dlsym(library, "tandem_read_environment_again"));
  contender->functions = plugin == nullptr ? nullptr : plugin(TANDEM_PLUGIN_ABI);
  const tandem_timing* given = timing == nullptr ? nullptr : timing(TANDEM_PLUGIN_ABI);
  if (contender->functions == nullptr || given == nullptr) {
    throw std::runtime_error(contender->plugin.word +
                             " exports no tandem_get_timing (conformance/plugin_timing.h), so it can be "
                             "checked but not timed");
  }
  contender->timing = given;
}

Outcome VerifyForBench(const Contender& contender, const ProblemSpec& spec, std::string* message) {
  CheckOptions options;
  options.oracle_macs = 2e7;
  const CheckedProblem checked = CheckProblem(contender.plugin, spec, options);
  *message = checked.message;
  return checked.outcome;
}

namespace {

// Returns the problem in a reading that the implementation follows, in which it was judged. The amount of work is the same.
ProblemSpec InItsReading(const Contender& contender, const ProblemSpec& spec) {
  ProblemSpec own = spec;
  if (!contender.plugin.Follows(own.reading)) own.reading = Reading::kOnednn;
  return own;
}

}  // namespace

std::vector<std::string> CallInTurns(const std::vector<Contender>& contenders, const ProblemSpec& spec, int rounds,
                                     const std::function<void(size_t, const PreparedCall&)>& turn) {
  std::vector<std::unique_ptr<Prepared>> prepared;
  for (const Contender& contender : contenders) {
    prepared.push_back(std::make_unique<Prepared>(contender, InItsReading(contender, spec), 1));
  }
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < prepared.size(); ++i) {
      prepared[i]->TakeCalls([&](const PreparedCall& call) { turn(i, call); });
    }
  }
  std::vector<std::string> refused;
  for (const auto& one : prepared) refused.push_back(one->refused());
  return refused;
}

std::vector<Timing> TimeProblem(const std::vector<Contender>& contenders, const ProblemSpec& spec,
                                const BenchOptions& options) {
  std::vector<std::unique_ptr<Prepared>> prepared;
  for (const Contender& contender : contenders) {
    const ProblemSpec own = InItsReading(contender, spec);
    for (const int threads : options.threads) {
      InOwnThread([&] { prepared.push_back(std::make_unique<Prepared>(contender, own, threads)); });
    }
  }
  const double all_seconds = options.seconds_per_turn * options.rounds;
  for (int round = 0; round < options.rounds; ++round) {
    const bool enough =
        std::all_of(prepared.begin(), prepared.end(), [&](const auto& one) { return one->HasMeasured(all_seconds); });
    if (enough && round >= options.fewest_rounds) break;
    for (size_t i = 0; i < prepared.size(); ++i) {
      const bool backwards = options.order == TurnOrder::kAlternating && round % 2 == 1;
      Prepared* const one = prepared[backwards ? prepared.size() - 1 - i : i].get();
      InOwnThread([&] { one->TakeTurn(options.seconds_per_turn); });
    }
    InOwnThread(options.after_round);
  }
  std::vector<Timing> timings;
  for (const auto& one : prepared) timings.push_back(one->Result());
  return timings;
}

}  // namespace tandem::conformance
