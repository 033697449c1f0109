/* Forwards to oneapi/dnnl/dnnl_common_types.h. */
#ifndef TANDEM_FORWARD_DNNL_COMMON_TYPES_H
#define TANDEM_FORWARD_DNNL_COMMON_TYPES_H

#include "oneapi/dnnl/dnnl_common_types.h"

#endif
