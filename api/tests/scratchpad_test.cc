// The two scratchpad modes, and what execute() allocates: nothing.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "api/tests/client_targets_testing.h"
#include "api/tests/expect_error_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace {
std::atomic<long> allocations{0};
}  // namespace

// Replaced for the whole program, so that a test can count.
void* operator new(size_t bytes) {
  ++allocations;
  void* data = std::malloc(bytes == 0 ? 1 : bytes);
  if (data == nullptr) throw std::bad_alloc();
  return data;
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* data) noexcept { std::free(data); }
void operator delete(void* data, size_t) noexcept { std::free(data); }

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using Arguments = std::unordered_map<int, memory>;

constexpr memory::dim kSteps = 4, kBatch = 5, kChannels = 24;

const memory::desc kLayer({kSteps, kBatch, kChannels}, memory::data_type::f32, memory::format_tag::tnc);
const memory::desc kWeights({1, 1, kChannels, 4, kChannels}, memory::data_type::f32, memory::format_tag::any);

// Every implementation's descriptor, in turn.
std::vector<dnnl::lstm_forward::primitive_desc> Descriptors(dnnl::scratchpad_mode mode) {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(mode);
  const memory::desc none;
  return EachImplementation(dnnl::lstm_forward::primitive_desc(
      Cpu(), dnnl::prop_kind::forward_inference, dnnl::rnn_direction::unidirectional_left2right, kLayer, none, none,
      kWeights, kWeights, none, kLayer, none, none, attr));
}

memory Filled(const memory::desc& md, float first) {
  std::vector<float> values;
  for (size_t i = 0; i < kChannels * 4 * kChannels; ++i) {
    values.push_back(first + 0.01f * static_cast<float>(i % 37));
  }
  const memory::dims dims = md.get_dims();
  size_t count = 1;
  for (const auto dim : dims) count *= dim;
  values.resize(count, first);
  return ToMemory(values, dims, md);
}

Arguments ArgumentsFor(const dnnl::lstm_forward::primitive_desc& pd) {
  return {{DNNL_ARG_SRC_LAYER, Filled(pd.src_layer_desc(), -0.5f)},
          {DNNL_ARG_WEIGHTS_LAYER, Filled(pd.weights_layer_desc(), -0.2f)},
          {DNNL_ARG_WEIGHTS_ITER, Filled(pd.weights_iter_desc(), -0.1f)},
          {DNNL_ARG_DST_LAYER, memory(pd.dst_layer_desc(), Cpu())}};
}

class Scratchpad : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Scratchpad, ClientTargets(), NameOfTarget);

TEST_P(Scratchpad, LibraryModeShowsItsBytesAsMemoryConsumptionOnly) {
  for (const auto& pd : Descriptors(dnnl::scratchpad_mode::library)) {
    SCOPED_TRACE(pd.impl_info_str());
    EXPECT_TRUE(pd.scratchpad_desc().is_zero());
    const auto user = Descriptors(dnnl::scratchpad_mode::user);
    for (const auto& other : user) {
      if (std::string(other.impl_info_str()) != pd.impl_info_str()) continue;
      EXPECT_EQ(static_cast<size_t>(pd.query_s64(dnnl::query::memory_consumption_s64)),
                other.scratchpad_desc().get_size());
      EXPECT_EQ(other.query_s64(dnnl::query::memory_consumption_s64), 0);
    }
  }
}

TEST_P(Scratchpad, BothModesGiveTheSameBits) {
  const auto library = Descriptors(dnnl::scratchpad_mode::library);
  const auto user = Descriptors(dnnl::scratchpad_mode::user);
  ASSERT_EQ(library.size(), user.size());
  dnnl::stream stream(Cpu());
  for (size_t i = 0; i < library.size(); ++i) {
    SCOPED_TRACE(library[i].impl_info_str());
    Arguments arguments = ArgumentsFor(library[i]);
    dnnl::lstm_forward(library[i]).execute(stream, arguments);
    const auto want = ToValues(arguments.at(DNNL_ARG_DST_LAYER));
    Arguments others = ArgumentsFor(user[i]);
    others[DNNL_ARG_SCRATCHPAD] = memory(user[i].scratchpad_desc(), Cpu());
    dnnl::lstm_forward(user[i]).execute(stream, others);
    EXPECT_EQ(ToValues(others.at(DNNL_ARG_DST_LAYER)), want);
  }
}

// 64-byte aligned buffers are what a library would allocate; a client may not.
TEST_P(Scratchpad, UserModeTakesAnyAlignment) {
  dnnl::stream stream(Cpu());
  for (const auto& pd : Descriptors(dnnl::scratchpad_mode::user)) {
    SCOPED_TRACE(pd.impl_info_str());
    Arguments arguments = ArgumentsFor(pd);
    const dnnl::lstm_forward primitive(pd);
    arguments[DNNL_ARG_SCRATCHPAD] = memory(pd.scratchpad_desc(), Cpu());
    primitive.execute(stream, arguments);
    const auto want = ToValues(arguments.at(DNNL_ARG_DST_LAYER));
    for (const size_t shift : {1, 4, 20}) {
      std::vector<char> buffer(pd.scratchpad_desc().get_size() + shift);
      arguments[DNNL_ARG_SCRATCHPAD] = memory(pd.scratchpad_desc(), Cpu(), buffer.data() + shift);
      primitive.execute(stream, arguments);
      EXPECT_EQ(ToValues(arguments.at(DNNL_ARG_DST_LAYER)), want) << "shift " << shift;
    }
  }
}

TEST_P(Scratchpad, UserModeNeedsTheBufferAndItsSize) {
  dnnl::stream stream(Cpu());
  int with_scratchpad = 0;
  for (const auto& pd : Descriptors(dnnl::scratchpad_mode::user)) {
    SCOPED_TRACE(pd.impl_info_str());
    const size_t bytes = pd.scratchpad_desc().get_size();
    if (bytes == 0) continue;
    ++with_scratchpad;
    Arguments arguments = ArgumentsFor(pd);
    ExpectInvalid({"scratchpad", "is missing"}, [&] { dnnl::lstm_forward(pd).execute(stream, arguments); });
    const memory::desc smaller({static_cast<memory::dim>(bytes) - 1}, memory::data_type::u8, memory::format_tag::x);
    arguments[DNNL_ARG_SCRATCHPAD] = memory(smaller, Cpu());
    ExpectInvalid({"scratchpad", std::to_string(bytes).c_str()},
                  [&] { dnnl::lstm_forward(pd).execute(stream, arguments); });
  }
  EXPECT_GT(with_scratchpad, 0);
}

// One primitive in four threads, each with data of its own, a thousand times or until a result differs from that of a
// primitive that nobody shares.
void ExpectEachThreadsOwnResults(dnnl::scratchpad_mode mode) {
  for (const auto& pd : Descriptors(mode)) {
    SCOPED_TRACE(pd.impl_info_str());
    const dnnl::lstm_forward primitive(pd);
    const auto wrong_after = [&](float first) {
      dnnl::stream stream(Cpu());
      Arguments arguments = ArgumentsFor(pd);
      arguments[DNNL_ARG_SRC_LAYER] = Filled(pd.src_layer_desc(), first);
      if (!pd.scratchpad_desc().is_zero()) arguments[DNNL_ARG_SCRATCHPAD] = memory(pd.scratchpad_desc(), Cpu());
      dnnl::lstm_forward(pd).execute(stream, arguments);
      const auto want = ToValues(arguments.at(DNNL_ARG_DST_LAYER));
      for (int i = 0; i < 1000; ++i) {
        primitive.execute(stream, arguments);
        if (ToValues(arguments.at(DNNL_ARG_DST_LAYER)) != want) return i;
      }
      return -1;
    };
    std::array<int, 4> wrong = {};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&wrong, &wrong_after, i] { wrong[i] = wrong_after(0.1f * static_cast<float>(i)); });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, (std::array<int, 4>{-1, -1, -1, -1}));
  }
}

TEST_P(Scratchpad, UserModeRunsInManyThreadsAtOnce) { ExpectEachThreadsOwnResults(dnnl::scratchpad_mode::user); }

// The scratchpad that the library keeps serves one execution; the others get one of their own.
TEST_P(Scratchpad, LibraryModeRunsInManyThreadsAtOnce) { ExpectEachThreadsOwnResults(dnnl::scratchpad_mode::library); }

class Execution : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Execution, ClientTargets(), NameOfTarget);

// This holds for the implementation that production uses. The reference keeps its steps in vectors of its own.
TEST_P(Execution, OfThePreferredImplementationAllocatesNothing) {
  dnnl::stream stream(Cpu());
  for (const auto mode : {dnnl::scratchpad_mode::library, dnnl::scratchpad_mode::user}) {
    const auto pd = Descriptors(mode).front();
    SCOPED_TRACE(pd.impl_info_str());
    const dnnl::lstm_forward primitive(pd);
    Arguments arguments = ArgumentsFor(pd);
    arguments[DNNL_ARG_SCRATCHPAD] = memory(pd.scratchpad_desc(), Cpu());
    // The first run starts the thread team.
    primitive.execute(stream, arguments);
    const long before = allocations;
    primitive.execute(stream, arguments);
    EXPECT_EQ(allocations - before, 0);
  }
}

}  // namespace
}  // namespace testing
}  // namespace tandem
