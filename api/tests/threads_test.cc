// Threads of the client: many at once, inside its own OpenMP regions, short-lived ones, and ones with little stack. Both
// implementations.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <thread>

#include "api/tests/rnn_client_testing.h"

#if defined(__SANITIZE_ADDRESS__)
#define TANDEM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TANDEM_ASAN 1
#endif
#endif
#ifndef TANDEM_ASAN
#define TANDEM_ASAN 0
#endif

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;

constexpr int kDiff = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;

std::vector<RnnCase> Cases() {
  std::vector<RnnCase> cases;
  for (const auto cell : {algorithm::vanilla_rnn, algorithm::vanilla_lstm, algorithm::vanilla_gru, algorithm::lbr_gru,
                          algorithm::lbr_augru}) {
    for (const auto type : {memory::data_type::f32, memory::data_type::bf16}) {
      RnnCase rnn;
      rnn.cell = cell;
      rnn.type = type;
      if (!rnn.HasAttention()) rnn.direction = dnnl::rnn_direction::bidirectional_concat;
      rnn.layers = rnn.HasAttention() ? 1 : 2;
      rnn.steps = 3;
      rnn.batch = 7;
      rnn.slc = rnn.dhc = 40;
      rnn.peephole = rnn.IsLstm();
      cases.push_back(rnn);
    }
  }
  return cases;
}

// Products with operands of 1 KB to 1 MB, beyond what any of them would keep on the stack.
std::vector<RnnCase> LargeCases() {
  std::vector<RnnCase> cases;
  for (RnnCase rnn : Cases()) {
    if (rnn.type != memory::data_type::f32) continue;
    rnn.direction = dnnl::rnn_direction::unidirectional_left2right;
    rnn.layers = rnn.steps = 1;
    for (const memory::dim batch : {1, 30, 150}) {
      for (const memory::dim channels : {20, 80, 300}) {
        rnn.batch = batch;
        rnn.slc = rnn.dhc = channels;
        cases.push_back(rnn);
      }
    }
  }
  return cases;
}

Tensors InputsFor(const RnnCase& rnn) {
  Tensors inputs;
  std::vector<int> args = InputsOf(rnn);
  for (const int arg : OutputsOf(rnn)) args.push_back(arg + kDiff);
  for (const int arg : args) {
    size_t count = 1;
    for (const auto dim : rnn.Dims(arg)) count *= static_cast<size_t>(dim);
    for (size_t i = 0; i < count; ++i) inputs[arg].push_back(0.125f * static_cast<float>((i * 7 + arg) % 9) - 0.5f);
  }
  return inputs;
}

// A case on one implementation, with the results that it gives in a process with no other thread.
struct Known {
  RnnCase rnn;
  size_t implementation;
  std::string name;
  Tensors inputs, inference, training;

  // Creates everything, executes and destroys; true if the results are those.
  bool GivesTheSame() const {
    if (Run(rnn, AllForward(rnn, prop_kind::forward_inference).at(implementation), inputs) != inference) return false;
    const auto forward = AllForward(rnn, prop_kind::forward_training).at(implementation);
    return Train(rnn, forward, inputs, dnnl::rnn_flags::diff_weights_overwrite) == training;
  }
};

std::vector<Known> AllKnown() {
  std::vector<Known> all;
  for (const RnnCase& rnn : Cases()) {
    const Tensors inputs = InputsFor(rnn);
    const auto inference = AllForward(rnn, prop_kind::forward_inference);
    const auto training = AllForward(rnn, prop_kind::forward_training);
    for (size_t i = 0; i < inference.size(); ++i) {
      all.push_back({rnn, i, rnn.ToString() + " " + inference[i].impl_info_str(), inputs,
                     Run(rnn, inference[i], inputs),
                     Train(rnn, training[i], inputs, dnnl::rnn_flags::diff_weights_overwrite)});
    }
  }
  return all;
}

// Two seconds, or as many as TANDEM_STRESS_SECONDS says.
std::chrono::duration<double> StressTime() {
  const char* seconds = std::getenv("TANDEM_STRESS_SECONDS");
  return std::chrono::duration<double>(seconds == nullptr ? 2 : std::atof(seconds));
}

TEST(Threads, EightCreateExecuteAndDestroy) {
  const std::vector<Known> all = AllKnown();
  const auto end = std::chrono::steady_clock::now() + StressTime();
  std::array<std::string, 8> wrong;
  std::array<int, 8> rounds = {};
  std::vector<std::thread> threads;
  for (size_t i = 0; i < wrong.size(); ++i) {
    threads.emplace_back([&, i] {
      for (size_t k = i; rounds[i] == 0 || std::chrono::steady_clock::now() < end; ++k, ++rounds[i]) {
        const Known& known = all[k % all.size()];
        if (!known.GivesTheSame()) wrong[i] = known.name;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  int sum = 0;
  for (const int count : rounds) sum += count;
  std::printf("%d rounds of creation, inference, training and destruction\n", sum);
  EXPECT_EQ(wrong, (std::array<std::string, 8>{}));
}

TEST(Threads, OfTheClientsOwnRegionsExecute) {
  const std::vector<Known> all = AllKnown();
  for (const int levels : {1, 2}) {
    omp_set_max_active_levels(levels);
    std::array<std::string, 4> wrong;
    int team = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp single
      team = omp_get_num_threads();
#pragma omp for
      for (int i = 0; i < 4; ++i) {
        for (size_t k = static_cast<size_t>(i); k < all.size(); k += 4) {
          if (!all[k].GivesTheSame()) wrong[static_cast<size_t>(i)] = all[k].name;
        }
      }
    }
    EXPECT_GT(team, 1) << "the region has one thread, so nothing is nested";
    EXPECT_EQ(wrong, (std::array<std::string, 4>{})) << levels << " levels";
  }
}

size_t CountEntries(const char* directory) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) count += !entry.path().empty();
  return count;
}

// Teams of threads that have ended may end a little later.
size_t ThreadsLeft(size_t wanted) {
  for (int i = 0; i < 1000 && CountEntries("/proc/self/task") > wanted; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return CountEntries("/proc/self/task");
}

TEST(Threads, ThatComeAndGoLeaveNothing) {
  const std::vector<Known> all = AllKnown();
  const auto execute_in_threads = [&](int count) {
    for (int i = 0; i < count; ++i) {
      bool same = false;
      const Known& known = all[static_cast<size_t>(i) % all.size()];
      std::thread([&] {
        same = testing::Run(known.rnn, AllForward(known.rnn, prop_kind::forward_inference)[known.implementation],
                            known.inputs) == known.inference;
      }).join();
      ASSERT_TRUE(same) << known.name;
    }
  };
  execute_in_threads(10);
  const size_t threads = ThreadsLeft(1), files = CountEntries("/proc/self/fd");
  execute_in_threads(1000);
  EXPECT_LE(ThreadsLeft(threads), threads);
  EXPECT_EQ(CountEntries("/proc/self/fd"), files);
}

// Calls body() on a thread with a stack of `bytes`, or of TANDEM_STACK_BYTES. What overflows it ends the program.
void RunOnStack(size_t bytes, std::function<void()> body) {
  if (const char* other = std::getenv("TANDEM_STACK_BYTES")) bytes = static_cast<size_t>(std::atoll(other));
  pthread_attr_t attr;
  ASSERT_EQ(pthread_attr_init(&attr), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attr, bytes), 0);
  const auto call = [](void* its_body) -> void* {
    (*static_cast<std::function<void()>*>(its_body))();
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attr, call, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attr);
}

// A primitive with memories for all its arguments.
struct Prepared {
  dnnl::primitive primitive;
  std::unordered_map<int, memory> arguments;
  std::vector<int> outputs = {};

  Prepared(const RnnCase& rnn, const dnnl::primitive_desc& pd, const std::vector<int>& args) : primitive(pd) {
    const Tensors inputs = InputsFor(rnn);
    for (const int arg : args) {
      const memory::desc md = pd.query_md(dnnl::query::exec_arg_md, arg);
      const auto given = inputs.find(arg);
      arguments[arg] = given == inputs.end() ? memory(md, Cpu()) : ToMemory(given->second, rnn.Dims(arg), md);
    }
  }
  void Execute() const {
    dnnl::stream stream(Cpu());
    primitive.execute(stream, arguments);
  }
  // Zeros, to which backward may add.
  void ClearOutputs() const {
    for (const int arg : outputs) {
      const memory& output = arguments.at(arg);
      std::memset(output.get_data_handle(), 0, output.get_desc().get_size());
    }
  }
  std::string Outputs() const {
    std::string bytes;
    for (const int arg : outputs) {
      const memory& output = arguments.at(arg);
      bytes.append(static_cast<const char*>(output.get_data_handle()), output.get_desc().get_size());
    }
    return bytes;
  }
};

// Inference, training and backward of each case and implementation. The forward passes have run.
std::vector<Prepared> AllPrepared(const std::vector<RnnCase>& cases) {
  std::vector<Prepared> all;
  for (const RnnCase& rnn : cases) {
    std::vector<int> forward = InputsOf(rnn);
    for (const int arg : OutputsOf(rnn)) forward.push_back(arg);
    for (const auto& pd : AllForward(rnn, prop_kind::forward_inference)) {
      all.emplace_back(rnn, pd, forward);
      all.back().outputs = OutputsOf(rnn);
    }
    std::vector<int> backward = forward;
    for (const int arg : forward) backward.push_back(arg + kDiff);
    for (const auto& pd : AllForward(rnn, prop_kind::forward_training)) {
      all.emplace_back(rnn, pd, forward);
      all.back().outputs = OutputsOf(rnn);
      const memory workspace(pd.workspace_desc(), Cpu());
      all.back().arguments[DNNL_ARG_WORKSPACE] = workspace;
      all.back().Execute();
      all.emplace_back(rnn, Backward(rnn, pd, dnnl::rnn_flags::undef), backward);
      all.back().arguments[DNNL_ARG_WORKSPACE] = workspace;
      for (const int arg : InputsOf(rnn)) all.back().outputs.push_back(arg + kDiff);
    }
  }
  return all;
}

// Nobody sees what is printed while it lives.
class SilentOutput {
 public:
  SilentOutput() : saved_((std::fflush(stdout), dup(STDOUT_FILENO))) {
    const int none = open("/dev/null", O_WRONLY);
    dup2(none, STDOUT_FILENO);
    close(none);
  }
  ~SilentOutput() {
    std::fflush(stdout);
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
  }
  SilentOutput(const SilentOutput&) = delete;
  SilentOutput& operator=(const SilentOutput&) = delete;

 private:
  const int saved_;
};

// A lock that one of the parent's threads holds at that time is free in the child, which does not have this thread.
TEST(Threads, AChildOfForkCreatesExecutesAndPrintsAsItsParentDoesJustThen) {
  constexpr int kThreads = 3, kChildren = 50;
  const SilentOutput silent;
  const RnnCase rnn;
  std::vector<int> arguments = InputsOf(rnn);
  for (const int arg : OutputsOf(rnn)) arguments.push_back(arg);
  const auto work = [&] { Prepared(rnn, Forward(rnn, prop_kind::forward_inference), arguments).Execute(); };
  dnnl::set_verbose(2);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      while (!stop) work();
    });
  }
  int ended_well = 0;
  for (int i = 0; i < kChildren; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      work();
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    ended_well += status == 0;
    if (status != 0) break;  // each child that hangs takes 20 s
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  dnnl::set_verbose(0);
  EXPECT_EQ(ended_well, kChildren);
}

// docs/robustness.md promises these.
constexpr size_t kStackOfExecute = 32 << 10, kStackOfCreation = 128 << 10;

// Executes all of them on a small stack. What they write there ends in their outputs, which are zeros before.
void ExecuteOnASmallStack(const std::vector<Prepared>& all) {
  for (const Prepared& prepared : all) prepared.ClearOutputs();
  RunOnStack(kStackOfExecute, [&] {
    for (const Prepared& prepared : all) prepared.Execute();
  });
}

TEST(Threads, WithSmallStacksExecute) {
  if (TANDEM_ASAN) GTEST_SKIP() << "AddressSanitizer's frames are larger";
  const std::vector<Prepared> all = AllPrepared(Cases());
  std::vector<std::string> want;
  for (const Prepared& prepared : all) {
    prepared.ClearOutputs();
    prepared.Execute();
    want.push_back(prepared.Outputs());
  }
  ExecuteOnASmallStack(all);
  for (size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(all[i].Outputs() == want[i]) << i;
  // The results of large ones are those of other tests, and take long.
  const std::vector<Prepared> large = AllPrepared(LargeCases());
  ExecuteOnASmallStack(large);
  for (size_t i = 0; i < large.size(); ++i) {
    EXPECT_NE(large[i].Outputs().find_first_not_of('\0'), std::string::npos) << i << " has written nothing";
  }
}

TEST(Threads, WithModestStacksCreate) {
  const std::vector<Known> all = AllKnown();
  std::string wrong;
  RunOnStack(kStackOfCreation, [&] {
    for (const Known& known : all) {
      if (!known.GivesTheSame()) wrong = known.name;
    }
  });
  EXPECT_EQ(wrong, "");
}

}  // namespace
}  // namespace testing
}  // namespace tandem
