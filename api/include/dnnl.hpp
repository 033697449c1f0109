// Forwards to oneapi/dnnl/dnnl.hpp.
#ifndef TANDEM_FORWARD_DNNL_HPP
#define TANDEM_FORWARD_DNNL_HPP

#include "oneapi/dnnl/dnnl.hpp"

#endif
