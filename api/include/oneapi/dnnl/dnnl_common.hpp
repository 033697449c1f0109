// Engines, streams and errors: what every part of the API shares.
#ifndef ONEAPI_DNNL_DNNL_COMMON_HPP
#define ONEAPI_DNNL_DNNL_COMMON_HPP

#include "dnnl/engine.hpp"
#include "oneapi/dnnl/dnnl_common.h"

#endif
