/* Forwards to dnnl/c/threadpool.h. */
#ifndef ONEAPI_DNNL_DNNL_THREADPOOL_H
#define ONEAPI_DNNL_DNNL_THREADPOOL_H

#include "dnnl/c/threadpool.h"

#endif
