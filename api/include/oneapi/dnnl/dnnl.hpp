// The whole C++ API.
#ifndef ONEAPI_DNNL_DNNL_HPP
#define ONEAPI_DNNL_DNNL_HPP

// Clients rely on the standard headers that oneDNN's header brings.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "dnnl/binary.hpp"
#include "dnnl/memory.hpp"
#include "dnnl/primitive.hpp"
#include "dnnl/reorder.hpp"
#include "dnnl/service.hpp"
#include "oneapi/dnnl/dnnl.h"
#include "oneapi/dnnl/dnnl_debug.h"

// The classes of cells. api/schema: class_headers
#include "dnnl/augru.hpp"
#include "dnnl/gru.hpp"
#include "dnnl/lstm_backward.hpp"
#include "dnnl/lstm_forward.hpp"
#include "dnnl/vanilla_rnn.hpp"
// api/schema: end

#endif
