#include "api/core/memory/memory_desc_ops.h"

#include <string>

#include "api/core/error.h"
#include "api/core/memory/memory_desc_checks.h"

namespace tandem {
namespace {

std::string Numbered(const char* what, size_t i, Dim value) {
  return std::string(what) + " " + std::to_string(i) + " is " + std::to_string(value);
}

void CheckRankOf(const char* name, size_t rank, const char* what, const MemoryDesc& md) {
  if (rank != static_cast<size_t>(md.ndims)) {
    ThrowInvalid(std::string(name) + ": " + std::to_string(rank) + " " + what + ", but the descriptor has " +
                 std::to_string(md.ndims) + " dims");
  }
}

void CheckPlainOrAny(const char* name, const MemoryDesc& md) {
  CheckWellFormed(md, name);
  if (IsOpaque(md)) {
    ThrowInvalid(std::string(name) + ": the descriptor's layout is opaque, but must be plain");
  }
  if (HasRuntimeValues(md)) {
    ThrowInvalid(std::string(name) + ": the descriptor's dims " + DimsToString(md) +
                 " or strides have a runtime value, but must be known");
  }
}

void SetDims(MemoryDesc* md, const Dims& dims) {
  md->ndims = static_cast<int>(dims.size());
  for (int i = 0; i < DNNL_MAX_NDIMS; ++i) {
    md->dims[i] = md->padded_dims[i] = i < md->ndims ? dims[i] : 0;
    md->padded_offsets[i] = 0;
  }
}

void CheckSubMemory(const MemoryDesc& parent, const Dims& dims, const Dims& offsets) {
  CheckWellFormed(parent, "submemory_desc");
  CheckRankOf("submemory_desc", dims.size(), "dims", parent);
  CheckRankOf("submemory_desc", offsets.size(), "offsets", parent);
  if (IsAny(parent)) ThrowInvalid("submemory_desc: the parent's layout is `any`, but must be plain");
  if (IsOpaque(parent) || HasRuntimeValues(parent)) {
    ThrowUnimplemented("submemory_desc: the parent " + DimsToString(parent) +
                       " is opaque or has runtime values, but must be plain and known");
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0) ThrowInvalid("submemory_desc: " + Numbered("dim", i, dims[i]) + ", but must not be negative");
    if (offsets[i] < 0) {
      ThrowInvalid("submemory_desc: " + Numbered("offset", i, offsets[i]) + ", but must not be negative");
    }
    // Both are at most the parent's dim where this passes, so the subtraction cannot overflow.
    if (dims[i] > parent.dims[i] || offsets[i] > parent.dims[i] - dims[i]) {
      ThrowInvalid("submemory_desc: dim " + std::to_string(i) + " goes from " + std::to_string(offsets[i]) + " for " +
                   std::to_string(dims[i]) + ", but the parent has " + std::to_string(parent.dims[i]));
    }
  }
}

// One step of Reshape: the smallest runs of dims from `in` of md and `out` of dims whose products agree.
struct Group {
  int in_begin, in_end;
  int out_begin, out_end;
};

// Zero elements have no place to keep, so only a positive volume has groups.
std::vector<Group> GroupsOf(const MemoryDesc& md, const Dims& dims) {
  std::vector<Group> groups;
  int in = 0, out = 0;
  const int num_out = static_cast<int>(dims.size());
  while (in < md.ndims || out < num_out) {
    Group group = {in, in, out, out};
    Dim in_product = in < md.ndims ? md.dims[in++] : 1;
    Dim out_product = out < num_out ? dims[out++] : 1;
    while (in_product != out_product) {
      if (in_product < out_product) {
        in_product *= md.dims[in++];
      } else {
        out_product *= dims[out++];
      }
    }
    group.in_end = in, group.out_end = out;
    groups.push_back(group);
  }
  return groups;
}

// Stride of the group's innermost element step; throws unless the input dims of the group are adjacent in memory.
Dim InnermostStride(const MemoryDesc& md, const Group& group, const Dims& dims) {
  Dim stride = 1, next = 0;
  bool first = true;
  for (int i = group.in_end - 1; i >= group.in_begin; --i) {
    if (md.dims[i] == 1) continue;
    if (first) {
      stride = Strides(md)[i];
    } else if (Strides(md)[i] != next) {
      ThrowInvalid("reshape: from " + DimsToString(md) + " to " + DimsToString(dims) + " merges dim " +
                   std::to_string(i) + " of stride " + std::to_string(Strides(md)[i]) +
                   ", but its neighbour needs stride " + std::to_string(next));
    }
    next = Strides(md)[i] * md.dims[i];
    first = false;
  }
  return stride;
}

void CheckVolume(const MemoryDesc& md, const Dims& dims) {
  Dim volume = dims.empty() ? 0 : 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0) ThrowInvalid("reshape: " + Numbered("dim", i, dims[i]) + ", but must not be negative");
    volume = CheckedProduct(volume, dims[i], "reshape");
  }
  if (volume != NumElements(md)) {
    ThrowInvalid("reshape: " + DimsToString(dims) + " has " + std::to_string(volume) + " elements, but " +
                 DimsToString(md) + " has " + std::to_string(NumElements(md)));
  }
}

}  // namespace

MemoryDesc SubMemory(const MemoryDesc& parent, const Dims& dims, const Dims& offsets) {
  CheckSubMemory(parent, dims, offsets);
  MemoryDesc md = parent;
  SetDims(&md, dims);
  for (int i = 0; i < md.ndims; ++i) md.offset0 += offsets[i] * Strides(parent)[i];
  return md;
}

MemoryDesc Reshape(const MemoryDesc& md, const Dims& dims) {
  CheckPlainOrAny("reshape", md);
  if (dims.size() > DNNL_MAX_NDIMS) {
    ThrowInvalid("reshape: " + std::to_string(dims.size()) + " dims, but at most " + std::to_string(DNNL_MAX_NDIMS) +
                 " are possible");
  }
  if (dims.empty() != IsZero(md)) {
    ThrowInvalid("reshape: from " + DimsToString(md) + " to " + DimsToString(dims) +
                 ", but only a zero descriptor has no dims");
  }
  CheckVolume(md, dims);
  if (IsZero(md)) return md;
  if (IsAny(md)) return MakeAny(dims, TypeOf(md));
  MemoryDesc result = md;
  if (NumElements(md) == 0) {
    result = MakeDense(dims, TypeOf(md));
    result.offset0 = md.offset0;
    return result;
  }
  SetDims(&result, dims);
  for (const Group& group : GroupsOf(md, dims)) {
    Dim stride = InnermostStride(md, group, dims);
    for (int i = group.out_end - 1; i >= group.out_begin; --i) {
      result.format_desc.blocking.strides[i] = stride;
      stride *= dims[i];
    }
  }
  return result;
}

MemoryDesc PermuteAxes(const MemoryDesc& md, const std::vector<int>& permutation) {
  CheckPlainOrAny("permute_axes", md);
  CheckRankOf("permute_axes", permutation.size(), "axes", md);
  std::array<bool, DNNL_MAX_NDIMS> seen{};
  MemoryDesc result = md;
  for (int i = 0; i < md.ndims; ++i) {
    const int to = permutation[i];
    if (to < 0 || to >= md.ndims || seen[to]) {
      ThrowInvalid("permute_axes: axis " + std::to_string(i) + " goes to " + std::to_string(to) +
                   ", but each of 0 to " + std::to_string(md.ndims - 1) + " must be taken once");
    }
    seen[to] = true;
    result.dims[to] = result.padded_dims[to] = md.dims[i];
    if (IsPlain(md)) result.format_desc.blocking.strides[to] = Strides(md)[i];
  }
  return result;
}

}  // namespace tandem
