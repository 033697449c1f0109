// Every format tag of the specification's list, by the names that C++ clients write.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dnnl.hpp"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using tag = memory::format_tag;

const memory::dims kDims = {2, 3, 5, 7, 11, 13};

// The strides of a dense tensor with the dims `order`, the outermost first: `a` is dim 0.
memory::dims DenseStrides(const std::string& order) {
  memory::dims strides(order.size());
  memory::dim stride = 1;
  for (size_t place = order.size(); place-- > 0;) {
    const auto dim = static_cast<size_t>(order[place] - 'a');
    strides[dim] = stride;
    stride *= kDims[dim];
  }
  return strides;
}

struct Named {
  tag value;
  const char* order;
};

void ExpectOrders(const std::vector<Named>& tags) {
  for (const Named& named : tags) {
    const std::string order = named.order;
    const memory::dims dims(kDims.begin(), kDims.begin() + static_cast<ptrdiff_t>(order.size()));
    const memory::desc md(dims, memory::data_type::f32, named.value);
    EXPECT_EQ(md.get_dims(), dims) << order;
    EXPECT_EQ(md.get_strides(), DenseStrides(order)) << order;
  }
}

TEST(FormatTags, OfOneTwoAndThreeDimsByHand) {
  const auto strides = [](const memory::dims& dims, tag value) {
    return memory::desc(dims, memory::data_type::f32, value).get_strides();
  };
  EXPECT_EQ(strides({5}, tag::a), memory::dims{1});
  EXPECT_EQ(strides({2, 3}, tag::ab), (memory::dims{3, 1}));
  EXPECT_EQ(strides({2, 3}, tag::ba), (memory::dims{1, 2}));
  EXPECT_EQ(strides({2, 3, 5}, tag::bca), (memory::dims{1, 10, 2}));
}

TEST(FormatTags, ArePermutationsOfTheFirstLetters) {
  ExpectOrders({
      {tag::a, "a"},           {tag::ab, "ab"},         {tag::ba, "ba"},       {tag::abc, "abc"},
      {tag::acb, "acb"},       {tag::bac, "bac"},       {tag::bca, "bca"},     {tag::cba, "cba"},
      {tag::abcd, "abcd"},     {tag::abdc, "abdc"},     {tag::acdb, "acdb"},   {tag::bacd, "bacd"},
      {tag::bcda, "bcda"},     {tag::cdba, "cdba"},     {tag::dcab, "dcab"},   {tag::abcde, "abcde"},
      {tag::abdec, "abdec"},   {tag::acbde, "acbde"},   {tag::acdeb, "acdeb"}, {tag::bacde, "bacde"},
      {tag::bcdea, "bcdea"},   {tag::cdeba, "cdeba"},   {tag::decab, "decab"}, {tag::abcdef, "abcdef"},
      {tag::acbdef, "acbdef"}, {tag::defcab, "defcab"},
  });
}

TEST(FormatTags, OfCnnsAreAliases) {
  ExpectOrders({
      {tag::x, "a"},         {tag::nc, "ab"},         {tag::cn, "ba"},         {tag::tn, "ab"},
      {tag::nt, "ba"},       {tag::ncw, "abc"},       {tag::nwc, "acb"},       {tag::nchw, "abcd"},
      {tag::nhwc, "acdb"},   {tag::chwn, "bcda"},     {tag::ncdhw, "abcde"},   {tag::ndhwc, "acdeb"},
      {tag::oi, "ab"},       {tag::io, "ba"},         {tag::oiw, "abc"},       {tag::owi, "acb"},
      {tag::wio, "cba"},     {tag::iwo, "bca"},       {tag::oihw, "abcd"},     {tag::hwio, "cdba"},
      {tag::ohwi, "acdb"},   {tag::ihwo, "bcda"},     {tag::iohw, "bacd"},     {tag::oidhw, "abcde"},
      {tag::dhwio, "cdeba"}, {tag::odhwi, "acdeb"},   {tag::iodhw, "bacde"},   {tag::idhwo, "bcdea"},
      {tag::goiw, "abcd"},   {tag::wigo, "dcab"},     {tag::goihw, "abcde"},   {tag::hwigo, "decab"},
      {tag::giohw, "acbde"}, {tag::goidhw, "abcdef"}, {tag::giodhw, "acbdef"}, {tag::dhwigo, "defcab"},
      {tag::woi, "cab"},     {tag::hwoi, "cdab"},     {tag::dhwoi, "cdeab"},   {tag::gwio, "adcb"},
      {tag::ghwio, "adecb"}, {tag::gdhwio, "adefcb"},
  });
}

// (t, n, c), (l, d, n, c), (l, d, i, g, o), (l, d, i, o) and (l, d, g, o) are the orders of the dims.
TEST(FormatTags, OfRnnsAreTheLayoutsOfTheirTensors) {
  ExpectOrders({
      {tag::tnc, "abc"},
      {tag::ntc, "bac"},
      {tag::ldnc, "abcd"},
      {tag::ldigo, "abcde"},
      {tag::ldgoi, "abdec"},
      {tag::ldio, "abcd"},
      {tag::ldoi, "abdc"},
      {tag::ldgo, "abcd"},
  });
}

// The layout is left to the primitive; there is no tensor.
TEST(FormatTags, AnyIsOpenAndUndefIsNoTensor) {
  const memory::desc any({2, 3}, memory::data_type::f32, tag::any), undef({2, 3}, memory::data_type::f32, tag::undef);
  EXPECT_EQ(any.get_format_kind(), memory::format_kind::any);
  EXPECT_EQ(any.get_dims(), (memory::dims{2, 3}));
  EXPECT_EQ(any.get_size(), 0u);
  EXPECT_TRUE(undef.is_zero());
}

}  // namespace
}  // namespace testing
}  // namespace tandem
