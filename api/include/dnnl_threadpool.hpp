/* Forwards to oneapi/dnnl/dnnl_threadpool.hpp. */
#ifndef TANDEM_FORWARD_DNNL_THREADPOOL_HPP
#define TANDEM_FORWARD_DNNL_THREADPOOL_HPP

#include "oneapi/dnnl/dnnl_threadpool.hpp"

#endif
