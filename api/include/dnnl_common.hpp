// Forwards to oneapi/dnnl/dnnl_common.hpp.
#ifndef TANDEM_FORWARD_DNNL_COMMON_HPP
#define TANDEM_FORWARD_DNNL_COMMON_HPP

#include "oneapi/dnnl/dnnl_common.hpp"

#endif
