/* Forwards to oneapi/dnnl/dnnl.h. */
#ifndef TANDEM_FORWARD_DNNL_H
#define TANDEM_FORWARD_DNNL_H

#include "oneapi/dnnl/dnnl.h"

#endif
