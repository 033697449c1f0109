// Primitive descriptors, and what primitive descriptor handles point to.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_PRIMITIVE_DESC_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_PRIMITIVE_DESC_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "api/library/attr.h"
#include "api/library/engine.h"
#include "api/library/primitives/argument_list.h"
#include "api/library/primitives/implementation_list.h"

namespace tandem {

// Immutable, so that handles, primitives, hints and the cache share it. Knows no engine: those are the handles'.
class PrimitiveDesc : public tandem_object {
 public:
  // Nothing where the primitive has no such tensor; throws invalid_arguments if `what` does not ask for a descriptor.
  // The result lives as long as this object.
  const MemoryDesc& QueryMd(dnnl_query_t what, int index) const;
  // Throw unimplemented for what the primitive does not know.
  virtual int64_t QueryInt(dnnl_query_t what) const;
  virtual float QueryFloat(dnnl_query_t what) const;
  // The operation descriptor of generation 2, in which layouts that the client left open still are; lives as long as
  // this object.
  virtual const dnnl_rnn_desc_t& QueryOpDesc() const;

  // The same problem served by the next implementation; none if this is the last.
  virtual Ref<const PrimitiveDesc> Next() const = 0;

  // `pointers` in the order of arguments(); `scratchpad` is the primitive's own in library mode.
  virtual void Execute(void* const* pointers, void* scratchpad) const = 0;

  // The descriptor that serves `args` where dims were left to the execution; none where this one does. Throws
  // invalid_arguments if the dims of `args` contradict what was known at creation, and as creation does.
  virtual Ref<const PrimitiveDesc> AtExecution(int nargs, const dnnl_exec_arg_t* args) const {
    static_cast<void>(nargs), static_cast<void>(args);
    return {};
  }

  // The fields of a verbose line between the implementation and the time (verbose_line.h).
  virtual std::string VerboseFields() const = 0;

  dnnl_primitive_kind_t kind() const { return kind_; }
  const Ref<tandem_primitive_attr>& attr() const { return attr_; }
  const std::string& impl_name() const { return impl_name_; }
  const std::vector<uint8_t>& id() const { return id_; }
  const ArgumentList& arguments() const { return arguments_; }
  // Another one for each object of the process.
  uint64_t serial() const { return serial_; }
  // Bytes that a primitive allocates for itself.
  size_t library_scratchpad_bytes() const { return user_scratchpad() ? 0 : scratchpad_bytes_; }

  // The cache (primitive_cache.h) tells whether it holds this object.
  void SetCached(bool is_cached) const { is_cached_.store(is_cached, std::memory_order_relaxed); }
  // Notes that a primitive is made. True if one was made before and the cache still holds what it is made of.
  bool CountPrimitive() const { return has_primitive_.exchange(true, std::memory_order_relaxed) && is_cached_; }

 protected:
  PrimitiveDesc(dnnl_primitive_kind_t kind, Ref<tandem_primitive_attr> attr);

  bool user_scratchpad() const { return attr_->value.scratchpad_mode == ScratchpadMode::kUser; }
  // Adds workspace and scratchpad to the arguments, as far as they are any. Call after the tensors.
  void AddBuffers(size_t workspace_bytes, ArgumentRole workspace_role, size_t scratchpad_bytes);
  // The tensors of src_md, weights_md and so on; zero if there is none with this index.
  virtual const MemoryDesc& TensorOf(dnnl_query_t group, int index) const = 0;

  std::string impl_name_;
  std::vector<uint8_t> id_;
  ArgumentList arguments_;

 private:
  const dnnl_primitive_kind_t kind_;
  const Ref<tandem_primitive_attr> attr_;
  const uint64_t serial_;
  mutable std::atomic<bool> is_cached_{false}, has_primitive_{false};
  MemoryDesc workspace_ = {};
  MemoryDesc scratchpad_ = {};
  size_t scratchpad_bytes_ = 0;
};

// The descriptor of a tensor that there is not.
const MemoryDesc& NoTensor();

}  // namespace tandem

struct tandem_primitive_desc final : tandem_object {
  static constexpr const char* kName = "primitive descriptor";
  tandem_primitive_desc(tandem::Ref<const tandem::PrimitiveDesc> its_content, tandem::Ref<tandem_engine> its_engine)
      : content(std::move(its_content)), engine(std::move(its_engine)) {}

  // Exchanged when the client moves the handle on to the next implementation.
  tandem::Ref<const tandem::PrimitiveDesc> content;
  const tandem::Ref<tandem_engine> engine;
};

namespace tandem {

// Returns the content of a client's handle.
const PrimitiveDesc& ContentOf(const_dnnl_primitive_desc_t handle);

// A new handle for a client.
void Give(Ref<const PrimitiveDesc> content, Ref<tandem_engine> engine, dnnl_primitive_desc_t* handle);

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_PRIMITIVES_PRIMITIVE_DESC_H_
