// Every allocation of a client's calls fails once: the status is out_of_memory, nothing is lost, and the objects work
// afterwards. Both backends, all cells and propagations. Where the first team of a thread gets no memory or no threads, the
// execution may also run on fewer.
#include <gtest/gtest.h>
#include <omp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>

#include "api/core/environment_testing.h"
#include "api/tests/rnn_client_testing.h"
#include "reference/tests/fail_each.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using reference::FailEach;
using reference::Failing;
using reference::kKinds;

constexpr dnnl::algorithm kCells[] = {dnnl::algorithm::vanilla_rnn,   dnnl::algorithm::vanilla_lstm,
                                      dnnl::algorithm::vanilla_gru,   dnnl::algorithm::lbr_gru,
                                      dnnl::algorithm::vanilla_augru, dnnl::algorithm::lbr_augru};

// FailEach of a client: what the library reports as out_of_memory is std::bad_alloc here, as what the wrapper classes
// throw themselves.
template <class Body>
int64_t FailEachOf(Failing kind, const Body& body) {
  return FailEach(kind, [&] {
    try {
      body();
    } catch (const dnnl::error& e) {
      if (e.status != dnnl_out_of_memory) throw;
      throw std::bad_alloc();
    }
  });
}

RnnCase Small(dnnl::algorithm cell, memory::data_type type) {
  RnnCase rnn;
  rnn.cell = cell;
  rnn.type = type;
  if (!rnn.HasAttention()) rnn.direction = dnnl::rnn_direction::bidirectional_concat;
  rnn.steps = 2;
  rnn.batch = 2;
  rnn.slc = rnn.dhc = 3;
  rnn.peephole = rnn.IsLstm();
  rnn.dic = rnn.IsLstm() ? 2 : 0;
  return rnn;
}

Tensors InputsFor(const RnnCase& rnn) {
  Tensors inputs;
  const auto fill = [&](int arg) {
    size_t count = 1;
    for (const auto dim : rnn.Dims(arg)) count *= static_cast<size_t>(dim);
    for (size_t i = 0; i < count; ++i) inputs[arg].push_back(0.125f * static_cast<float>((i * 7 + arg) % 9) - 0.5f);
  };
  constexpr int kDiff = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;
  for (const int arg : InputsOf(rnn)) {
    fill(arg);
    fill(arg + kDiff);
  }
  for (const int arg : OutputsOf(rnn)) fill(arg + kDiff);
  return inputs;
}

// Calls body(rnn, forward descriptor) for each cell and each implementation.
template <class Body>
void ForEachCase(dnnl::prop_kind prop, const Body& body) {
  for (const dnnl::algorithm cell : kCells) {
    for (const auto type : {memory::data_type::f32, memory::data_type::bf16}) {
      const RnnCase rnn = Small(cell, type);
      for (const dnnl::primitive_desc& pd : AllForward(rnn, prop)) {
        SCOPED_TRACE(rnn.ToString() + " " + pd.impl_info_str());
        body(rnn, pd);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(AllocationFailure, LosesNothingInCreation) {
  ForEachCase(dnnl::prop_kind::forward_training, [](const RnnCase& rnn, const dnnl::primitive_desc& forward) {
    for (const Failing kind : kKinds) {
      EXPECT_GT(FailEachOf(kind, [&] { AllForward(rnn, dnnl::prop_kind::forward_inference); }), 0);
      EXPECT_GT(FailEachOf(kind, [&] { Backward(rnn, forward, dnnl::rnn_flags::undef); }), 0);
      EXPECT_GT(FailEachOf(kind, [&] { dnnl::primitive unused(forward); }), 0);
    }
  });
}

TEST(AllocationFailure, LosesNothingInReordersAndInference) {
  ForEachCase(dnnl::prop_kind::forward_inference, [](const RnnCase& rnn, const dnnl::primitive_desc& pd) {
    const Tensors inputs = InputsFor(rnn);
    const Tensors want = testing::Run(rnn, pd, inputs);
    for (const Failing kind : kKinds) {
      EXPECT_GT(FailEachOf(kind, [&] { testing::Run(rnn, pd, inputs); }), 0);
      EXPECT_EQ(testing::Run(rnn, pd, inputs), want);
    }
  });
}

TEST(AllocationFailure, LosesNothingInTraining) {
  ForEachCase(dnnl::prop_kind::forward_training, [](const RnnCase& rnn, const dnnl::primitive_desc& pd) {
    const Tensors inputs = InputsFor(rnn);
    const Tensors want = Train(rnn, pd, inputs);
    // A thousand allocations: one kind of failure for each type.
    const Failing kind = rnn.type == memory::data_type::f32 ? Failing::kOne : Failing::kAllFromOneOn;
    EXPECT_GT(FailEachOf(kind, [&] { Train(rnn, pd, inputs); }), 0);
    EXPECT_EQ(Train(rnn, pd, inputs), want);
  });
}

// One primitive and its memories go through all failures.
TEST(AllocationFailure, LeavesAPrimitiveUsable) {
  const RnnCase rnn = Small(dnnl::algorithm::vanilla_lstm, memory::data_type::f32);
  for (const dnnl::primitive_desc& pd : AllForward(rnn, dnnl::prop_kind::forward_inference)) {
    SCOPED_TRACE(pd.impl_info_str());
    const Tensors inputs = InputsFor(rnn);
    std::unordered_map<int, memory> memories;
    for (const int arg : InputsOf(rnn)) {
      memories.emplace(arg, ToMemory(inputs.at(arg), rnn.Dims(arg), pd.query_md(dnnl::query::exec_arg_md, arg)));
    }
    for (const int arg : OutputsOf(rnn)) {
      memories.emplace(arg, memory(pd.query_md(dnnl::query::exec_arg_md, arg), Cpu()));
    }
    const dnnl::primitive primitive(pd);
    dnnl::stream stream(Cpu());
    primitive.execute(stream, memories);
    const auto want = ToValues(memories.at(DNNL_ARG_DST_LAYER));
    for (const Failing kind : kKinds) {
      FailEachOf(kind, [&] { primitive.execute(stream, memories); });  // optimized allocates nothing
      memory dst = memories.at(DNNL_ARG_DST_LAYER);
      std::memset(dst.get_data_handle(), 0xff, dst.get_desc().get_size());
      primitive.execute(stream, memories);
      EXPECT_EQ(ToValues(memories.at(DNNL_ARG_DST_LAYER)), want);
    }
  }
}

TEST(AllocationFailure, LosesNothingInObjectsAndCopies) {
  const memory::desc md({2, 3, 4}, memory::data_type::f32, memory::format_tag::tnc);
  for (const Failing kind : kKinds) {
    EXPECT_GT(FailEachOf(kind, [&] { memory unused(md, Cpu()); }), 0);
    EXPECT_GT(FailEachOf(kind, [&] { md.reshape({6, 4}).permute_axes({1, 0}).submemory_desc({2, 2}, {1, 1}); }), 0);
    EXPECT_GT(FailEachOf(kind,
                         [&] {
                           dnnl::primitive_attr attr;
                           attr.set_rnn_weights_qparams(0, {2.f});
                           dnnl::post_ops ops;
                           ops.append_sum(1.f);
                           attr.set_post_ops(ops);
                           const memory::desc packed(md.get_dims(), memory::data_type::bf16, memory::format_tag::ntc);
                           dnnl::reorder unused(dnnl::reorder::primitive_desc(Cpu(), md, Cpu(), packed));
                         }),
              0);
  }
}

// Inference, training and backward in a new thread, which has no team yet, on up to `threads` threads.
class FirstTeam : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { SetVariable("TANDEM_DIVISION", "1x4x1"); }
  void TearDown() override { UnsetVariable("TANDEM_DIVISION"); }
  static RnnCase Case() {
    RnnCase rnn = Small(dnnl::algorithm::vanilla_lstm, memory::data_type::f32);
    rnn.batch = 4;
    return rnn;
  }
  static Tensors Execute(size_t implementation, const Tensors& inputs) {
    const auto all = [](dnnl::prop_kind prop) { return AllForward(Case(), prop); };
    Tensors outputs = Train(Case(), all(dnnl::prop_kind::forward_training)[implementation], inputs);
    const auto inference = all(dnnl::prop_kind::forward_inference);
    for (auto& [arg, values] : testing::Run(Case(), inference[implementation], inputs))
      outputs[-arg] = std::move(values);
    return outputs;
  }
  // Throws what the thread throws.
  static Tensors InNewThread(size_t implementation, const Tensors& inputs) {
    Tensors outputs;
    std::exception_ptr thrown;
    std::thread([&] {
      omp_set_num_threads(GetParam());
      try {
        outputs = Execute(implementation, inputs);
      } catch (...) {
        thrown = std::current_exception();
      }
    }).join();
    if (thrown) std::rethrow_exception(thrown);
    return outputs;
  }
};

TEST_P(FirstTeam, IsSmallerOrTheStatusIsOutOfMemory) {
  const Tensors inputs = InputsFor(Case());
  const size_t implementations = AllForward(Case(), dnnl::prop_kind::forward_training).size();
  for (size_t implementation = 0; implementation < implementations; ++implementation) {
    const Tensors want = InNewThread(implementation, inputs);
    bool happened = true;
    for (int64_t which = 0; happened; ++which) {
      SCOPED_TRACE(which);
      const int64_t live = reference::LiveAllocations();
      {
        const reference::AllocationFailure failure(which, Failing::kOne);
        try {
          EXPECT_EQ(InNewThread(implementation, inputs), want);
        } catch (const std::bad_alloc&) {
          // The client's own vectors.
        } catch (const dnnl::error& e) {
          EXPECT_EQ(e.status, dnnl_out_of_memory) << e.message;
        }
        happened = failure.happened();
      }
      EXPECT_EQ(reference::LiveAllocations(), live);
      if (HasFailure()) return;
    }
  }
}

// In a child with no right to more threads. Root has as many as it likes.
TEST_P(FirstTeam, IsSmallerWhereTheProcessMayHaveNoMoreThreads) {
  const Tensors inputs = InputsFor(Case());
  const size_t implementations = AllForward(Case(), dnnl::prop_kind::forward_training).size();
  for (size_t implementation = 0; implementation < implementations; ++implementation) {
    const Tensors want = Execute(implementation, inputs);
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      const rlimit none = {1, 1};
      if ((geteuid() == 0 && setuid(65534) != 0) || setrlimit(RLIMIT_NPROC, &none) != 0) _exit(2);
      omp_set_num_threads(GetParam());
      _exit(Execute(implementation, inputs) == want ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << implementation;
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, FirstTeam, ::testing::Values(1, 2, 4));

}  // namespace
}  // namespace testing
}  // namespace tandem
