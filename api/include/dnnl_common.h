/* Forwards to oneapi/dnnl/dnnl_common.h. */
#ifndef TANDEM_FORWARD_DNNL_COMMON_H
#define TANDEM_FORWARD_DNNL_COMMON_H

#include "oneapi/dnnl/dnnl_common.h"

#endif
