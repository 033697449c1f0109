// Engines and streams. One engine exists, the CPU with index 0; its streams run in order, on the calling thread.
#ifndef DNNL_ENGINE_HPP
#define DNNL_ENGINE_HPP

#include "dnnl/enums.hpp"
#include "dnnl/handle.hpp"

namespace dnnl {
inline namespace tandem_v1 {

struct engine : public handle<dnnl_engine_t> {
  enum class kind {
    any = dnnl_any_engine,
    cpu = dnnl_cpu,
    gpu = dnnl_gpu,
  };

  engine() = default;
  using handle<dnnl_engine_t>::handle;

  // kind::any is the CPU. Throws invalid_arguments for a kind or an index that does not exist.
  engine(kind akind, size_t index) {
    dnnl_engine_t result = nullptr;
    detail::check(tandem_engine_create(&result, convert_to_c(akind), index));
    reset(result);
  }
  // The engine that a primitive descriptor was made for.
  engine(const handle<dnnl_primitive_desc_t>& pd) {
    dnnl_engine_t result = nullptr;
    detail::check(tandem_primitive_desc_get_engine(pd.get(), dnnl_query_engine, &result));
    reset(result);
  }

  static size_t get_count(kind akind) { return tandem_engine_get_count(convert_to_c(akind)); }

  kind get_kind() const {
    dnnl_engine_kind_t result = dnnl_any_engine;
    detail::check(tandem_engine_get_kind(get(), &result));
    return static_cast<kind>(result);
  }

  template <typename primitive_desc>
  static engine query(const primitive_desc& pd) {
    return engine(pd.get_engine());
  }

  static dnnl_engine_kind_t convert_to_c(kind akind) { return detail::enum_cast<dnnl_engine_kind_t>(akind); }
};

inline dnnl_engine_kind_t convert_to_c(engine::kind akind) { return engine::convert_to_c(akind); }

struct stream : public handle<dnnl_stream_t> {
  enum class flags : unsigned {
    in_order = dnnl_stream_in_order,
    out_of_order = dnnl_stream_out_of_order,
    default_flags = dnnl_stream_default_flags,
  };

  stream() = default;
  using handle<dnnl_stream_t>::handle;

  // An out_of_order stream is accepted and runs in order, which is one of the orders it allows.
  stream(const engine& aengine, flags aflags = flags::default_flags) {
    dnnl_stream_t result = nullptr;
    detail::check(tandem_stream_create(&result, aengine.get(true), static_cast<unsigned>(aflags)));
    reset(result);
  }

  engine get_engine() const {
    dnnl_engine_t result = nullptr;
    detail::check(tandem_stream_get_engine(get(), &result));
    return engine(result);
  }

  // execute() returns when the result is there, so there is nothing left to wait for.
  stream& wait() {
    detail::check(tandem_stream_wait(get()));
    return *this;
  }
};

inline dnnl_stream_flags_t convert_to_c(stream::flags aflags) { return detail::enum_cast<dnnl_stream_flags_t>(aflags); }

TANDEM_DEFINE_BITMASK_OPS(stream::flags)

}  // namespace tandem_v1
}  // namespace dnnl

#endif
