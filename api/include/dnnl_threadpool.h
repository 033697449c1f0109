/* Forwards to oneapi/dnnl/dnnl_threadpool.h. */
#ifndef TANDEM_FORWARD_DNNL_THREADPOOL_H
#define TANDEM_FORWARD_DNNL_THREADPOOL_H

#include "oneapi/dnnl/dnnl_threadpool.h"

#endif
