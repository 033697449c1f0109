/* Forwards to oneapi/dnnl/dnnl_debug.h. */
#ifndef TANDEM_FORWARD_DNNL_DEBUG_H
#define TANDEM_FORWARD_DNNL_DEBUG_H

#include "oneapi/dnnl/dnnl_debug.h"

#endif
