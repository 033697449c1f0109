/* The API generation that clients branch on. Both are served at once; what can only have one meaning
 * (the type dnnl_memory_desc_t; in C, the functions of dnnl/c/generation2.h) follows a choice:
 * DNNL_VERSION_MAJOR if the client defines it, 2 or 3; else 3. DNNL_C_API_V3 is defined for 3,
 * DNNL_C_API_V2 for 2. */
#ifndef ONEAPI_DNNL_DNNL_VERSION_H
#define ONEAPI_DNNL_DNNL_VERSION_H

#ifndef DNNL_VERSION_MAJOR
#define DNNL_VERSION_MAJOR 3
#endif
#if DNNL_VERSION_MAJOR >= 3
#define DNNL_C_API_V3
#else
#define DNNL_C_API_V2
#endif
/* The names of functions and enumerators are those of oneDNN up to this version. */
#ifndef DNNL_VERSION_MINOR
#define DNNL_VERSION_MINOR 13
#endif
#ifndef DNNL_VERSION_PATCH
#define DNNL_VERSION_PATCH 1
#endif
#include "oneapi/dnnl/dnnl_version_hash.h"

#endif
