// The behaviour of objects (spec/introduction.txt, "General API notes" and "Error Handling"): descriptors are values, all others
// are shared; an empty object is not used; errors are exceptions.
#include <gtest/gtest.h>

#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "api/tests/expect_error_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using tag = memory::format_tag;
using dt = memory::data_type;

const memory::desc kLayer({2, 3, 4}, dt::f32, tag::tnc), kWeights({1, 1, 4, 3, 4}, dt::f32, tag::any), kNone;
constexpr auto kDirection = dnnl::rnn_direction::unidirectional_left2right;

dnnl::gru_forward::desc MakeOp() {
  return {dnnl::prop_kind::forward_inference, kDirection, kLayer, kNone, kWeights, kWeights, kNone, kLayer, kNone};
}
dnnl::gru_forward::primitive_desc MakeDescriptor() { return {MakeOp(), Cpu()}; }

TEST(Descriptors, OfMemoryAreValues) {
  static_assert(std::is_trivially_copyable<memory::desc>::value, "copied like an int");
  memory::desc md({2, 3}, dt::f32, tag::ab), copy = md, assigned, bytes;
  assigned = md;
  std::memcpy(static_cast<void*>(&bytes), &md, sizeof md);
  copy.data.dims[0] = 7;
  EXPECT_EQ(md, memory::desc({2, 3}, dt::f32, tag::ab));
  EXPECT_EQ(assigned, md);
  EXPECT_EQ(bytes, md);
  EXPECT_NE(copy, md);
  md.data.dims[1] = 9;
  EXPECT_EQ(assigned.get_dims(), (memory::dims{2, 3}));
}

TEST(Descriptors, OfOperationsAreValues) {
  static_assert(std::is_trivially_copyable<dnnl::gru_forward::desc>::value, "copied like an int");
  const auto propagation_of = [](const dnnl::gru_forward::desc& op) {
    return dnnl::gru_forward::primitive_desc(op, Cpu()).get_prop_kind();
  };
  dnnl::gru_forward::desc op = MakeOp(), copy = op;
  copy.data.prop_kind = dnnl_forward_training;
  EXPECT_EQ(propagation_of(op), dnnl::prop_kind::forward_inference);
  EXPECT_EQ(propagation_of(copy), dnnl::prop_kind::forward_training);
  op = copy;
  copy.data.prop_kind = dnnl_forward_inference;
  EXPECT_EQ(propagation_of(op), dnnl::prop_kind::forward_training);
}

// Copies and assignments of `handle` are the same object, which lives as long as one of them.
template <class Handle>
void ExpectShared(Handle handle) {
  const Handle copy = handle;
  EXPECT_TRUE(copy == handle);
  EXPECT_EQ(copy.get(), handle.get());
  Handle assigned;
  assigned = copy;
  EXPECT_EQ(assigned.get(), handle.get());
  handle = Handle();
  EXPECT_NE(copy.get(), nullptr);
}

TEST(Objects, AreSharedByTheirCopies) {
  const dnnl::gru_forward::primitive_desc pd = MakeDescriptor();
  const memory held(kLayer, Cpu());
  ExpectShared(dnnl::engine(dnnl::engine::kind::cpu, 0));
  ExpectShared(dnnl::stream(Cpu()));
  ExpectShared(held);
  ExpectShared(dnnl::primitive_attr());
  ExpectShared(dnnl::post_ops());
  ExpectShared(pd);
  ExpectShared(dnnl::primitive_desc(pd.get(), true));
  ExpectShared(dnnl::gru_forward(pd));
  ExpectShared(dnnl::reorder::primitive_desc(held, held));
  ExpectShared(dnnl::reorder(held, held));
}

TEST(Objects, ShowAChangeInEveryCopy) {
  float buffer[24];
  const memory held(kLayer, Cpu()), copy = held;
  copy.set_data_handle(buffer);
  EXPECT_EQ(held.get_data_handle(), buffer);
  dnnl::post_ops ops, more = ops;
  more.append_sum(0.5f);
  EXPECT_EQ(ops.len(), 1);
  const dnnl::primitive_attr attr;
  dnnl::primitive_attr other = attr;
  other.set_scales_mask(DNNL_ARG_SRC, 2);
  EXPECT_EQ(attr.get_scales_mask(DNNL_ARG_SRC), 2);
}

template <class Handle>
void ExpectEmpty() {
  const Handle handle;
  EXPECT_FALSE(static_cast<bool>(handle));
  EXPECT_EQ(handle.get(true), nullptr);
  EXPECT_TRUE(handle == Handle());
  ExpectInvalid({"empty"}, [&] { handle.get(); });
}

TEST(Objects, MadeByDefaultAreEmpty) {
  ExpectEmpty<dnnl::engine>();
  ExpectEmpty<dnnl::stream>();
  ExpectEmpty<memory>();
  ExpectEmpty<dnnl::primitive>();
  ExpectEmpty<dnnl::primitive_desc_base>();
  ExpectEmpty<dnnl::primitive_desc>();
  ExpectEmpty<dnnl::lstm_forward>();
  ExpectEmpty<dnnl::lstm_forward::primitive_desc>();
  ExpectEmpty<dnnl::gru_backward>();
  ExpectEmpty<dnnl::gru_backward::primitive_desc>();
  ExpectEmpty<dnnl::reorder>();
  ExpectEmpty<dnnl::reorder::primitive_desc>();
  EXPECT_TRUE(memory::desc().is_zero());
}

TEST(Objects, ThatAreEmptyAreRefusedByEveryUse) {
  const dnnl::engine no_engine;
  const memory held(kLayer, Cpu()), no_memory;
  dnnl::stream stream(Cpu()), no_stream;
  const dnnl::reorder reorder(held, held);
  const std::vector<std::function<void()>> uses = {
      [&] { no_engine.get_kind(); },
      [&] { dnnl::stream wrong(no_engine); },
      [&] { no_stream.wait(); },
      [&] { no_stream.get_engine(); },
      [&] { memory wrong(kLayer, no_engine); },
      [&] { no_memory.get_desc(); },
      [&] { no_memory.get_engine(); },
      [&] { no_memory.get_data_handle(); },
      [&] { no_memory.set_data_handle(nullptr); },
      [&] { dnnl::gru_forward::primitive_desc(MakeOp(), no_engine); },
      [&] { dnnl::gru_forward::primitive_desc().src_desc(); },
      [&] { dnnl::gru_forward::primitive_desc().next_impl(); },
      [&] { dnnl::gru_forward wrong{dnnl::gru_forward::primitive_desc()}; },
      [&] { dnnl::gru_forward().get_kind(); },
      [&] { dnnl::reorder wrong(held, no_memory); },
      [&] { dnnl::reorder::primitive_desc(no_engine, kLayer, Cpu(), kLayer); },
      [&] {
        dnnl::primitive().execute(stream, {{DNNL_ARG_FROM, held}, {DNNL_ARG_TO, held}});
      },
      [&] {
        dnnl::primitive(reorder).execute(no_stream, {{DNNL_ARG_FROM, held}, {DNNL_ARG_TO, held}});
      },
  };
  for (size_t i = 0; i < uses.size(); ++i) {
    SCOPED_TRACE("use " + std::to_string(i));
    ExpectError(dnnl_invalid_arguments, {}, uses[i]);
  }
}

TEST(Errors, AreDnnlErrorsAndStdExceptions) {
  static_assert(std::is_base_of<std::exception, dnnl::error>::value, "caught by those who know std::exception only");
  dnnl::primitive_attr attr;
  const std::vector<std::function<void()>> failures = {
      [] {
        memory::desc({2, -1}, dt::f32, tag::ab);
      },
      [] { dnnl::engine(dnnl::engine::kind::gpu, 0); },
      [] { dnnl::stream wrong{dnnl::engine()}; },
      [] { memory(memory::desc({4}, dt::f32, tag::any), Cpu()); },
      [&] { attr.set_scales_mask(DNNL_ARG_SRC, -1); },
      [&] { attr.get_post_ops().kind(0); },
      [] { MakeDescriptor().query_md(dnnl::query::engine); },
      [] { dnnl::reorder::primitive_desc(Cpu(), kLayer, Cpu(), kWeights); },
      [] { dnnl::primitive().get_kind(); },
  };
  for (size_t i = 0; i < failures.size(); ++i) {
    SCOPED_TRACE("failure " + std::to_string(i));
    try {
      failures[i]();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::exception& error) {
      const auto* ours = dynamic_cast<const dnnl::error*>(&error);
      ASSERT_NE(ours, nullptr) << error.what();
      EXPECT_STREQ(error.what(), ours->message);
      EXPECT_NE(std::string(error.what()), "");
      EXPECT_NE(ours->status, dnnl_success);
    }
  }
}

TEST(Memory, KnowsItsBufferDimsTypeLayoutAndEngine) {
  float buffer[6];
  const memory held({{2, 3}, dt::f32, tag::ba}, Cpu(), buffer);
  EXPECT_EQ(held.get_data_handle(), buffer);
  EXPECT_EQ(held.get_desc().get_dims(), (memory::dims{2, 3}));
  EXPECT_EQ(held.get_desc().get_data_type(), dt::f32);
  EXPECT_EQ(held.get_desc().get_strides(), (memory::dims{1, 2}));
  EXPECT_TRUE(held.get_engine() == Cpu());
}

}  // namespace
}  // namespace testing
}  // namespace tandem
