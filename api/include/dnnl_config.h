/* Forwards to oneapi/dnnl/dnnl_config.h. */
#ifndef TANDEM_FORWARD_DNNL_CONFIG_H
#define TANDEM_FORWARD_DNNL_CONFIG_H

#include "oneapi/dnnl/dnnl_config.h"

#endif
