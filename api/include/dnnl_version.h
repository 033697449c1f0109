/* Forwards to oneapi/dnnl/dnnl_version.h. */
#ifndef TANDEM_FORWARD_DNNL_VERSION_H
#define TANDEM_FORWARD_DNNL_VERSION_H

#include "oneapi/dnnl/dnnl_version.h"

#endif
