// All that libtandem_c exports: the bodies of the C API's functions, here with external names.
#define TANDEM_C_LIBRARY
#include "oneapi/dnnl/dnnl.h"
#include "oneapi/dnnl/dnnl_debug.h"
#include "oneapi/dnnl/dnnl_threadpool.h"
