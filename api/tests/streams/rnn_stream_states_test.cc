// States of streams: groups whose rows come and go, reset, save, load, steps in place; a refused call changes nothing.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "api/tests/client_targets_testing.h"
#include "api/tests/streams/stream_case_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dt = dnnl::memory::data_type;

// Inputs and outputs of some rows, with values that differ from call to call. Types of 2 and 4 bytes.
struct Buffers {
  Buffers(const StreamPlan& plan, size_t rows)
      : sizes(plan.Sizes()), x(rows * XBytes()), attention(rows * Bytes(sizes.src_type)), y(rows * YBytes()) {}

  static size_t Bytes(dnnl_data_type_t type) { return type == dnnl_f32 ? 4 : 2; }
  size_t XBytes() const { return static_cast<size_t>(sizes.slc) * Bytes(sizes.src_type); }
  size_t YBytes() const { return static_cast<size_t>(sizes.dlc) * Bytes(sizes.dst_type); }
  void Fill(size_t seed) {
    for (std::vector<char>* const values : {&x, &attention}) {
      for (size_t i = 0; i < values->size() / Bytes(sizes.src_type); ++i) {
        const float value = static_cast<float>((i * 41 + ++seed * 29) % 97) / 97.f - 0.5f;
        char bytes[4];  // the upper half of an f32 is a bf16, and some f16
        std::memcpy(bytes, &value, sizeof value);
        std::memcpy(values->data() + i * Bytes(sizes.src_type), bytes + 4 - Bytes(sizes.src_type),
                    Bytes(sizes.src_type));
      }
    }
  }
  std::vector<char> YOf(size_t row) const {
    const auto begin = y.begin() + static_cast<std::ptrdiff_t>(row * YBytes());
    return std::vector<char>(begin, begin + static_cast<std::ptrdiff_t>(YBytes()));
  }

  tandem_rnn_stream_sizes_t sizes;
  std::vector<char> x, attention, y;
};

// A row's own stream, which makes the same steps.
std::vector<char> StepAlone(const RnnCase& rnn, const Buffers& buffers, size_t place, const RnnStream& alone) {
  std::vector<char> y(buffers.YBytes());
  const char* attention = &buffers.attention[place * Buffers::Bytes(buffers.sizes.src_type)];
  EXPECT_EQ(tandem_rnn_stream_step(alone.get(), &buffers.x[place * buffers.XBytes()],
                                   rnn.HasAttention() ? attention : nullptr, y.data()),
            dnnl_success);
  return y;
}

// Steps of `count` rows of a group, from `first` on and `stride` apart.
struct Named {
  dnnl_dim_t count, first, stride;
};

void ExpectRowsGoOn(const RnnCase& rnn, const std::vector<Named>& calls) {
  for (const dnnl::primitive_desc& pd : AllForward(rnn, dnnl::prop_kind::forward_inference)) {
    SCOPED_TRACE(rnn.ToString() + " by " + pd.impl_info_str());
    const StreamPlan plan(pd, FilledArguments(rnn, pd));
    RnnStream group(plan, rnn.batch);
    std::vector<std::unique_ptr<RnnStream>> alone;
    for (dnnl_dim_t n = 0; n < rnn.batch; ++n) alone.push_back(std::make_unique<RnnStream>(plan, 1));
    Buffers buffers(plan, static_cast<size_t>(rnn.batch));
    for (const Named& call : calls) {
      std::vector<dnnl_dim_t> rows;
      for (dnnl_dim_t i = 0; i < call.count; ++i) {
        rows.push_back((call.first + i * call.stride + rnn.batch * call.count) % rnn.batch);
      }
      buffers.Fill(static_cast<size_t>(call.count + call.first));
      ASSERT_EQ(tandem_rnn_stream_step_rows(group.get(), call.count, rows.data(), buffers.x.data(),
                                            rnn.HasAttention() ? buffers.attention.data() : nullptr, buffers.y.data()),
                dnnl_success)
          << tandem_last_error();
      for (size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(buffers.YOf(i), StepAlone(rnn, buffers, i, *alone[static_cast<size_t>(rows[i])]))
            << "row " << rows[i];
      }
    }
    for (dnnl_dim_t n = 0; n < rnn.batch; ++n) {
      EXPECT_TRUE(group.Save(n) == alone[static_cast<size_t>(n)]->Save(0)) << "row " << n;
    }
  }
}

TEST(RnnStreamStates, RowsOfAGroupGoOnWhereTheyWere) {
  for (const std::string& target : TargetsThatDiffer(TargetsOfThisMachine())) {
    SCOPED_TRACE(target);
    const ForcedTarget forced(target);
    for (const algorithm cell : kCells) {
      for (const dt type : {dt::f32, dt::bf16, dt::f16}) {
        RnnCase rnn = CaseOf(cell, type, 19, 1, 20);
        if (!rnn.HasAttention()) {
          rnn.layers = 2;
          rnn.slc = rnn.dhc;
        }
        ExpectRowsGoOn(rnn, {{1, 7, 1}, {20, 0, 1}, {17, 19, -1}, {2, 3, 9}, {16, 4, 1}, {20, 19, -1}, {1, 0, 1}});
      }
    }
  }
}

// A part of the rows keeps W x: 128 rows are several parts.
TEST(RnnStreamStates, RowsOfALargeGroupGoOnWhereTheyWere) {
  for (const algorithm cell : kCells) {
    ExpectRowsGoOn(CaseOf(cell, dt::f32, 9, 1, 300), {{300, 0, 1}, {129, 299, -1}, {3, 5, 1}, {257, 1, 7}});
  }
  RnnCase projected = CaseOf(algorithm::vanilla_lstm, dt::f32, 9, 1, 150);
  projected.dic = 5;
  projected.peephole = true;
  ExpectRowsGoOn(projected, {{150, 0, 1}, {129, 0, 1}, {1, 149, 1}});
}

TEST(RnnStreamStates, ABlockHasTheBitsOfSteps) {
  for (const algorithm cell : kCells) {
    for (const dnnl_dim_t rows : {1, 3}) {
      const RnnCase rnn = CaseOf(cell, dt::f32, 33, 1, 1);
      for (const dnnl::primitive_desc& pd : AllForward(rnn, dnnl::prop_kind::forward_inference)) {
        SCOPED_TRACE(rnn.ToString() + " by " + pd.impl_info_str());
        const StreamPlan plan(pd, FilledArguments(rnn, pd));
        RnnStream by_block(plan, rows), by_step(plan, rows);
        Buffers buffers(plan, 5);
        buffers.Fill(1);
        const void* const attention = rnn.HasAttention() ? buffers.attention.data() : nullptr;
        const RowStates zeros = by_block.Save(0);
        ASSERT_EQ(tandem_rnn_stream_run(by_block.get(), 3, buffers.x.data(), attention, buffers.y.data()),
                  dnnl_success);
        ASSERT_EQ(tandem_rnn_stream_run(by_block.get(), 2, &buffers.x[3 * buffers.XBytes()],
                                        attention == nullptr ? nullptr : &buffers.attention[3 * 4],
                                        &buffers.y[3 * buffers.YBytes()]),
                  dnnl_success);
        for (size_t step = 0; step < 5; ++step) EXPECT_EQ(buffers.YOf(step), StepAlone(rnn, buffers, step, by_step));
        EXPECT_TRUE(by_block.Save(0) == by_step.Save(0));
        for (dnnl_dim_t n = 1; n < rows; ++n) EXPECT_TRUE(by_block.Save(n) == zeros) << "row " << n;
      }
    }
  }
}

// src_layer and dst_layer may be the same in step().
TEST(RnnStreamStates, AStepInPlaceHasTheSameBits) {
  for (const std::string& target : TargetsThatDiffer(TargetsOfThisMachine())) {
    SCOPED_TRACE(target);
    const ForcedTarget forced(target);
    for (const algorithm cell : kCells) {
      for (const dt type : {dt::f32, dt::bf16}) {
        for (const dnnl::memory::dim channels : {16, 50, 128}) {
          RnnCase rnn = CaseOf(cell, type, channels, 1, 1);
          rnn.slc = channels;
          for (const dnnl::primitive_desc& pd : AllForward(rnn, dnnl::prop_kind::forward_inference)) {
            SCOPED_TRACE(rnn.ToString() + " by " + pd.impl_info_str());
            const StreamPlan plan(pd, FilledArguments(rnn, pd));
            RnnStream in_place(plan, 1), apart(plan, 1);
            Buffers buffers(plan, 1);
            for (size_t step = 0; step < 3; ++step) {
              buffers.Fill(step);
              const std::vector<char> want = StepAlone(rnn, buffers, 0, apart);
              ASSERT_EQ(
                  tandem_rnn_stream_step(in_place.get(), buffers.x.data(),
                                         rnn.HasAttention() ? buffers.attention.data() : nullptr, buffers.x.data()),
                  dnnl_success);
              ASSERT_EQ(buffers.x, want) << "step " << step;
            }
          }
        }
      }
    }
  }
}

RowStates Ramp(const tandem_rnn_stream_sizes_t& sizes, float from) {
  RowStates states;
  for (dnnl_dim_t i = 0; i < sizes.h; ++i) states.h.push_back(from += 0.03125f);
  for (dnnl_dim_t i = 0; i < sizes.c; ++i) states.c.push_back(from -= 0.0625f);
  return states;
}

TEST(RnnStreamStates, LoadAndResetChangeOneRow) {
  RnnCase rnn = CaseOf(algorithm::vanilla_lstm, dt::f32, 18, 1, 3);
  rnn.dic = 7;
  for (const dnnl::primitive_desc& pd : AllForward(rnn, dnnl::prop_kind::forward_inference)) {
    SCOPED_TRACE(pd.impl_info_str());
    const StreamPlan plan(pd, FilledArguments(rnn, pd));
    RnnStream stream(plan, 3);
    const RowStates zeros = stream.Save(1);
    EXPECT_EQ(zeros.h, std::vector<float>(7, 0.f));
    EXPECT_EQ(zeros.c, std::vector<float>(18, 0.f));
    const RowStates a = Ramp(plan.Sizes(), 0.f), b = Ramp(plan.Sizes(), -1.f), c = Ramp(plan.Sizes(), 2.f);
    stream.Load(0, a);
    stream.Load(1, b);
    stream.Load(2, c);
    EXPECT_TRUE(stream.Save(0) == a && stream.Save(1) == b && stream.Save(2) == c);
    EXPECT_EQ(tandem_rnn_stream_reset(stream.get(), 1), dnnl_success);
    EXPECT_TRUE(stream.Save(0) == a && stream.Save(1) == zeros && stream.Save(2) == c);
  }
}

// A stack has the states of its descriptors one behind another, c of those that have it.
TEST(RnnStreamStates, AStackHasTheStatesOfEachLayer) {
  const RnnCase gru = CaseOf(algorithm::vanilla_gru, dt::f32, 6, 1, 1);
  RnnCase lstm = CaseOf(algorithm::vanilla_lstm, dt::f32, 5, 1, 1);
  lstm.slc = 6;
  lstm.dic = 4;
  RnnCase above = CaseOf(algorithm::vanilla_lstm, dt::f32, 3, 1, 1);
  above.slc = 4;
  StreamPlan::Stack stack;
  for (const RnnCase& rnn : {gru, lstm, above}) {
    const dnnl::primitive_desc pd = Forward(rnn, dnnl::prop_kind::forward_inference);
    stack.emplace_back(pd, FilledArguments(rnn, pd));
  }
  const StreamPlan plan(stack);
  const tandem_rnn_stream_sizes_t sizes = plan.Sizes();
  EXPECT_EQ(sizes.slc, 3);
  EXPECT_EQ(sizes.dlc, 3);
  EXPECT_EQ(sizes.h, 6 + 4 + 3);
  EXPECT_EQ(sizes.c, 5 + 3);
  for (const dnnl_dim_t rows : {1, 3}) {
    RnnStream whole(plan, rows);
    const RowStates states = Ramp(sizes, 0.f);
    whole.Load(rows - 1, states);
    EXPECT_TRUE(whole.Save(rows - 1) == states);
    Buffers buffers(plan, 1);
    buffers.Fill(3);
    const dnnl_dim_t last = rows - 1;
    ASSERT_EQ(tandem_rnn_stream_step_rows(whole.get(), 1, &last, buffers.x.data(), nullptr, buffers.y.data()),
              dnnl_success);
    const RowStates stepped = whole.Save(rows - 1);
    std::vector<float> x(6);
    std::memcpy(x.data(), buffers.x.data(), buffers.x.size());
    size_t h_at = 0, c_at = 0;
    for (const auto& layers : stack) {
      const StreamPlan one(layers.first, layers.second);
      RnnStream stream(one, 1);
      const auto its_h = static_cast<size_t>(one.Sizes().h), its_c = static_cast<size_t>(one.Sizes().c);
      const auto part = [&](const RowStates& from) {
        return RowStates{{&from.h[h_at], &from.h[h_at] + its_h}, {from.c.data() + c_at, from.c.data() + c_at + its_c}};
      };
      stream.Load(0, part(states));
      std::vector<float> y(6);
      ASSERT_EQ(tandem_rnn_stream_step(stream.get(), x.data(), nullptr, y.data()), dnnl_success);
      EXPECT_TRUE(stream.Save(0) == part(stepped));
      h_at += its_h;
      c_at += its_c;
      x = y;
    }
    EXPECT_EQ(std::memcmp(x.data(), buffers.y.data(), buffers.y.size()), 0);
    EXPECT_EQ(tandem_rnn_stream_reset(whole.get(), rows - 1), dnnl_success);
    EXPECT_TRUE(whole.Save(rows - 1) == (RowStates{std::vector<float>(13, 0.f), std::vector<float>(8, 0.f)}));
  }
}

// A stream rounds c to 16 bits as the execution does when it reads src_iter_c.
TEST(RnnStreamStates, CIsRoundedToItsType) {
  using tag = dnnl::memory::format_tag;
  for (const dt type : {dt::bf16, dt::f16}) {
    for (const dnnl_dim_t rows : {1, 2}) {
      RnnCase rnn = CaseOf(algorithm::vanilla_lstm, type, 21, 1, 2);
      for (const int arg : {DNNL_ARG_SRC_ITER_C, DNNL_ARG_DST_ITER_C}) {
        rnn.layouts[arg] = dnnl::memory::desc(rnn.Dims(arg), type, tag::ldnc);
      }
      ExpectSameBits(rnn);
      for (const dnnl::primitive_desc& pd : AllForward(rnn, dnnl::prop_kind::forward_inference)) {
        SCOPED_TRACE(rnn.ToString() + " by " + pd.impl_info_str());
        const StreamPlan plan(pd, FilledArguments(rnn, pd));
        RnnStream stream(plan, rows);
        RowStates states = Ramp(plan.Sizes(), 0.f);
        states.c[0] = 1.f + 1.f / 4096.f;                                          // to the even neighbour below
        states.c[20] = type == dt::bf16 ? 1.f + 3.f / 256.f : 1.f + 3.f / 2048.f;  // half, to the even one above
        RowStates rounded = states;
        rounded.c[0] = 1.f;
        rounded.c[20] = type == dt::bf16 ? 1.f + 4.f / 256.f : 1.f + 4.f / 2048.f;
        stream.Load(rows - 1, states);
        EXPECT_EQ(stream.Save(rows - 1).c, rounded.c);
      }
    }
  }
}

// Bits of -infinity, or of a NaN, in each element.
void FillWith(dnnl_data_type_t type, bool nan, std::vector<char>* values) {
  const uint32_t bits = (type == dnnl_f16 ? 0xfc00u << 16 : 0xff800000u) | (nan ? 0x400000u : 0u);
  char bytes[4];
  std::memcpy(bytes, &bits, sizeof bits);
  const size_t size = Buffers::Bytes(type);
  for (size_t i = 0; i < values->size(); i += size) std::memcpy(values->data() + i, bytes + 4 - size, size);
}

// Products read h in groups of channels. Behind an odd number of them nothing but zeros may lie.
void ExpectNoTraces(const RnnCase& rnn, const dnnl::primitive_attr& attr) {
  const auto all = EachImplementation(Forward(rnn, dnnl::prop_kind::forward_inference, attr.get()));
  for (const dnnl::primitive_desc& pd : all) {
    SCOPED_TRACE(rnn.ToString() + " by " + pd.impl_info_str());
    const StreamPlan plan(pd, FilledArguments(rnn, pd, attr));
    RnnStream alone(plan, 1), group(plan, 3), fresh(plan, 1);
    Buffers buffers(plan, 3);
    const dnnl_dim_t rows[] = {2, 1, 0};
    for (const bool nan : {false, true}) {
      buffers.Fill(5);
      FillWith(buffers.sizes.src_type, nan, &buffers.x);
      const void* const attention = rnn.HasAttention() ? buffers.attention.data() : nullptr;
      for (int step = 0; step < 2; ++step) {  // the second one reads h of the first
        ASSERT_EQ(tandem_rnn_stream_step_rows(group.get(), 3, rows, buffers.x.data(), attention, buffers.y.data()),
                  dnnl_success);
        const std::vector<char> y = StepAlone(rnn, buffers, 0, alone);
        EXPECT_TRUE(nan || y == buffers.YOf(0)) << "step " << step;
      }
      buffers.Fill(6);
      EXPECT_EQ(tandem_rnn_stream_reset(alone.get(), 0), dnnl_success);
      EXPECT_EQ(tandem_rnn_stream_reset(fresh.get(), 0), dnnl_success);
      for (const dnnl_dim_t row : rows) EXPECT_EQ(tandem_rnn_stream_reset(group.get(), row), dnnl_success);
      ASSERT_EQ(tandem_rnn_stream_step_rows(group.get(), 3, rows, buffers.x.data(), attention, buffers.y.data()),
                dnnl_success);
      const std::vector<char> want = StepAlone(rnn, buffers, 0, fresh);
      EXPECT_EQ(StepAlone(rnn, buffers, 0, alone), want);
      EXPECT_EQ(buffers.YOf(0), want);
    }
  }
}

TEST(RnnStreamStates, InfinitiesAndNansLeaveNoTraces) {
  for (const std::string& target : TargetsThatDiffer(TargetsOfThisMachine())) {
    SCOPED_TRACE(target);
    const ForcedTarget forced(target);
    for (const algorithm cell : kCells) {
      for (const dt type : {dt::f32, dt::bf16, dt::f16}) {
        RnnCase rnn = CaseOf(cell, type, 15, 1, 1);
        ExpectNoTraces(rnn, {});
        dnnl::primitive_attr attr;
        attr.set_rnn_weights_qparams(0, {100.f});
        for (const int arg : {DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER}) {
          rnn.layouts[arg] = dnnl::memory::desc(rnn.Dims(arg), dt::s8, dnnl::memory::format_tag::any);
        }
        ExpectNoTraces(rnn, attr);
      }
    }
  }
}

// Each call that is refused, between two steps.
TEST(RnnStreamStates, ARefusedCallChangesNothing) {
  const RnnCase rnn = CaseOf(algorithm::vanilla_lstm, dt::f32, 5, 1, 1);
  for (const dnnl::primitive_desc& pd : AllForward(rnn, dnnl::prop_kind::forward_inference)) {
    SCOPED_TRACE(pd.impl_info_str());
    const StreamPlan plan(pd, FilledArguments(rnn, pd));
    RnnStream stream(plan, 2);
    stream.Load(0, Ramp(plan.Sizes(), 0.f));
    stream.Load(1, Ramp(plan.Sizes(), 1.f));
    const RowStates first = stream.Save(0), second = stream.Save(1);
    const tandem_rnn_stream_t s = stream.get();
    const std::vector<float> x(15, 1.f), h(5, 9.f), untouched(20, 7.f);
    std::vector<float> y = untouched;
    const dnnl_dim_t twice[] = {0, 0}, beyond[] = {0, 2}, both[] = {0, 1};
    const dnnl_status_t refused[] = {
        tandem_rnn_stream_step(s, nullptr, nullptr, y.data()),
        tandem_rnn_stream_step(s, x.data(), x.data(), y.data()),
        tandem_rnn_stream_run(s, 2, nullptr, nullptr, y.data()),
        tandem_rnn_stream_run(s, 2, x.data(), x.data(), y.data()),
        tandem_rnn_stream_run(s, 2, x.data(), nullptr, nullptr),
        tandem_rnn_stream_run(s, -1, x.data(), nullptr, y.data()),
        tandem_rnn_stream_step_rows(s, 2, twice, x.data(), nullptr, y.data()),
        tandem_rnn_stream_step_rows(s, 2, beyond, x.data(), nullptr, y.data()),
        tandem_rnn_stream_step_rows(s, 2, both, nullptr, nullptr, y.data()),
        tandem_rnn_stream_step_rows(s, 2, both, x.data(), x.data(), y.data()),
        tandem_rnn_stream_step_rows(s, -1, both, x.data(), nullptr, y.data()),
        tandem_rnn_stream_step_rows(s, 3, both, x.data(), nullptr, y.data()),
        tandem_rnn_stream_load(s, 0, h.data(), nullptr),
        tandem_rnn_stream_load(s, 0, nullptr, h.data()),
        tandem_rnn_stream_load(s, -1, h.data(), h.data()),
        tandem_rnn_stream_load(s, 2, h.data(), h.data()),
        tandem_rnn_stream_save(s, 0, y.data(), nullptr),
        tandem_rnn_stream_save(s, 0, nullptr, y.data()),
        tandem_rnn_stream_save(s, 2, y.data(), y.data()),
        tandem_rnn_stream_reset(s, -1),
        tandem_rnn_stream_reset(s, 2),
    };
    for (const dnnl_status_t status : refused) {
      EXPECT_EQ(status, dnnl_invalid_arguments) << "call " << &status - &refused[0];
    }
    EXPECT_EQ(y, untouched);
    EXPECT_TRUE(stream.Save(0) == first && stream.Save(1) == second);
    // Rows that a refused call named are none of the next one.
    EXPECT_EQ(tandem_rnn_stream_step_rows(s, 2, both, x.data(), nullptr, y.data()), dnnl_success);
  }
}

}  // namespace
}  // namespace testing
}  // namespace tandem
