/* Forwards to oneapi/dnnl/dnnl_version_hash.h. */
#ifndef TANDEM_FORWARD_DNNL_VERSION_HASH_H
#define TANDEM_FORWARD_DNNL_VERSION_HASH_H

#include "oneapi/dnnl/dnnl_version_hash.h"

#endif
