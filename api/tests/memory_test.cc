// Handles, engines, streams, memory and memory::desc as clients see them. The arithmetic of layouts is tested where it
// lives, in core.
#include "api/library/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "api/tests/expect_error_testing.h"
#include "dnnl.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using tag = memory::format_tag;
using dt = memory::data_type;

const dnnl::engine kCpu(dnnl::engine::kind::cpu, 0);

TEST(Handle, CopiesShareOneObject) {
  dnnl::primitive_attr attr, copy = attr;
  copy.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  EXPECT_EQ(attr.get_scratchpad_mode(), dnnl::scratchpad_mode::user);
  EXPECT_TRUE(attr == copy);
  EXPECT_TRUE(attr != dnnl::primitive_attr());
}

TEST(Handle, EmptyOnesAreEqualAndRefuseUse) {
  const dnnl::memory empty;
  EXPECT_TRUE(empty == dnnl::memory());
  EXPECT_FALSE(empty);
  EXPECT_EQ(empty.get(true), nullptr);
  ExpectInvalid({"empty"}, [&] { empty.get(); });
  ExpectInvalid({"empty"}, [&] { empty.get_desc(); });
  ExpectInvalid({"empty"}, [&] { dnnl::stream stream{dnnl::engine()}; });
}

TEST(Handle, WeakOnesKeepTheObjectAlive) {
  dnnl::memory weak;
  {
    const memory strong({{4}, dt::f32, tag::x}, kCpu);
    weak.reset(strong.get(), true);
    EXPECT_TRUE(weak == strong);
  }
  EXPECT_NE(weak.get_data_handle(), nullptr);
}

TEST(Handle, MovesLeaveTheSourceEmpty) {
  memory from({{4}, dt::f32, tag::x}, kCpu);
  const memory to(std::move(from));
  EXPECT_TRUE(static_cast<bool>(to));
  EXPECT_FALSE(from);
}

TEST(Error, CopiesKeepTheirMessage) {
  std::unique_ptr<dnnl::error> original(new dnnl::error(dnnl_unimplemented, std::string("made up").c_str()));
  const dnnl::error copy = *original;
  original.reset();
  EXPECT_STREQ(copy.message, "made up");
  EXPECT_STREQ(copy.what(), "made up");
}

TEST(Engine, IsOneCpu) {
  EXPECT_EQ(dnnl::engine::get_count(dnnl::engine::kind::cpu), 1u);
  EXPECT_EQ(dnnl::engine::get_count(dnnl::engine::kind::gpu), 0u);
  EXPECT_EQ(kCpu.get_kind(), dnnl::engine::kind::cpu);
  ExpectInvalid({"gpu"}, [] { dnnl::engine(dnnl::engine::kind::gpu, 0); });
  ExpectInvalid({"index is 1"}, [] { dnnl::engine(dnnl::engine::kind::cpu, 1); });
}

TEST(Stream, KnowsItsEngine) {
  dnnl::stream stream = kCpu;
  EXPECT_TRUE(stream.get_engine() == kCpu);
  EXPECT_TRUE(&stream.wait() == &stream);
  EXPECT_NO_THROW(dnnl::stream(kCpu, dnnl::stream::flags::out_of_order));
  ExpectInvalid({"flags"}, [] { dnnl::stream(kCpu, static_cast<dnnl::stream::flags>(64)); });
}

TEST(Memory, AllocatesOnACacheLine) {
  for (const memory::dim count : {1, 15, 1000}) {
    const memory owned({{count}, dt::u8, tag::x}, kCpu);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(owned.get_data_handle()) % 64, 0u);
  }
}

// A view's buffer must reach to its last element, of a padded tensor to the end of its last row.
TEST(Memory, AllocatesForViewsAndPaddedRows) {
  const memory::desc view = memory::desc({4, 8}, dt::f32, tag::ab).submemory_desc({2, 2}, {2, 6});
  const memory held(view, kCpu);
  static_cast<float*>(held.get_data_handle())[view.get_submemory_offset() + 8 + 1] = 1.f;
  const memory::desc padded({2, 3}, dt::f32, memory::dims{5, 1});
  std::memset(memory(padded, kCpu).get_data_handle(), 0, padded.get_size());
  EXPECT_EQ(padded.get_size(), 40u);
}

TEST(Memory, RefusesOpenLayoutsAndImpossibleSizes) {
  ExpectInvalid({"layout open"}, [] { memory({{4}, dt::f32, tag::any}, kCpu); });
  ExpectError(dnnl_out_of_memory, {}, [] { memory({{memory::dim{1} << 58}, dt::f32, tag::x}, kCpu); });
  ExpectInvalid({"more data handles"}, [] { memory({{4}, dt::f32, tag::x}, kCpu, std::vector<void*>(2)); });
}

TEST(Memory, MapsToItsBuffer) {
  const memory held({{2}, dt::f32, tag::x}, kCpu);
  float* mapped = held.map_data<float>();
  EXPECT_EQ(mapped, held.get_data_handle());
  EXPECT_NO_THROW(held.unmap_data(mapped));
  ExpectInvalid({"unmap_data"}, [&] { held.unmap_data(mapped + 1); });
}

TEST(MemoryDesc, WrongArgumentsThrowOrGiveAZeroDescriptor) {
  const memory::dims too_many(13, 1);
  ExpectInvalid({}, [&] { memory::desc(too_many, dt::f32, tag::a); });
  ExpectInvalid({}, [] { memory::desc({2, -1}, dt::f32, tag::ab); });
  ExpectInvalid({}, [] { memory::desc({2, 3}, dt::f32, tag::abc); });
  ExpectInvalid({}, [] { memory::desc({2, 3}, dt::f32, memory::dims{1, 1}); });
  ExpectInvalid({}, [] { memory::desc({2, 3}, dt::f32, memory::dims{1}); });
  EXPECT_TRUE(memory::desc({2, -1}, dt::f32, tag::ab, true).is_zero());
  EXPECT_TRUE(memory::desc({2, 3}, dt::f32, memory::dims{1, 1}, true).is_zero());
  const memory::desc md({4, 6}, dt::f32, tag::ab);
  ExpectInvalid({}, [&] { md.submemory_desc({4, 4}, {0, 3}); });
  ExpectInvalid({}, [&] { md.reshape({5, 5}); });
  ExpectInvalid({}, [&] { md.permute_axes({0, 0}); });
  EXPECT_TRUE(md.submemory_desc({4, 4}, {0, 3}, true).is_zero());
  EXPECT_TRUE(md.reshape({5, 5}, true).is_zero());
  EXPECT_TRUE(md.permute_axes({0, 0}, true).is_zero());
}

TEST(MemoryDesc, CountsOfDimsAreCheckedAndNamed) {
  const memory::dims too_many(13, 1);
  const memory::desc md({4, 6}, dt::f32, tag::ab);
  ExpectInvalid({"13", "12"}, [&] { memory::desc(too_many, dt::f32, tag::a); });
  ExpectInvalid({"13", "12"}, [&] { memory::desc(too_many, dt::f32, memory::dims()); });
  ExpectInvalid({"1 strides", "2 dims"}, [] { memory::desc({2, 3}, dt::f32, memory::dims{1}); });
  ExpectInvalid({"3 dims", "2 dims"}, [&] { md.submemory_desc({1, 1, 1}, {0, 0, 0}); });
  ExpectInvalid({"1 offsets", "2 dims"}, [&] { md.submemory_desc({1, 1}, {0}); });
  ExpectInvalid({"13", "12"}, [&] { md.submemory_desc(too_many, too_many); });
  ExpectInvalid({"13"}, [&] { md.reshape(too_many); });
  ExpectInvalid({"{4, 6}", "{}"}, [&] { md.reshape({}); });
  ExpectInvalid({"3 axes", "2 dims"}, [&] { md.permute_axes({0, 1, 2}); });
  // Clients of oneDNN pass offsets of the rank of another tensor.
  EXPECT_EQ(md.submemory_desc({2, 3}, {2, 0, 0, 0}), md.submemory_desc({2, 3}, {2, 0}));
}

// 2^31 bytes are more than an array of a 32-bit processor has.
TEST(MemoryDesc, HasNoMoreBytesThanTheProcessorAddresses) {
  constexpr memory::dim kRows = 1 << 20, kColumns = 1 << 9, kGap = kColumns * 2;
  const auto refused_with_32_bits = [](const std::function<memory::desc()>& make) {
    if (sizeof(void*) == 4) {
      ExpectInvalid({"32-bit"}, [&] { make(); });
    } else {
      EXPECT_GE(make().get_size(), size_t{1} << 31);
    }
  };
  refused_with_32_bits([] { return memory::desc({kRows, kColumns}, dt::f32, tag::ab); });
  refused_with_32_bits([] { return memory::desc({kRows / 2, kColumns}, dt::f32, memory::dims{kGap, 1}); });
  EXPECT_EQ(memory::desc({kRows / 2, kColumns}, dt::f32, tag::ab).get_size(), size_t{1} << 30);
}

// The extent of a descriptor with a runtime value is unknown, but its other values are checked.
TEST(MemoryDesc, StridesThatOverflowBesideARuntimeDimAreRefused) {
  constexpr memory::dim kMost = std::numeric_limits<memory::dim>::max();
  ExpectInvalid({"more than an int64 counts"}, [] {
    memory::desc({DNNL_RUNTIME_DIM_VAL, 7, 2}, memory::data_type::f32, memory::dims{1, kMost, kMost});
  });
}

TEST(MemoryDesc, AllowEmptyNeverThrows) {
  const memory::dims too_many(13, 1);
  const memory::desc md({4, 6}, dt::f32, tag::ab), any({4, 6}, dt::f32, tag::any);
  const std::vector<memory::desc> empty = {
      memory::desc(too_many, dt::f32, tag::a, true),
      memory::desc(too_many, dt::f32, too_many, true),
      memory::desc({2, 3}, dt::f32, memory::dims{1}, true),
      memory::desc({2, 3}, static_cast<dt>(77), tag::ab, true),
      memory::desc({memory::dim{1} << 62, 2}, dt::f32, tag::ab, true),
      md.submemory_desc({1, 1, 1}, {0, 0, 0}, true),
      md.submemory_desc({1, 1}, {0}, true),
      md.submemory_desc({}, {}, true),
      md.submemory_desc(too_many, too_many, true),
      any.submemory_desc({1, 1}, {0, 0}, true),
      md.reshape({}, true),
      md.reshape(too_many, true),
      md.permute_axes({}, true),
      md.permute_axes({0, 1, 2}, true),
      md.permute_axes(std::vector<int>(13, 0), true),
  };
  for (const memory::desc& each : empty) EXPECT_TRUE(each.is_zero()) << DimsToString(each.data);
}

TEST(Memory, HoldsOneValue) {
  const memory::desc one({1}, dt::f32, tag::x);
  EXPECT_EQ(*memory(one, 3.f).map_data<float>(), 3.f);
  EXPECT_EQ(*memory({{1, 1}, dt::u8, tag::ab}, uint8_t{200}).map_data<uint8_t>(), 200);
  ExpectInvalid({"0 elements", "1"}, [] { memory(memory::desc(), 3.f); });
  ExpectInvalid({"6 elements"}, [] { memory({{2, 3}, dt::f32, tag::ab}, 3.f); });
  ExpectInvalid({"s32", "f32"}, [&] { memory(one, 3); });
  ExpectInvalid({"undef", "f32"}, [&] { memory(one, 3.); });
}

// The product of these dims is 1 modulo 2^64.
TEST(Memory, HoldsNoValueOfADescriptorWhoseCountWrapsAround) {
  memory::desc md({1, 1}, dt::f32, tag::ab);
  md.data.dims[0] = 11;
  md.data.dims[1] = 3353953467947191203;
  ExpectInvalid({"elements, but must have 1"}, [&] { memory(md, 1.f); });
}

TEST(MemoryDesc, TagUndefAndNoDimsAreZeroDescriptors) {
  EXPECT_TRUE(memory::desc({2, 3}, dt::f32, tag::undef).is_zero());
  EXPECT_TRUE(memory::desc({}, dt::f32, tag::x, true).is_zero());
  EXPECT_FALSE(memory::desc());
  EXPECT_EQ(memory::desc(), memory::desc({2, 3}, dt::f32, tag::undef));
}

#if defined(__GLIBC__)
// malloc hands out what was freed, with the pages that it had: small ones, if it was not allocated for a large buffer.
TEST(Memory, HasNewPagesWhereLargeOnesAreUsedAgain) {
  constexpr memory::dim kBytes = 4 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  const memory::desc md({kBytes}, dt::u8, tag::a);
  // Larger than the buffer, which begins at a multiple of 2 MB; in a vector, or the compiler leaves out what is freed unread.
  std::vector<void*> used;
  for (int i = 0; i < 3; ++i) {
    used.push_back(std::malloc(2 * kBytes));
    std::memset(used.back(), 0xff, 2 * kBytes);
  }
  for (void* data : used) std::free(data);
  const memory again(md, kCpu);
  const auto* bytes = static_cast<const unsigned char*>(again.get_data_handle());
  EXPECT_EQ(std::count(bytes, bytes + kBytes, 0xff), 0);
}
#endif

TEST(MemoryDesc, LayoutsAreReadBack) {
  const memory::desc md({2, 3, 4, 5, 6}, dt::bf16, tag::ldgoi);
  EXPECT_EQ(md.get_strides(), (memory::dims{360, 120, 1, 24, 4}));
  EXPECT_EQ(md.get_padded_dims(), md.get_dims());
  EXPECT_EQ(md.get_inner_nblks(), 0);
  EXPECT_EQ(md.get_num_handles(), 1);
  EXPECT_EQ(md.get_size(), 2u * 720);
  EXPECT_EQ(md.get()->ndims, 5);
  EXPECT_EQ(memory::desc(const_dnnl_memory_desc_t(md.get())), md);
  EXPECT_EQ(memory::desc(md.get_blob()), md);
  ExpectInvalid({"blob"}, [] { memory::desc(std::vector<uint8_t>{1, 2, 3}); });
  EXPECT_EQ(md.permute_axes({0, 1, 3, 4, 2}),
            memory::desc({2, 3, 6, 4, 5}, dt::bf16, memory::dims{360, 120, 4, 1, 24}));
  EXPECT_EQ(memory::desc({2, 6}, dt::f32, tag::ab).reshape({2, 2, 3}), memory::desc({2, 2, 3}, dt::f32, tag::abc));
}

TEST(MemoryDesc, DescribesItself) {
  EXPECT_EQ(Describe(memory::desc({2, 3}, dt::f32, tag::ba).data), "f32 {2, 3} strides {1, 2}");
  EXPECT_EQ(Describe(memory::desc({2, 3}, dt::s8, tag::any).data), "s8 {2, 3} any");
  EXPECT_EQ(Describe(memory::desc().data), "a zero descriptor");
}

}  // namespace
}  // namespace testing
}  // namespace tandem
