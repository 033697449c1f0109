// Reorders run directly on small tensors.
#ifndef TANDEM_REFERENCE_REORDER_REORDER_TESTING_H_
#define TANDEM_REFERENCE_REORDER_REORDER_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "api/core/attributes/element.h"
#include "api/core/memory/memory_desc_ops.h"
#include "api/core/memory/memory_desc_testing.h"
#include "api/core/reorder/reorder_problem.h"
#include "reference/reorder/reorder.h"

namespace tandem {
namespace reference {

constexpr DataType kF32 = DataType::kF32, kS8 = DataType::kS8, kU8 = DataType::kU8, kS32 = DataType::kS32;
constexpr DataType kTypes[] = {kF32, DataType::kBf16, DataType::kF16, kS32, kS8, kU8};

// A tensor with its own buffer, filled with 0xcd beyond the elements.
struct Tensor {
  explicit Tensor(const MemoryDesc& desc) : md(desc), bytes(ExtentInBytes(desc) + 16, 0xcd) {}
  template <class T>
  T* As() {
    return reinterpret_cast<T*>(bytes.data());
  }
  float Get(const Dims& index) {
    const Dim at = OffsetAt(md, index.data());
    return VisitElement(TypeOf(md), [&](auto element) {
      using Element = decltype(element);
      return Element::Load(As<typename Element::Stored>()[at]);
    });
  }
  MemoryDesc md;
  std::vector<unsigned char> bytes;
};

inline void Execute(const ReorderProblem& problem, ReorderBuffers buffers) {
  std::string why_not;
  const auto plan = CreateReorder(problem, &why_not);
  ASSERT_NE(plan, nullptr) << why_not;
  plan->Execute(buffers);
}

// Reorders `values`, given row-major, into a dense tensor of type `dst`, and returns that as f32.
inline std::vector<float> Convert(const Dims& dims, DataType src_type, std::vector<float> values, DataType dst_type,
                                  const Attributes& attr = {}, ReorderBuffers buffers = {}) {
  Tensor f32(MakeDense(dims, kF32)), src(MakeDense(dims, src_type)), dst(MakeDense(dims, dst_type));
  if (!values.empty()) std::memcpy(f32.bytes.data(), values.data(), values.size() * sizeof(float));
  ReorderBuffers load;
  load.src = f32.bytes.data(), load.dst = src.bytes.data();
  Execute({f32.md, src.md, {}}, load);
  std::fill(dst.bytes.begin(), dst.bytes.end(), 0);
  buffers.src = src.bytes.data(), buffers.dst = dst.bytes.data();
  Execute({src.md, dst.md, attr}, buffers);
  std::vector<float> result;
  ForEachIndex(dst.md, [&](const Dims& index) { result.push_back(dst.Get(index)); });
  return result;
}

using Floats = std::vector<float>;

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_REORDER_REORDER_TESTING_H_
