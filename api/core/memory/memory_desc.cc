#include "api/core/memory/memory_desc.h"

#include <algorithm>
#include <cstring>

#include "api/core/error.h"
#include "api/core/memory/memory_desc_checks.h"

namespace tandem {
namespace {

MemoryDesc WithDims(const Dims& dims, DataType type, dnnl_format_kind_t kind) {
  if (dims.size() > DNNL_MAX_NDIMS) {
    ThrowInvalid("memory descriptor: " + std::to_string(dims.size()) + " dims, but at most " +
                 std::to_string(DNNL_MAX_NDIMS) + " are possible");
  }
  MemoryDesc md = {};
  if (dims.empty()) return md;
  md.ndims = static_cast<int>(dims.size());
  md.data_type = static_cast<dnnl_data_type_t>(type);
  md.format_kind = kind;
  std::copy(dims.begin(), dims.end(), md.dims);
  std::copy(dims.begin(), dims.end(), md.padded_dims);
  CheckDimsAndType(md, "memory descriptor");
  return md;
}

// Dense strides with dim order[0] outermost. Dims of 0 count as 1, so that no stride becomes 0 (a broadcast).
void FillDenseStrides(MemoryDesc* md, const int* order) {
  Dim stride = 1;
  for (int i = md->ndims - 1; i >= 0; --i) {
    const Dim dim = md->dims[order[i]];
    md->format_desc.blocking.strides[order[i]] = stride;
    if (stride == DNNL_RUNTIME_DIM_VAL) continue;
    if (dim == DNNL_RUNTIME_DIM_VAL) {
      stride = dim;
    } else {
      stride = CheckedProduct(stride, std::max<Dim>(dim, 1), "memory descriptor");
    }
  }
}

}  // namespace

MemoryDesc MakeDense(const Dims& dims, DataType type) {
  return MakePermuted(dims, type, std::string("abcdefghijklm").substr(0, dims.size()).c_str());
}

MemoryDesc MakeStrided(const Dims& dims, DataType type, const Dims& strides) {
  if (strides.empty()) return MakeDense(dims, type);
  MemoryDesc md = WithDims(dims, type, dnnl_blocked);
  if (strides.size() != dims.size()) {
    ThrowInvalid("memory descriptor: " + std::to_string(strides.size()) + " strides for " +
                 std::to_string(dims.size()) + " dims");
  }
  std::copy(strides.begin(), strides.end(), md.format_desc.blocking.strides);
  CheckStrides(md, "memory descriptor");
  return md;
}

MemoryDesc MakePermuted(const Dims& dims, DataType type, const char* permutation) {
  MemoryDesc md = WithDims(dims, type, dnnl_blocked);
  if (std::strlen(permutation) != dims.size()) {
    ThrowInvalid("memory descriptor: format tag " + std::string(permutation) + " has " +
                 std::to_string(std::strlen(permutation)) + " dims, but the tensor has " + std::to_string(dims.size()));
  }
  std::array<int, DNNL_MAX_NDIMS> order{};
  for (int i = 0; i < md.ndims; ++i) order[i] = permutation[i] - 'a';
  FillDenseStrides(&md, order.data());
  if (!IsZero(md)) CheckStrides(md, "memory descriptor");
  return md;
}

MemoryDesc MakeAny(const Dims& dims, DataType type) {
  const MemoryDesc md = WithDims(dims, type, dnnl_format_kind_any);
  if (HasRuntimeValues(md)) {
    ThrowInvalid("memory descriptor: dims " + DimsToString(md) + " with a runtime value cannot have the layout `any`");
  }
  return md;
}

namespace {

// Counts that can be looped over. Clients may write others into the public struct.
bool HasSaneCounts(const MemoryDesc& md) {
  if (md.ndims < 0 || md.ndims > DNNL_MAX_NDIMS) return false;
  const int inner_nblks = md.format_kind == dnnl_blocked ? md.format_desc.blocking.inner_nblks : 0;
  return inner_nblks >= 0 && inner_nblks <= DNNL_MAX_NDIMS;
}

// Wraps around if it overflows, as it may in a descriptor that was not checked yet.
Dim Times(Dim a, Dim b) { return static_cast<Dim>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }
Dim Plus(Dim a, Dim b) { return static_cast<Dim>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

}  // namespace

size_t SizeInBytes(const MemoryDesc& md) {
  if (IsZero(md) || NumElements(md) == 0) return 0;
  if (IsOpaque(md)) return static_cast<size_t>(md.format_desc.packed.size);
  if (!IsPlain(md)) return 0;
  if (HasRuntimeValues(md)) return static_cast<size_t>(DNNL_RUNTIME_DIM_VAL);
  Dim elements = 1;
  for (int i = 0; i < md.ndims; ++i) {
    if (md.dims[i] > 1) elements = std::max(elements, Times(md.dims[i], Strides(md)[i]));
  }
  return static_cast<size_t>(elements) * SizeOf(TypeOf(md));
}

size_t ExtentInBytes(const MemoryDesc& md) {
  if (IsZero(md) || NumElements(md) == 0) return 0;
  if (!IsPlain(md) || HasRuntimeValues(md)) return SizeInBytes(md);
  Dim last = md.offset0;
  for (int i = 0; i < md.ndims; ++i) last = Plus(last, Times(md.dims[i] - 1, Strides(md)[i]));
  return static_cast<size_t>(Plus(last, 1)) * SizeOf(TypeOf(md));
}

Dim NumElements(const MemoryDesc& md) {
  if (IsZero(md) || !HasSaneCounts(md)) return 0;
  Dim product = 1;
  for (int i = 0; i < md.ndims; ++i) {
    if (md.dims[i] != DNNL_RUNTIME_DIM_VAL) product = Times(product, md.dims[i]);
  }
  return product;
}

bool IsDense(const MemoryDesc& md) {
  if (!IsPlain(md)) return false;
  Dim expected = 1;
  for (int i = md.ndims - 1; i >= 0; --i) {
    if (md.dims[i] != 1 && Strides(md)[i] != expected) return false;
    expected *= md.dims[i];
  }
  return true;
}

bool HasBroadcast(const MemoryDesc& md) {
  if (!IsPlain(md)) return false;
  for (int i = 0; i < md.ndims; ++i) {
    if (md.dims[i] > 1 && Strides(md)[i] == 0) return true;
  }
  return false;
}

bool HasRuntimeValues(const MemoryDesc& md) {
  if (IsZero(md) || !HasSaneCounts(md)) return false;
  if (md.offset0 == DNNL_RUNTIME_DIM_VAL) return true;
  for (int i = 0; i < md.ndims; ++i) {
    if (md.dims[i] == DNNL_RUNTIME_DIM_VAL) return true;
    if (IsPlain(md) && Strides(md)[i] == DNNL_RUNTIME_DIM_VAL) return true;
  }
  return false;
}

namespace {

bool EqualPacked(const dnnl_packed_desc_t& a, const dnnl_packed_desc_t& b) {
  return a.layout == b.layout && a.version == b.version && a.size == b.size &&
         std::equal(std::begin(a.params), std::end(a.params), b.params);
}

bool EqualBlocking(const MemoryDesc& a, const MemoryDesc& b) {
  const dnnl_blocking_desc_t& x = a.format_desc.blocking;
  const dnnl_blocking_desc_t& y = b.format_desc.blocking;
  for (int i = 0; i < a.ndims; ++i) {
    if (a.dims[i] != 1 && x.strides[i] != y.strides[i]) return false;
  }
  return x.inner_nblks == y.inner_nblks && std::equal(x.inner_blks, x.inner_blks + x.inner_nblks, y.inner_blks) &&
         std::equal(x.inner_idxs, x.inner_idxs + x.inner_nblks, y.inner_idxs);
}

}  // namespace

bool Equal(const MemoryDesc& a, const MemoryDesc& b) {
  if (IsZero(a) || IsZero(b)) return IsZero(a) && IsZero(b);
  if (!HasSaneCounts(a) || !HasSaneCounts(b)) return std::memcmp(&a, &b, sizeof a) == 0;
  if (a.ndims != b.ndims || a.data_type != b.data_type || a.format_kind != b.format_kind || a.offset0 != b.offset0 ||
      a.extra.flags != b.extra.flags) {
    return false;
  }
  if (!std::equal(a.dims, a.dims + a.ndims, b.dims) ||
      !std::equal(a.padded_dims, a.padded_dims + a.ndims, b.padded_dims) ||
      !std::equal(a.padded_offsets, a.padded_offsets + a.ndims, b.padded_offsets)) {
    return false;
  }
  if (a.format_kind == dnnl_blocked) return EqualBlocking(a, b);
  return a.format_kind != dnnl_format_kind_opaque || EqualPacked(a.format_desc.packed, b.format_desc.packed);
}

std::string DimsToString(const Dims& dims) {
  std::string text = "{";
  for (size_t i = 0; i < dims.size(); ++i) {
    text += (i == 0 ? "" : ", ") + (dims[i] == DNNL_RUNTIME_DIM_VAL ? std::string("runtime") : std::to_string(dims[i]));
  }
  return text + "}";
}

std::string DimsToString(const MemoryDesc& md) { return DimsToString(Dims(md.dims, md.dims + md.ndims)); }

}  // namespace tandem
