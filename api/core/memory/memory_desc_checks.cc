#include "api/core/memory/memory_desc_checks.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "api/core/error.h"
#include "api/core/names.h"

namespace tandem {
namespace {

constexpr Dim kRuntime = DNNL_RUNTIME_DIM_VAL;

std::string At(const char* what, int i, Dim value) {
  return std::string(what) + " " + std::to_string(i) + " is " + std::to_string(value);
}

// The dims whose strides matter, by ascending stride: no broadcasts, no dims of 1, nothing unknown.
std::vector<int> DimsByStride(const MemoryDesc& md) {
  std::vector<int> order;
  for (int i = 0; i < md.ndims; ++i) {
    const Dim stride = Strides(md)[i];
    if (md.dims[i] != 1 && md.dims[i] != kRuntime && stride != 0 && stride != kRuntime) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&md](int a, int b) { return Strides(md)[a] < Strides(md)[b]; });
  return order;
}

void CheckExtent(const MemoryDesc& md, const std::string& name) {
  if (HasRuntimeValues(md)) return;
  Dim elements = 1;
  for (int i = 0; i < md.ndims; ++i) {
    if (md.dims[i] > 1) elements = std::max(elements, CheckedProduct(md.dims[i], Strides(md)[i], name));
  }
  Dim end;
  if (__builtin_add_overflow(md.offset0, elements, &end)) {
    ThrowInvalid(name + ": offset " + std::to_string(md.offset0) + " plus " + std::to_string(elements) +
                 " elements is more than an int64 counts");
  }
  CheckedProduct(end, static_cast<Dim>(SizeOf(TypeOf(md))), name);
}

}  // namespace

Dim CheckedProduct(Dim a, Dim b, const std::string& name) {
  Dim product;
  if (__builtin_mul_overflow(a, b, &product)) {
    ThrowInvalid(name + ": " + std::to_string(a) + " * " + std::to_string(b) + " is more than an int64 counts");
  }
  if (product > kMostBytes) {
    ThrowInvalid(name + ": " + std::to_string(a) + " * " + std::to_string(b) + " is more than a " +
                 std::to_string(8 * sizeof(void*)) + "-bit processor addresses");
  }
  return product;
}

void CheckDimsAndType(const MemoryDesc& md, const std::string& name) {
  if (md.ndims < 0 || md.ndims > DNNL_MAX_NDIMS) {
    ThrowInvalid(name + ": has " + std::to_string(md.ndims) + " dims, but 0 to " + std::to_string(DNNL_MAX_NDIMS) +
                 " are possible");
  }
  if (md.ndims == 0) return;
  if (SizeOf(TypeOf(md)) == 0) {
    ThrowInvalid(name + ": data type " + NameOrNumber(tandem_data_type2str(md.data_type), md.data_type) +
                 " is none of f16, bf16, f32, s32, s8, u8");
  }
  Dim bytes = static_cast<Dim>(SizeOf(TypeOf(md)));
  for (int i = 0; i < md.ndims; ++i) {
    const Dim dim = md.dims[i];
    if (dim < 0 && dim != kRuntime) ThrowInvalid(name + ": " + At("dim", i, dim) + ", but must not be negative");
    if (dim > 0) bytes = CheckedProduct(bytes, dim, name);
  }
}

void CheckStrides(const MemoryDesc& md, const std::string& name) {
  for (int i = 0; i < md.ndims; ++i) {
    const Dim stride = Strides(md)[i];
    if (stride < 0 && stride != kRuntime) {
      ThrowInvalid(name + ": " + At("stride", i, stride) + ", but must not be negative");
    }
  }
  if (md.offset0 < 0 && md.offset0 != kRuntime) {
    ThrowInvalid(name + ": offset0 is " + std::to_string(md.offset0) + ", but must not be negative");
  }
  CheckExtent(md, name);
  if (NumElements(md) == 0) return;
  const std::vector<int> order = DimsByStride(md);
  for (size_t i = 1; i < order.size(); ++i) {
    const int inner = order[i - 1], outer = order[i];
    const Dim needed = CheckedProduct(Strides(md)[inner], md.dims[inner], name);  // unchecked beside runtime values
    if (Strides(md)[outer] < needed) {
      ThrowInvalid(name + ": " + At("stride", outer, Strides(md)[outer]) + ", but the " +
                   std::to_string(md.dims[inner]) + " elements of dim " + std::to_string(inner) + " with stride " +
                   std::to_string(Strides(md)[inner]) + " need at least " + std::to_string(needed));
    }
  }
}

void CheckWellFormed(const MemoryDesc& md, const std::string& name) {
  CheckDimsAndType(md, name);
  if (IsZero(md)) return;
  switch (static_cast<int>(md.format_kind)) {  // a client may pass any number
    case dnnl_format_kind_any:
      return;
    case dnnl_format_kind_opaque:
      if (md.format_desc.packed.size < 0) {
        ThrowInvalid(name + ": packed size is " + std::to_string(md.format_desc.packed.size) +
                     ", but must not be negative");
      }
      return;
    case dnnl_blocked:
      break;
    default:
      ThrowInvalid(name + ": format kind " + NameOrNumber(tandem_format_kind2str(md.format_kind), md.format_kind) +
                   " is none of any, blocked, opaque");
  }
  if (md.format_desc.blocking.inner_nblks != 0) {
    ThrowUnimplemented(name + ": has " + std::to_string(md.format_desc.blocking.inner_nblks) +
                       " inner blocks, but only plain layouts (0) are served");
  }
  for (int i = 0; i < md.ndims; ++i) {
    if (md.padded_dims[i] != md.dims[i] || md.padded_offsets[i] != 0) {
      ThrowUnimplemented(name + ": " + At("padded dim", i, md.padded_dims[i]) + " (offset " +
                         std::to_string(md.padded_offsets[i]) + "), but the dim is " + std::to_string(md.dims[i]) +
                         " and plain layouts have no padding");
    }
  }
  CheckStrides(md, name);
}

}  // namespace tandem
