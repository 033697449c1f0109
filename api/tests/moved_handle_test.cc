// A handle that was moved from is empty: its use is invalid_arguments, whether a new handle was made or an old one assigned to.
// Both generations.
#include <gtest/gtest.h>

#include <utility>

#include "api/tests/expect_error_testing.h"
#include "api/tests/generations_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;

template <class Generation>
class MovedHandle : public ::testing::Test {
 protected:
  MovedHandle()
      : layer_({2, 3, 4}, memory::data_type::f32, memory::format_tag::tnc),
        weights_({1, 1, 4, 4, 4}, memory::data_type::f32, memory::format_tag::ldigo) {}

  dnnl::lstm_forward::primitive_desc Descriptor(const dnnl::primitive_attr& attr = dnnl::primitive_attr()) const {
    const memory::desc none;
    return Generation::template Make<dnnl::lstm_forward>(Cpu(), attr, dnnl::prop_kind::forward_inference,
                                                         dnnl::rnn_direction::unidirectional_left2right, layer_, none,
                                                         none, weights_, weights_, none, layer_, none, none);
  }

  memory::desc layer_, weights_;
};

TYPED_TEST_SUITE(MovedHandle, Generations);

// `use` throws invalid_arguments for an empty handle and takes any other.
template <class Handle, class Use>
void ExpectEmptyAfterMoves(const Handle& first, const Handle& second, const Use& use) {
  Handle from = first;
  Handle made = std::move(from);
  EXPECT_TRUE(made == first);
  EXPECT_EQ(from.get(true), nullptr);
  ExpectInvalid({"empty"}, [&] { use(from); });

  Handle assigned = second;
  assigned = std::move(made);
  EXPECT_TRUE(assigned == first);
  EXPECT_EQ(made.get(true), nullptr);
  EXPECT_FALSE(static_cast<bool>(made));
  ExpectInvalid({"empty"}, [&] { use(made); });

  Handle& itself = assigned;
  assigned = std::move(itself);
  EXPECT_TRUE(assigned == first);
  EXPECT_NO_THROW(use(assigned));
  made = first;  // an empty handle may be assigned to
  EXPECT_NO_THROW(use(made));
}

TYPED_TEST(MovedHandle, OfObjectsIsEmpty) {
  const dnnl::engine other(dnnl::engine::kind::cpu, 0);
  ExpectEmptyAfterMoves(Cpu(), other, [](const dnnl::engine& engine) { engine.get_kind(); });
  ExpectEmptyAfterMoves(dnnl::stream(Cpu()), dnnl::stream(other), [](dnnl::stream& stream) { stream.wait(); });
  ExpectEmptyAfterMoves(memory(this->layer_, Cpu()), memory(this->layer_, Cpu()),
                        [](const memory& of) { of.get_data_handle(); });
  ExpectEmptyAfterMoves(dnnl::primitive_attr(), dnnl::primitive_attr(),
                        [](const dnnl::primitive_attr& attr) { attr.get_scratchpad_mode(); });
  ExpectEmptyAfterMoves(dnnl::post_ops(), dnnl::post_ops(), [](const dnnl::post_ops& ops) { ops.len(); });
}

// A primitive with default attributes in place of the lost ones would compute something else.
TYPED_TEST(MovedHandle, OfAttributesMakesNoPrimitive) {
  dnnl::primitive_attr attr;
  const dnnl::primitive_attr taken = std::move(attr);
  ExpectInvalid({"attributes: is empty"}, [&] { this->Descriptor(attr); });
  ExpectInvalid({"attributes: is empty"},
                [&] { dnnl::reorder::primitive_desc(Cpu(), this->layer_, Cpu(), this->layer_, attr); });
  EXPECT_NO_THROW(this->Descriptor(taken));
}

TYPED_TEST(MovedHandle, OfPrimitivesAndTheirDescriptorsIsEmpty) {
  ExpectEmptyAfterMoves(this->Descriptor(), this->Descriptor(),
                        [](const dnnl::lstm_forward::primitive_desc& pd) { pd.src_layer_desc(); });
  const dnnl::lstm_forward one(this->Descriptor()), two(this->Descriptor());
  ExpectEmptyAfterMoves(one, two, [](const dnnl::lstm_forward& lstm) { lstm.get_kind(); });
  const memory from(this->layer_, Cpu()), to(this->layer_, Cpu());
  ExpectEmptyAfterMoves(dnnl::reorder(from, to), dnnl::reorder(to, from),
                        [](const dnnl::reorder& reorder) { reorder.get_kind(); });
  ExpectEmptyAfterMoves(dnnl::reorder::primitive_desc(from, to), dnnl::reorder::primitive_desc(to, from),
                        [](const dnnl::reorder::primitive_desc& pd) { pd.src_desc(); });
}

}  // namespace
}  // namespace testing
}  // namespace tandem
