/* Forwards to dnnl/threadpool_iface.hpp. */
#ifndef ONEAPI_DNNL_DNNL_THREADPOOL_IFACE_HPP
#define ONEAPI_DNNL_DNNL_THREADPOOL_IFACE_HPP

#include "dnnl/threadpool_iface.hpp"

#endif
