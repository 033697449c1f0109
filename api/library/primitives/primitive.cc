// Primitives: a descriptor, and in library mode the scratchpad.
#include <atomic>

#include "api/core/float_environment.h"
#include "api/core/threadpool.h"
#include "api/library/aligned_buffer.h"
#include "api/library/guard.h"
#include "api/library/primitives/primitive_desc.h"
#include "api/library/verbose.h"

using namespace tandem;

struct tandem_primitive final : tandem_object {
  static constexpr const char* kName = "primitive";
  tandem_primitive(const Ref<const PrimitiveDesc>& its_pd, const Ref<tandem_engine>& engine)
      : pd(its_pd),
        handle(MakeRef<tandem_primitive_desc>(its_pd, engine)),
        scratchpad(its_pd->library_scratchpad_bytes()) {}

  // Its own: a client may move on to another implementation the handle from which the primitive was made, and the one that
  // it is given here.
  const Ref<const PrimitiveDesc> pd;
  const Ref<const tandem_primitive_desc> handle;
  const AlignedBuffer scratchpad;
  mutable std::atomic<bool> scratchpad_is_taken{false};
};

namespace {

// The primitive's scratchpad for one execution. An execution that finds it taken by another thread gets a scratchpad of
// its own: two that share one would mix their states, and their teams would wait at each other's barriers.
class ScratchpadLease {
 public:
  explicit ScratchpadLease(const tandem_primitive& primitive) : primitive_(primitive) {
    if (primitive.scratchpad.get() == nullptr) return;
    is_owner_ = !primitive.scratchpad_is_taken.exchange(true, std::memory_order_acquire);
    if (!is_owner_) own_ = AlignedBuffer(primitive.pd->library_scratchpad_bytes());
  }
  ~ScratchpadLease() {
    if (is_owner_) primitive_.scratchpad_is_taken.store(false, std::memory_order_release);
  }
  ScratchpadLease(const ScratchpadLease&) = delete;
  ScratchpadLease& operator=(const ScratchpadLease&) = delete;

  void* get() const { return is_owner_ ? primitive_.scratchpad.get() : own_.get(); }

 private:
  const tandem_primitive& primitive_;
  bool is_owner_ = false;
  AlignedBuffer own_;
};

// "exec", "create:cache_hit" or "create:cache_miss", what was done and how long it took, if lines of this kind are asked for.
void PrintProfile(VerboseKind kind, const char* operation, const PrimitiveDesc& pd, const VerboseTimer& timer) {
  if (!IsVerbose(kind)) return;
  const std::string primitive = tandem_primitive_kind2str(pd.kind());
  PrintVerbose(primitive.c_str(), std::string("primitive,") + operation + ",cpu," + primitive + "," + pd.impl_name() +
                                      "," + pd.VerboseFields() + "," + timer.Milliseconds());
}

void Execute(const tandem_primitive& primitive, int nargs, const dnnl_exec_arg_t* args) {
  const PrimitiveDesc& pd = *primitive.pd;
  if (const auto known = pd.AtExecution(nargs, args)) {
    return Execute(*MakeRef<tandem_primitive>(known, primitive.handle->engine), nargs, args);
  }
  ArgumentList::Pointers pointers = pd.arguments().Match(nargs, args);
  std::vector<AlignedBuffer> saved;
  if (!pd.arguments().AreApart(pointers)) saved = pd.arguments().SaveOverwrittenInputs(&pointers);
  const ScratchpadLease scratchpad(primitive);
  const FloatEnvironment environment(Subnormals::kKept);
  const VerboseTimer timer(kVerboseExec);
  pd.Execute(pointers.data(), scratchpad.get());
  PrintProfile(kVerboseExec, "exec", pd, timer);
}

void Create(const tandem_primitive_desc& pd, dnnl_primitive_t* primitive) {
  const VerboseTimer timer(kVerboseCreate);
  Give(MakeRef<tandem_primitive>(pd.content, pd.engine), primitive);
  const bool is_repeated = pd.content->CountPrimitive();
  PrintProfile(kVerboseCreate, is_repeated ? "create:cache_hit" : "create:cache_miss", *pd.content, timer);
}

}  // namespace

dnnl_status_t tandem_primitive_create(dnnl_primitive_t* primitive, const_dnnl_primitive_desc_t pd) {
  return Guard([&] { Create(NotNull(pd, "primitive descriptor"), primitive); });
}

dnnl_status_t tandem_primitive_create_from_cache_blob(dnnl_primitive_t* primitive, const_dnnl_primitive_desc_t pd,
                                                      size_t size, const uint8_t* cache_blob) {
  return Guard([&] {
    const std::vector<uint8_t>& id = ContentOf(pd).id();
    if (size > 0) NotNull(cache_blob, "primitive: cache blob");
    if (std::vector<uint8_t>(cache_blob, cache_blob + size) != id) {
      ThrowInvalid("cache blob: its " + std::to_string(size) + " bytes are not those of this primitive descriptor");
    }
    Create(*pd, primitive);
  });
}

dnnl_status_t tandem_primitive_get_desc(const_dnnl_primitive_t primitive, const_dnnl_primitive_desc_t* pd) {
  return Guard([&] {
    const auto& handle = NotNull(primitive, "primitive").handle;
    NotNull(pd, "primitive: pointer for the result") = handle.get();
  });
}

dnnl_status_t tandem_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream, int nargs,
                                       const dnnl_exec_arg_t* args) {
  return Guard([&] {
    NotNull(primitive, "execute: primitive");
    const auto& threadpool = NotNull(stream, "execute: stream").threadpool;
    if (nargs > 0) NotNull(args, "execute: arguments");
    const ThreadPoolScope threads(threadpool ? &*threadpool : nullptr);
    Execute(*primitive, nargs, args);
  });
}
