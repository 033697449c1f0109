/* Forwards to dnnl/threadpool.hpp. */
#ifndef ONEAPI_DNNL_DNNL_THREADPOOL_HPP
#define ONEAPI_DNNL_DNNL_THREADPOOL_HPP

#include "dnnl/threadpool.hpp"

#endif
