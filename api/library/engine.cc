#include "api/library/engine.h"

#include <string>

#include "api/core/names.h"
#include "api/core/threadpool.h"
#include "api/library/guard.h"

using namespace tandem;

size_t tandem_engine_get_count(dnnl_engine_kind_t kind) { return kind == dnnl_any_engine || kind == dnnl_cpu ? 1 : 0; }

dnnl_status_t tandem_engine_create(dnnl_engine_t* engine, dnnl_engine_kind_t kind, size_t index) {
  return Guard([&] {
    if (kind != dnnl_any_engine && kind != dnnl_cpu) {
      ThrowInvalid("engine: there is no engine of kind " + NameOrNumber(tandem_engine_kind2str(kind), kind) +
                   ", only cpu");
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
      ThrowInvalid("stream: flags are " + std::to_string(flags) + ", but the only ones are in_order (" +
                   std::to_string(dnnl_stream_in_order) + ") and out_of_order (" +
                   std::to_string(dnnl_stream_out_of_order) + ")");
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

dnnl_status_t tandem_stream_create_on_threadpool(dnnl_stream_t* stream, dnnl_engine_t engine,
                                                 const tandem_threadpool_t* threadpool) {
  return Guard([&] {
    auto its_engine = Ref<tandem_engine>::Share(&NotNull(engine, "stream: engine"));
    if (threadpool == nullptr) return Give(MakeRef<tandem_stream>(std::move(its_engine)), stream);
    NotNull(threadpool->get_num_threads, "stream: get_num_threads of the thread pool");
    NotNull(threadpool->get_in_parallel, "stream: get_in_parallel of the thread pool");
    NotNull(threadpool->get_flags, "stream: get_flags of the thread pool");
    NotNull(threadpool->parallel_for, "stream: parallel_for of the thread pool");
    Give(MakeRef<tandem_stream>(std::move(its_engine), *threadpool), stream);
  });
}

dnnl_status_t tandem_stream_get_threadpool(const_dnnl_stream_t stream, void** pool) {
  return Guard([&] {
    const auto& threadpool = NotNull(stream, "stream").threadpool;
    NotNull(pool, "stream: pointer for the thread pool") = threadpool ? threadpool->pool : nullptr;
  });
}

dnnl_status_t tandem_set_max_concurrency(int threads) {
  return Guard([&] {
    if (threads < 0) {
      ThrowInvalid("max_concurrency: is " + std::to_string(threads) + ", but must not be negative");
    }
    SetMaxConcurrency(threads);
  });
}

int tandem_get_max_concurrency() { return MaxConcurrency(); }
