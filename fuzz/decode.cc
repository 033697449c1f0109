#include "fuzz/decode.h"

#include <algorithm>

#include "api/core/memory/memory_desc.h"
#include "fuzz/outcome.h"

namespace tandem {
namespace fuzz {

using dnnl::memory;

namespace {

constexpr size_t kMaxBytes = size_t{1} << 20;

constexpr memory::data_type kTypes[] = {memory::data_type::f32,  memory::data_type::bf16, memory::data_type::f16,
                                        memory::data_type::s32,  memory::data_type::s8,   memory::data_type::u8,
                                        memory::data_type::undef};

std::vector<int> DecodeAxes(ByteSource* bytes, int rank) {
  std::vector<int> axes(std::max(rank, 0));
  for (int i = 0; i < rank; ++i) axes[i] = bytes->OneIn(16) ? bytes->Byte() - 128 : bytes->Below(rank);
  return axes;
}

// The sum wraps around: an empty tensor may have the largest dim there is.
memory::dim Sum(memory::dim a, memory::dim b) {
  return static_cast<memory::dim>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// Returns dense strides in a random order of the dims. Their product wraps around, too.
memory::dims DecodeStrides(ByteSource* bytes, const memory::dims& dims) {
  memory::dims strides(dims.size());
  memory::dim next = 1;
  for (DimsLeft left(dims.size()); !left.empty();) {
    const size_t dim = left.Take(bytes);
    strides[dim] = next;
    const uint64_t size = static_cast<uint64_t>(next) * static_cast<uint64_t>(dims[dim]);
    next = Sum(static_cast<memory::dim>(size), bytes->Below(3));
  }
  return strides;
}

memory::desc DecodeNew(ByteSource* bytes) {
  const memory::dims dims = DecodeDims(bytes, bytes->OneIn(8) ? bytes->Below(16) : bytes->Below(6));
  const memory::data_type type = DecodeType(bytes);
  switch (bytes->Below(3)) {
    case 0: {
      const memory::dims strides =
          bytes->OneIn(4) ? DecodeDims(bytes, static_cast<int>(dims.size())) : DecodeStrides(bytes, dims);
      return memory::desc(dims, type, strides);
    }
    case 1:
      return memory::desc(dims, type, static_cast<memory::format_tag>(bytes->Byte()));
    default:
      return memory::desc(dims, type, memory::dims());
  }
}

std::vector<float> DecodeScales(ByteSource* bytes) {
  std::vector<float> scales(bytes->OneIn(4) ? bytes->Below(40) : 1);
  for (float& scale : scales) scale = bytes->Float();
  return scales;
}

int DecodeMask(ByteSource* bytes) {
  constexpr int kMasks[] = {0, 24, 8, 1, 2, 3, -1, 1 << 12, std::numeric_limits<int>::min()};
  return bytes->OneOf(kMasks);
}

int DecodeArgument(ByteSource* bytes) {
  constexpr int kArguments[] = {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS, -1};
  return bytes->OneOf(kArguments);
}

void AppendPostOp(ByteSource* bytes, dnnl::post_ops* ops) {
  switch (bytes->Below(4)) {
    case 0:
      return ops->append_sum(bytes->Float());
    case 1:
      return ops->append_sum(bytes->Float(), bytes->Below(9) - 4, DecodeType(bytes));
    case 2:
      return ops->append_eltwise(dnnl::algorithm::eltwise_relu, bytes->Float(), bytes->Float());
    default:
      return ops->append_binary(dnnl::algorithm::binary_add, DecodeDesc(bytes));
  }
}

void SetOne(ByteSource* bytes, dnnl::primitive_attr* attr) {
  switch (bytes->Below(12)) {
    case 0:
      return attr->set_rnn_data_qparams(bytes->Float(), bytes->Float());
    case 1:
      return attr->set_rnn_weights_qparams(DecodeMask(bytes), DecodeScales(bytes));
    case 2:
      return attr->set_rnn_weights_projection_qparams(DecodeMask(bytes), DecodeScales(bytes));
    case 3:
      return attr->set_scratchpad_mode(static_cast<dnnl::scratchpad_mode>(bytes->Below(4)));
    case 4:
      return attr->set_fpmath_mode(static_cast<dnnl::fpmath_mode>(bytes->Below(8)));
    case 5:
      return attr->set_reading(static_cast<dnnl::reading>(bytes->Below(3)));
    case 6:
      return attr->set_scales_mask(DecodeArgument(bytes), DecodeMask(bytes));
    case 7:
      return attr->set_zero_points_mask(DecodeArgument(bytes), DecodeMask(bytes));
    case 8:
      return attr->set_scales(DecodeArgument(bytes), DecodeMask(bytes), DecodeScales(bytes));
    case 9:
      return attr->set_output_scales(DecodeMask(bytes), DecodeScales(bytes));
    case 10: {
      const std::vector<int32_t> zero_points(bytes->Below(8), bytes->Byte() - 128);
      return attr->set_zero_points(DecodeArgument(bytes), DecodeMask(bytes), zero_points);
    }
    default: {
      dnnl::post_ops ops;
      for (int n = bytes->Below(3); n >= 0; --n) AppendPostOp(bytes, &ops);
      return attr->set_post_ops(ops);
    }
  }
}

}  // namespace

memory::dims DecodeDims(ByteSource* bytes, int rank) {
  memory::dims dims(rank);
  for (memory::dim& dim : dims) dim = bytes->Number();
  return dims;
}

memory::data_type DecodeType(ByteSource* bytes) { return bytes->OneOf(kTypes); }

memory::desc DecodeDesc(ByteSource* bytes) {
  memory::desc md;
  Outcome([&] { md = DecodeNew(bytes); });
  for (int n = bytes->Below(4); n > 0; --n) {
    Outcome([&] {
      const int rank = md.get_ndims();
      switch (bytes->Below(4)) {
        case 0:
          md = md.submemory_desc(DecodeDims(bytes, rank), DecodeDims(bytes, rank));
          return;
        case 1:
          md = md.reshape(DecodeDims(bytes, bytes->Below(14)));
          return;
        case 2:
          md = md.permute_axes(DecodeAxes(bytes, rank));
          return;
        default:
          md = memory::desc(md.get_blob());
          return;
      }
    });
  }
  return md;
}

memory::desc DecodeLayout(ByteSource* bytes, const memory::desc& md) {
  memory::desc result = md;
  Outcome([&] {
    const memory::dims dims = md.get_dims();
    switch (bytes->Below(3)) {
      case 0:
        result = memory::desc(dims, md.get_data_type(), DecodeStrides(bytes, dims));
        return;
      case 1:
        result = memory::desc(dims, md.get_data_type(), memory::format_tag::any);
        return;
      default: {
        memory::dims parent = dims, offsets(dims.size());
        for (size_t i = 0; i < dims.size(); ++i) {
          offsets[i] = bytes->Below(3);
          parent[i] = Sum(parent[i], offsets[i] + bytes->Below(2));
        }
        result = memory::desc(parent, md.get_data_type(), memory::dims()).submemory_desc(dims, offsets);
        return;
      }
    }
  });
  return result;
}

void Damage(ByteSource* bytes, memory::desc* md) {
  dnnl_memory_desc& data = md->data;
  const int dim = bytes->Below(DNNL_MAX_NDIMS);
  constexpr dnnl_format_kind_t kKinds[] = {dnnl_blocked, dnnl_format_kind_undef, dnnl_format_kind_any,
                                           dnnl_format_kind_opaque};
  switch (bytes->Below(10)) {
    case 0:
      data.ndims = bytes->Byte() - 64;
      return;
    case 1:
      data.dims[dim] = bytes->Number();
      return;
    case 2:
      data.padded_dims[dim] = bytes->Number();
      return;
    case 3:
      data.padded_offsets[dim] = bytes->Number();
      return;
    case 4:
      data.offset0 = bytes->Number();
      return;
    case 5:
      data.data_type = dnnl::convert_to_c(DecodeType(bytes));
      return;
    case 6:
      data.format_kind = bytes->OneOf(kKinds);
      return;
    case 7:
      data.format_desc.blocking.inner_nblks = bytes->Byte() - 64;
      return;
    case 8:
      data.format_desc.packed.params[dim % 8] = bytes->Number();
      return;
    default:
      data.format_desc.blocking.strides[dim] = bytes->Number();
      return;
  }
}

dnnl::primitive_attr DecodeAttributes(ByteSource* bytes) {
  dnnl::primitive_attr attr;
  for (int n = bytes->Below(4); n > 0; --n) Outcome([&] { SetOne(bytes, &attr); });
  return attr;
}

std::vector<uint8_t> MakeBuffer(ByteSource* bytes, const memory::desc& md) {
  const size_t size = ExtentInBytes(md.data);
  if (size > kMaxBytes) return {};
  std::vector<uint8_t> buffer(size);
  const float value = bytes->Float();
  uint8_t pattern[4];
  std::memcpy(pattern, &value, sizeof value);
  // The upper half of an f32 is a bf16, and also some f16.
  const size_t first = md.get_data_type() == memory::data_type::f32 ? 0 : 2;
  for (size_t i = 0; i < size; ++i) buffer[i] = pattern[first + i % (4 - first)];
  return buffer;
}

}  // namespace fuzz
}  // namespace tandem
