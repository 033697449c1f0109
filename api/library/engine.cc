#include "api/library/engine.h"

#include <string>

#include "api/library/guard.h"
#include "dnnl/abi.h"

using namespace tandem;

size_t tandem_engine_get_count(dnnl_engine_kind_t kind) { return kind == dnnl_gpu ? 0 : 1; }

dnnl_status_t tandem_engine_create(dnnl_engine_t* engine, dnnl_engine_kind_t kind, size_t index) {
  return Guard([&] {
    if (kind != dnnl_any_engine && kind != dnnl_cpu) {
      ThrowInvalid(std::string("engine: there is no engine of kind ") + tandem_engine_kind2str(kind) + ", only cpu");
    }
    if (index != 0) {
      ThrowInvalid("engine: index is " + std::to_string(index) + ", but there is only engine 0");
    }
    Give(MakeRef<tandem_engine>(), engine);
  });
}

dnnl_status_t tandem_engine_get_kind(dnnl_engine_t engine, dnnl_engine_kind_t* kind) {
  return Guard([&] {
    NotNull(engine, "engine");
    NotNull(kind, "engine: pointer for the result") = dnnl_cpu;
  });
}

dnnl_status_t tandem_stream_create(dnnl_stream_t* stream, dnnl_engine_t engine, unsigned flags) {
  return Guard([&] {
    constexpr unsigned kKnown = dnnl_stream_in_order | dnnl_stream_out_of_order;
    if ((flags & ~kKnown) != 0) {
      ThrowInvalid("stream: flags are " + std::to_string(flags) + ", but only " + std::to_string(kKnown) +
                   " are known");
    }
    Give(MakeRef<tandem_stream>(Ref<tandem_engine>::Share(&NotNull(engine, "stream: engine"))), stream);
  });
}

dnnl_status_t tandem_stream_get_engine(const_dnnl_stream_t stream, dnnl_engine_t* engine) {
  return Guard([&] { Give(Ref<tandem_engine>(NotNull(stream, "stream").engine), engine); });
}

dnnl_status_t tandem_stream_wait(dnnl_stream_t stream) {
  return Guard([&] { NotNull(stream, "stream"); });
}
