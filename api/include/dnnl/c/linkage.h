/* How the functions of the C API are linked. In C they are external: a C program links libtandem_c, which exports them.
 * In C++ they are inline and call libtandem, so that neither a C++ program nor libtandem has a symbol dnnl_*: a real
 * libdnnl in the same process is not disturbed.
 *
 * Every function that returns a dnnl_status_t checks its arguments, NULL included; tandem_last_error() then has the
 * sentence. A NULL memory descriptor stands for a zero one: a tensor that is absent. Handles that a *_create or *_clone
 * gives are the caller's, who ends them with *_destroy; handles, descriptors and arrays that a *_get or *_query gives
 * belong to the object that was asked. */
#ifndef DNNL_C_LINKAGE_H
#define DNNL_C_LINKAGE_H

#include "dnnl/abi.h"

#if defined(__cplusplus) && !defined(TANDEM_C_LIBRARY)
#define TANDEM_C_API static inline
#else
#define TANDEM_C_API DNNL_API
#endif

#endif
