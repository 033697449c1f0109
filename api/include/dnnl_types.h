/* Forwards to oneapi/dnnl/dnnl_types.h. */
#ifndef TANDEM_FORWARD_DNNL_TYPES_H
#define TANDEM_FORWARD_DNNL_TYPES_H

#include "oneapi/dnnl/dnnl_types.h"

#endif
