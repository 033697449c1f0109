/* The C API: engines, streams, memory, attributes, reorder and the RNN cells, in the names of both of oneDNN's
 * generations. dnnl/c/linkage.h says what to link. Functions of other primitives are not declared. Valid C99. */
#ifndef ONEAPI_DNNL_DNNL_H
#define ONEAPI_DNNL_DNNL_H

#include "dnnl/c/attr.h"
#include "dnnl/c/engine.h"
#include "dnnl/c/generation2.h"
#include "dnnl/c/memory.h"
#include "dnnl/c/memory_desc.h"
#include "dnnl/c/post_ops.h"
#include "dnnl/c/primitive.h"
#include "dnnl/c/rnn_generation2.h"
#include "dnnl/c/rnn_generation3.h"

#endif
