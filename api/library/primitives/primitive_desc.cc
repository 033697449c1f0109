#include "api/library/primitives/primitive_desc.h"

#include "api/core/error.h"
#include "api/core/names.h"

namespace tandem {
namespace {

// `bytes` bytes as clients see them: one-dimensional u8; a zero descriptor for none.
MemoryDesc BytesDesc(size_t bytes) {
  return bytes == 0 ? MemoryDesc() : MakeDense({static_cast<Dim>(bytes)}, DataType::kU8);
}

std::atomic<uint64_t> last_serial{0};

}  // namespace

PrimitiveDesc::PrimitiveDesc(dnnl_primitive_kind_t kind, Ref<tandem_primitive_attr> attr)
    : kind_(kind), attr_(std::move(attr)), serial_(++last_serial) {}

void PrimitiveDesc::AddBuffers(size_t workspace_bytes, ArgumentRole workspace_role, size_t scratchpad_bytes) {
  workspace_ = BytesDesc(workspace_bytes);
  scratchpad_ = BytesDesc(user_scratchpad() ? scratchpad_bytes : 0);
  scratchpad_bytes_ = scratchpad_bytes;
  if (workspace_bytes > 0) {
    arguments_.Add({DNNL_ARG_WORKSPACE, "workspace", workspace_, workspace_role, ArgumentUse::kBytes});
  }
  if (scratchpad_bytes > 0 && user_scratchpad()) {
    arguments_.Add({DNNL_ARG_SCRATCHPAD, "scratchpad", scratchpad_, ArgumentRole::kOutput, ArgumentUse::kBytes});
  }
}

const MemoryDesc& PrimitiveDesc::QueryMd(dnnl_query_t what, int index) const {
  switch (static_cast<int>(what)) {
    case dnnl_query_workspace_md:
      return workspace_;
    case dnnl_query_scratchpad_md:
      return scratchpad_;
    case dnnl_query_exec_arg_md: {
      const Argument* argument = arguments_.Find(index);
      return argument == nullptr ? NoTensor() : argument->md;
    }
    case dnnl_query_src_md:
    case dnnl_query_diff_src_md:
    case dnnl_query_weights_md:
    case dnnl_query_diff_weights_md:
    case dnnl_query_dst_md:
    case dnnl_query_diff_dst_md:
      return TensorOf(what, index);
    default:
      ThrowInvalid("query_md: query " + QueryName(what) + " does not ask for a memory descriptor");
  }
}

int64_t PrimitiveDesc::QueryInt(dnnl_query_t what) const {
  switch (static_cast<int>(what)) {
    case dnnl_query_primitive_kind:
      return kind_;
    case dnnl_query_num_of_inputs_s32:
      return arguments_.Count(ArgumentRole::kInput);
    case dnnl_query_num_of_outputs_s32: {
      const bool has_scratchpad = arguments_.Find(DNNL_ARG_SCRATCHPAD) != nullptr;
      return arguments_.Count(ArgumentRole::kOutput) - (has_scratchpad ? 1 : 0);
    }
    case dnnl_query_memory_consumption_s64:
      return static_cast<int64_t>(library_scratchpad_bytes());
    case dnnl_query_cache_blob_id_size_s64:
      return static_cast<int64_t>(id_.size());
    default:
      ThrowUnimplemented("query " + QueryName(what) + ": is not known to this primitive");
  }
}

const dnnl_rnn_desc_t& PrimitiveDesc::QueryOpDesc() const {
  ThrowUnimplemented("query for the operation descriptor: only an RNN has one");
}

float PrimitiveDesc::QueryFloat(dnnl_query_t what) const {
  ThrowUnimplemented("query " + QueryName(what) + ": is not known to this primitive");
}

const MemoryDesc& NoTensor() {
  static const MemoryDesc kNone = {};
  return kNone;
}

const PrimitiveDesc& ContentOf(const_dnnl_primitive_desc_t handle) {
  return *NotNull(handle, "primitive descriptor").content;
}

void Give(Ref<const PrimitiveDesc> content, Ref<tandem_engine> engine, dnnl_primitive_desc_t* handle) {
  Give(MakeRef<tandem_primitive_desc>(std::move(content), std::move(engine)), handle);
}

}  // namespace tandem
