/* Forwards to oneapi/dnnl/dnnl_threadpool_iface.hpp. */
#ifndef TANDEM_FORWARD_DNNL_THREADPOOL_IFACE_HPP
#define TANDEM_FORWARD_DNNL_THREADPOOL_IFACE_HPP

#include "oneapi/dnnl/dnnl_threadpool_iface.hpp"

#endif
