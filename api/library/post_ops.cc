#include <string>

#include "api/library/attr.h"
#include "api/library/engine.h"
#include "api/library/guard.h"

using namespace tandem;

namespace tandem {
namespace {

// oneDNN takes as many.
constexpr size_t kMaxPostOps = 32;

const tandem_post_op_t& At(const tandem_post_ops& ops, int index, dnnl_primitive_kind_t kind) {
  const int count = static_cast<int>(ops.entries.size());
  if (index < 0 || index >= count) {
    ThrowInvalid("post_ops: index is " + std::to_string(index) + ", but there are " + std::to_string(count) +
                 " entries");
  }
  const tandem_post_op_t& entry = ops.entries[index];
  if (entry.kind != kind) {
    ThrowInvalid("post_ops: entry " + std::to_string(index) + " is " + tandem_primitive_kind2str(entry.kind) +
                 ", but was asked for as " + tandem_primitive_kind2str(kind));
  }
  return entry;
}

Ref<tandem_post_ops> CopyOf(const tandem_post_ops* ops) {
  auto copy = MakeRef<tandem_post_ops>();
  if (ops != nullptr) copy->entries = ops->entries;
  return copy;
}

// Returns the part of an entry that the core needs. Depthwise convolutions only exist to be refused, so their parameters are not
// in it.
PostOp ToCore(const tandem_post_op_t& entry) {
  PostOp op;
  op.kind = entry.kind;
  op.scale = entry.scale;
  op.zero_point = entry.zero_point;
  op.type = static_cast<DataType>(entry.type);
  op.algorithm = entry.algorithm;
  op.alpha = entry.alpha;
  op.beta = entry.beta;
  op.mask = entry.mask;
  op.src1 = entry.src1;
  return op;
}

}  // namespace
}  // namespace tandem

dnnl_status_t tandem_post_ops_create(dnnl_post_ops_t* ops) {
  return Guard([&] { Give(MakeRef<tandem_post_ops>(), ops); });
}

int tandem_post_ops_len(const_dnnl_post_ops_t ops) {
  return ops == nullptr ? 0 : static_cast<int>(ops->entries.size());
}

dnnl_primitive_kind_t tandem_post_ops_get_kind(const_dnnl_post_ops_t ops, int index) {
  if (index < 0 || index >= tandem_post_ops_len(ops)) return dnnl_undefined_primitive;
  return ops->entries[index].kind;
}

dnnl_status_t tandem_post_ops_append(dnnl_post_ops_t ops, const tandem_post_op_t* op) {
  return Guard([&] {
    if (NotNull(ops, "post_ops").entries.size() == kMaxPostOps) {
      ThrowInvalid("post_ops: has " + std::to_string(kMaxPostOps) + " entries, the most there are");
    }
    ops->entries.push_back(*op);
  });
}

dnnl_status_t tandem_post_ops_get(const_dnnl_post_ops_t ops, int index, dnnl_primitive_kind_t kind,
                                  tandem_post_op_t* op) {
  return Guard([&] { *op = At(NotNull(ops, "post_ops"), index, kind); });
}

dnnl_status_t tandem_post_ops_view(const_dnnl_post_ops_t ops, int index, dnnl_primitive_kind_t kind,
                                   const tandem_post_op_t** op) {
  return Guard([&] { *op = &At(NotNull(ops, "post_ops"), index, kind); });
}

dnnl_status_t tandem_post_ops_clone(dnnl_post_ops_t* ops, const_dnnl_post_ops_t from) {
  return Guard([&] { Give(CopyOf(&NotNull(from, "post_ops")), ops); });
}

dnnl_status_t tandem_attr_set_post_ops(dnnl_primitive_attr_t attr, const_dnnl_post_ops_t ops) {
  return Guard([&] {
    std::vector<PostOp> list;
    for (const tandem_post_op_t& entry : NotNull(ops, "post_ops").entries) {
      list.push_back(ToCore(entry));
    }
    NotNull(attr, "attributes").value.post_ops = std::move(list);
    attr->post_ops = CopyOf(ops);
  });
}

dnnl_status_t tandem_attr_get_post_ops(const_dnnl_primitive_attr_t attr, dnnl_post_ops_t* ops) {
  return Guard([&] { Give(CopyOf(NotNull(attr, "attributes").post_ops.get()), ops); });
}

dnnl_status_t tandem_attr_view_post_ops(const_dnnl_primitive_attr_t attr, const_dnnl_post_ops_t* ops) {
  return Guard([&] {
    static const Ref<const tandem_post_ops> kNone = MakeRef<tandem_post_ops>();
    const Ref<const tandem_post_ops>& its = NotNull(attr, "attributes").post_ops;
    NotNull(ops, "attributes", "pointer for their post_ops") = its ? its.get() : kNone.get();
  });
}
