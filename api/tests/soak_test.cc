// Long runs, by hand: bazel test //api/tests:soak_test. Nothing grows, and what is long, deep or larger than 2^31 elements
// is right. Some minutes, 5 GB of memory.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using Arguments = std::unordered_map<int, memory>;

struct Usage {
  long kilobytes, threads, files;
};

Usage UsageNow() {
  Usage usage = {};
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    if (word == "VmRSS:") file >> usage.kilobytes;
    if (word == "Threads:") file >> usage.threads;
  }
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) usage.files += !entry.path().empty();
  return usage;
}

// Calls body() once in a hundred times the count to warm up, then `count` times. The smallest block of a heap has 32
// bytes: if one of them were lost in each call, 10^5 calls would lose 3.2 MB.
template <class Body>
void ExpectNoGrowth(const char* what, int count, long most_kilobytes, const Body& body) {
  for (int i = 0; i < count / 100; ++i) body();
  const Usage before = UsageNow();
  for (int i = 0; i < count; ++i) body();
  const Usage after = UsageNow();
  std::printf("%s, %d times: RSS %ld to %ld KB, threads %ld to %ld, files %ld to %ld\n", what, count, before.kilobytes,
              after.kilobytes, before.threads, after.threads, before.files, after.files);
  EXPECT_LE(after.kilobytes - before.kilobytes, most_kilobytes) << what;
  EXPECT_LE(after.threads, before.threads) << what;
  EXPECT_EQ(after.files, before.files) << what;
}

RnnCase Lstm(memory::dim layers, memory::dim steps, memory::dim batch, memory::dim channels) {
  RnnCase rnn;
  rnn.layers = layers;
  rnn.steps = steps;
  rnn.batch = batch;
  rnn.slc = rnn.dhc = channels;
  return rnn;
}

std::vector<float> Values(size_t count, int seed) {
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) {
    values.push_back(0.0625f * static_cast<float>((i * 7 + static_cast<size_t>(seed)) % 9) - 0.25f);
  }
  return values;
}

size_t CountOf(const RnnCase& rnn, int arg) {
  size_t count = 1;
  for (const auto dim : rnn.Dims(arg)) count *= static_cast<size_t>(dim);
  return count;
}

Tensors InputsFor(const RnnCase& rnn) {
  Tensors inputs;
  for (const int arg : InputsOf(rnn)) inputs[arg] = Values(CountOf(rnn, arg), arg);
  return inputs;
}

TEST(Soak, CreationExecutionAndDestructionLeaveNothing) {
  const RnnCase rnn = Lstm(1, 1, 1, 4);
  const Tensors inputs = InputsFor(rnn);
  for (size_t i = 0; i < AllForward(rnn, prop_kind::forward_inference).size(); ++i) {
    ExpectNoGrowth("create, execute, destroy", 100000, 1024,
                   [&] { testing::Run(rnn, AllForward(rnn, prop_kind::forward_inference)[i], inputs); });
  }
}

TEST(Soak, AMillionExecutionsLeaveNothing) {
  const RnnCase rnn = Lstm(1, 1, 1, 4);
  for (const auto& pd : AllForward(rnn, prop_kind::forward_inference)) {
    Arguments arguments;
    std::vector<int> all = InputsOf(rnn);
    for (const int arg : OutputsOf(rnn)) all.push_back(arg);
    for (const int arg : all) {
      arguments[arg] =
          ToMemory(Values(CountOf(rnn, arg), arg), rnn.Dims(arg), pd.query_md(dnnl::query::exec_arg_md, arg));
    }
    const dnnl::primitive primitive(pd);
    dnnl::stream stream(Cpu());
    ExpectNoGrowth(pd.impl_info_str(), 1000000, 1024, [&] { primitive.execute(stream, arguments); });
  }
}

// A process that forks after the library was unloaded must not call into it.
void ExpectForkWorks() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Soak, LoadingAndUnloadingLeaveNothing) {
  ExpectNoGrowth("dlopen, engine, dlclose", 200, 1024, [] {
    void* const library = dlopen("./libtandem.so", RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    using Create = dnnl_status_t (*)(dnnl_engine_t*, dnnl_engine_kind_t, size_t);
    using Release = void (*)(tandem_object*);
    const auto create = reinterpret_cast<Create>(dlsym(library, "tandem_engine_create"));
    const auto release = reinterpret_cast<Release>(dlsym(library, "tandem_release"));
    ASSERT_NE(create, nullptr);
    ASSERT_NE(release, nullptr);
    dnnl_engine_t engine = nullptr;
    ASSERT_EQ(create(&engine, dnnl_cpu, 0), dnnl_success);
    release(reinterpret_cast<tandem_object*>(engine));
    ASSERT_EQ(dlclose(library), 0);
  });
  ExpectForkWorks();
}

// The part [begin, end) of the outermost dim of a tensor.
std::vector<float> Part(const std::vector<float>& whole, size_t parts, size_t begin, size_t end) {
  const size_t size = whole.size() / parts;
  return {whole.begin() + static_cast<ptrdiff_t>(begin * size), whole.begin() + static_cast<ptrdiff_t>(end * size)};
}

TEST(Soak, AHundredThousandStepsAreThoseOfAHundredParts) {
  constexpr memory::dim kSteps = 100000, kParts = 100;
  const RnnCase whole = Lstm(1, kSteps, 1, 16), part = Lstm(1, kSteps / kParts, 1, 16);
  const Tensors inputs = InputsFor(whole);
  const auto parts = AllForward(part, prop_kind::forward_inference);
  size_t i = 0;
  for (const auto& pd : AllForward(whole, prop_kind::forward_inference)) {
    const Tensors want = testing::Run(whole, pd, inputs);
    Tensors given = inputs, got;
    std::vector<float> layer;
    for (size_t k = 0; k < kParts; ++k) {
      given[DNNL_ARG_SRC_LAYER] = Part(inputs.at(DNNL_ARG_SRC_LAYER), kParts, k, k + 1);
      got = testing::Run(part, parts[i], given);
      layer.insert(layer.end(), got[DNNL_ARG_DST_LAYER].begin(), got[DNNL_ARG_DST_LAYER].end());
      given[DNNL_ARG_SRC_ITER] = got[DNNL_ARG_DST_ITER];
      given[DNNL_ARG_SRC_ITER_C] = got[DNNL_ARG_DST_ITER_C];
    }
    EXPECT_EQ(layer, want.at(DNNL_ARG_DST_LAYER)) << pd.impl_info_str();
    EXPECT_EQ(got[DNNL_ARG_DST_ITER_C], want.at(DNNL_ARG_DST_ITER_C)) << pd.impl_info_str();
    ++i;
  }
}

TEST(Soak, SixtyFourLayersAreThoseOfTwoHalves) {
  constexpr memory::dim kLayers = 64;
  const RnnCase whole = Lstm(kLayers, 5, 3, 16), half = Lstm(kLayers / 2, 5, 3, 16);
  const Tensors inputs = InputsFor(whole);
  const auto halves = AllForward(half, prop_kind::forward_inference);
  size_t i = 0;
  for (const auto& pd : AllForward(whole, prop_kind::forward_inference)) {
    const Tensors want = testing::Run(whole, pd, inputs);
    Tensors given = inputs;
    for (const size_t k : {0, 1}) {
      for (const int arg :
           {DNNL_ARG_SRC_ITER, DNNL_ARG_SRC_ITER_C, DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER, DNNL_ARG_BIAS}) {
        given[arg] = Part(inputs.at(arg), 2, k, k + 1);
      }
      given[DNNL_ARG_SRC_LAYER] = testing::Run(half, halves[i], given).at(DNNL_ARG_DST_LAYER);
    }
    EXPECT_EQ(given[DNNL_ARG_SRC_LAYER], want.at(DNNL_ARG_DST_LAYER)) << pd.impl_info_str();
    ++i;
  }
}

// A GRU's steps [first, first + count) of `x`, from the state h before them; u8. h is the whole state of a GRU, and so a
// part of a sequence can be repeated from dst_layer alone.
class Gru {
 public:
  static constexpr memory::dim kChannels = 32;
  using Bytes = std::vector<uint8_t>;

  Gru() : weights_(kChannels * 3 * kChannels) {
    attr_.set_rnn_data_qparams(63.f, 1.f);
    attr_.set_rnn_weights_qparams(0, {63.f});
    for (size_t i = 0; i < weights_.size(); ++i) weights_[i] = static_cast<int8_t>(ByteAt(i + 12345) / 4);
  }
  static uint8_t ByteAt(size_t i) { return static_cast<uint8_t>((i * 2654435761u) >> 24); }

  void Run(Bytes* x, const Bytes& h, Bytes* y) const {
    const auto steps = static_cast<memory::dim>(x->size()) / kChannels;
    const memory::desc layer({steps, 1, kChannels}, memory::data_type::u8, memory::format_tag::tnc), none;
    const memory::desc state({1, 1, 1, kChannels}, memory::data_type::u8, memory::format_tag::ldnc);
    const memory::desc weights({1, 1, kChannels, 3, kChannels}, memory::data_type::s8, memory::format_tag::ldigo);
    const dnnl::gru_forward::primitive_desc pd(Cpu(), prop_kind::forward_inference,
                                               dnnl::rnn_direction::unidirectional_left2right, layer, state, weights,
                                               weights, none, layer, none, attr_);
    ASSERT_STRNE(pd.impl_info_str(), "ref:scalar");
    const memory w(weights, Cpu(), const_cast<int8_t*>(weights_.data()));
    dnnl::stream stream(Cpu());
    dnnl::gru_forward(pd).execute(stream, {{DNNL_ARG_SRC_LAYER, memory(layer, Cpu(), x->data())},
                                           {DNNL_ARG_SRC_ITER, memory(state, Cpu(), const_cast<uint8_t*>(h.data()))},
                                           {DNNL_ARG_WEIGHTS_LAYER, w},
                                           {DNNL_ARG_WEIGHTS_ITER, w},
                                           {DNNL_ARG_DST_LAYER, memory(layer, Cpu(), y->data())}});
  }

 private:
  dnnl::primitive_attr attr_;
  std::vector<int8_t> weights_;
};

// src_layer and dst_layer have more than 2^31 elements each. `optimized` only: the reference keeps doubles.
TEST(Soak, TensorsBeyondTwoToThe31AreRightOnBothSidesOfIt) {
  constexpr size_t kBorder = (size_t{1} << 31) / Gru::kChannels, kSteps = kBorder + 1000, kPart = 100;
  const Gru gru;
  Gru::Bytes x(kSteps * Gru::kChannels), y(x.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = Gru::ByteAt(i);
  gru.Run(&x, Gru::Bytes(Gru::kChannels, 63), &y);
  for (const size_t first : {size_t{1}, kBorder - kPart / 2, kSteps - kPart}) {
    const auto part = [&](const Gru::Bytes& whole, size_t begin, size_t end) {
      return Gru::Bytes(whole.begin() + static_cast<ptrdiff_t>(begin * Gru::kChannels),
                        whole.begin() + static_cast<ptrdiff_t>(end * Gru::kChannels));
    };
    Gru::Bytes x_part = part(x, first, first + kPart), y_part(x_part.size());
    gru.Run(&x_part, part(y, first - 1, first), &y_part);
    EXPECT_EQ(y_part, part(y, first, first + kPart)) << "steps from " << first << " on";
  }
}

}  // namespace
}  // namespace testing
}  // namespace tandem
