// Each field of the attributes is a part of a descriptor's id and of the cache's key: without it, the cache would give a
// primitive to a client that asked for another one.
#include "api/library/primitives/id_builder.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tandem {
namespace {

// Another value than a new object has.
template <class Number>
void Change(Number* number) {
  if constexpr (std::is_same_v<Number, bool>) {
    *number = !*number;
  } else {
    *number = static_cast<Number>(static_cast<int>(*number) + 1);
  }
}
void Change(MemoryDesc* md) { md->ndims = 1; }
void Change(ScaleVector* scales) { scales->mask = 1; }
void Change(ActivationFunction* function) { function->alpha = 1.f; }
void Change(GateFunctions* gates) { gates->clip = 1.f; }
void Change(LayerNorm* norm) { norm->epsilon = 1.f; }
template <class Element>
void Change(std::vector<Element>* elements) {
  elements->emplace_back();
}
void Change(std::set<int>* arguments) { arguments->insert(1); }
template <class Value>
void Change(std::map<int, Value>* values) {
  (*values)[1];
}

template <class Struct, class Put, size_t... kField>
void ExpectEachFieldInId(const Put& put, std::index_sequence<kField...>) {
  const auto id = [&put](const Struct& value) {
    Attributes attr;
    put(value, &attr);
    return IdBuilder().Add(attr).Build();
  };
  const auto expect = [&id](size_t index, Struct* changed, const auto& field) {
    using Field = std::decay_t<decltype(field)>;
    Change(const_cast<Field*>(&field));
    EXPECT_NE(id(*changed), id(Struct())) << "field " << index;
  };
  Struct changed[sizeof...(kField)];
  (expect(kField, &changed[kField], std::get<kField>(Fields(changed[kField]))), ...);
}

// `put` writes a value of Struct into attributes.
template <class Struct, class Put>
void ExpectEachFieldInId(const Put& put) {
  constexpr size_t kFields = std::tuple_size_v<decltype(Fields(std::declval<Struct>()))>;
  ExpectEachFieldInId<Struct>(put, std::make_index_sequence<kFields>());
}

TEST(IdBuilder, HasEachFieldOfAttributes) {
  ExpectEachFieldInId<Attributes>([](const Attributes& value, Attributes* attr) { *attr = value; });
}

TEST(IdBuilder, HasEachFieldOfScales) {
  ExpectEachFieldInId<ScaleVector>([](const ScaleVector& value, Attributes* attr) { attr->rnn_weights = value; });
  ExpectEachFieldInId<ScaleVector>([](const ScaleVector& value, Attributes* attr) { attr->scales[1] = value; });
}

TEST(IdBuilder, HasEachFieldOfPostOps) {
  ExpectEachFieldInId<PostOp>([](const PostOp& value, Attributes* attr) { attr->post_ops = {value}; });
}

TEST(IdBuilder, HasEachFieldOfNorms) {
  ExpectEachFieldInId<LayerNorm>([](const LayerNorm& value, Attributes* attr) { attr->rnn_layer_norm = value; });
}

TEST(IdBuilder, HasEachFieldOfGates) {
  ExpectEachFieldInId<GateFunctions>([](const GateFunctions& value, Attributes* attr) { attr->rnn_gates = value; });
  ExpectEachFieldInId<ActivationFunction>(
      [](const ActivationFunction& value, Attributes* attr) { attr->rnn_gates.output = value; });
}

TEST(IdBuilder, HasTheValuesOfContainers) {
  Attributes one, two;
  one.scale_masks[1] = one.zero_point_masks[1] = 1;
  two.scale_masks[1] = 1, two.zero_point_masks[1] = 2;
  EXPECT_NE(IdBuilder().Add(one).Build(), IdBuilder().Add(two).Build());
  two = one;
  one.zero_points[1] = {0, {2}}, two.zero_points[1] = {0, {3}};
  EXPECT_NE(IdBuilder().Add(one).Build(), IdBuilder().Add(two).Build());
}

}  // namespace
}  // namespace tandem
