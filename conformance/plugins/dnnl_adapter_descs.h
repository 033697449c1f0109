// Makes a dnnl primitive descriptor from a plugin problem, in both generations of the API: with operation descriptors (oneDNN
// 2) and without (oneDNN 3). The tensors come in the same order in both. Only adapter_cells.h includes this file.
#ifndef TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_DESCS_H_
#define TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_DESCS_H_

#include <string>

#include "conformance/plugins/dnnl_adapter_request.h"

namespace tandem::conformance::adapter {

// Returns the first implementation in the list that has the requested name.
template <class PrimitiveDesc>
PrimitiveDesc Choose(const Request& r, PrimitiveDesc pd) {
  while (std::string(pd.impl_info_str()).compare(0, r.implementation.size(), r.implementation)) {
    if (!pd.next_impl()) {
      throw dnnl::error(dnnl_unimplemented, "no implementation of that name serves the problem");
    }
  }
  return pd;
}

// Only the vanilla RNN has alpha and beta, which come after the tensors. The classes of oneDNN 3 have no beta.
enum class Slope { kNone, kAlpha };

#if DNNL_VERSION_MAJOR >= 3
template <class Primitive, Slope kSlope, class... Tensors>
typename Primitive::primitive_desc Forward(const Request& r, dnnl::prop_kind prop, const Tensors&... args) {
  using PrimitiveDesc = typename Primitive::primitive_desc;
  if constexpr (kSlope == Slope::kAlpha) {
#ifdef TANDEM_ENUM_BASE
    return Choose(r, PrimitiveDesc(r.engine, prop, args..., r.problem->alpha, r.problem->beta, r.attr));
#else
    return Choose(r, PrimitiveDesc(r.engine, prop, args..., r.problem->alpha, r.attr));
#endif
  } else {
    return Choose(r, PrimitiveDesc(r.engine, prop, args..., r.attr));
  }
}

template <class Primitive, Slope kSlope, class Hint, class... Tensors>
dnnl::primitive_desc Backward(const Request& r, const Hint& forward, const Tensors&... args) {
  using PrimitiveDesc = typename Primitive::primitive_desc;
  if constexpr (kSlope == Slope::kAlpha) {
#ifdef TANDEM_ENUM_BASE
    return Choose(r,
                  PrimitiveDesc(r.engine, r.propagation, args..., r.problem->alpha, r.problem->beta, forward, r.attr));
#else
    return Choose(r, PrimitiveDesc(r.engine, r.propagation, args..., r.problem->alpha, forward, r.attr));
#endif
  } else {
    return Choose(r, PrimitiveDesc(r.engine, r.propagation, args..., forward, r.attr));
  }
}
#else
template <class Primitive, Slope kSlope, class... Tensors>
typename Primitive::desc OperationDesc(const Request& r, dnnl::prop_kind prop, const Tensors&... args) {
  if constexpr (kSlope == Slope::kAlpha) {
    return typename Primitive::desc(prop, args..., r.flags(), r.problem->alpha, r.problem->beta);
  } else {
    return typename Primitive::desc(prop, args..., r.flags());
  }
}

// Operation descriptors stay alive until next_impl() has been called: oneDNN 2.6 keeps a pointer to them.
template <class Primitive, Slope kSlope, class... Tensors>
typename Primitive::primitive_desc Forward(const Request& r, dnnl::prop_kind prop, const Tensors&... args) {
  const auto desc = OperationDesc<Primitive, kSlope>(r, prop, args...);
  return Choose(r, typename Primitive::primitive_desc(desc, r.attr, r.engine));
}

template <class Primitive, Slope kSlope, class Hint, class... Tensors>
dnnl::primitive_desc Backward(const Request& r, const Hint& forward, const Tensors&... args) {
  const auto desc = OperationDesc<Primitive, kSlope>(r, r.propagation, args...);
  return Choose(r, typename Primitive::primitive_desc(desc, r.attr, r.engine, forward));
}
#endif

inline bool IsBackward(const Request& r) { return r.propagation == dnnl::prop_kind::backward; }
// Returns the propagation of the forward primitive: the requested one, or the hint of a backward primitive.
inline dnnl::prop_kind ForwardPropagation(const Request& r) {
  return IsBackward(r) ? dnnl::prop_kind::forward_training : r.propagation;
}

}  // namespace tandem::conformance::adapter

#endif  // TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_DESCS_H_
