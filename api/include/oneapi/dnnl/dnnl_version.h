/* The API generation that clients branch on. Both are served at once; what can only have one meaning
 * (the type dnnl_memory_desc_t; in C, the functions of dnnl/c/generation2.h) follows a choice:
 * DNNL_VERSION_MAJOR if the client defines it, 2 or 3; else 3 in C and 2 in C++. DNNL_C_API_V3 is
 * defined for 3, and DNNL_C_API_V2 if the client asked for 2. */
#ifndef ONEAPI_DNNL_DNNL_VERSION_H
#define ONEAPI_DNNL_DNNL_VERSION_H

#ifdef DNNL_VERSION_MAJOR
#if DNNL_VERSION_MAJOR >= 3 && !defined(DNNL_C_API_V3)
#define DNNL_C_API_V3
#endif
#if DNNL_VERSION_MAJOR < 3 && !defined(DNNL_C_API_V2)
#define DNNL_C_API_V2
#endif
#else
#define DNNL_VERSION_MAJOR 3
#if !defined(__cplusplus) && !defined(DNNL_C_API_V3)
#define DNNL_C_API_V3
#endif
#endif
#ifndef DNNL_VERSION_MINOR
#define DNNL_VERSION_MINOR 7
#endif
#ifndef DNNL_VERSION_PATCH
#define DNNL_VERSION_PATCH 0
#endif
#include "oneapi/dnnl/dnnl_version_hash.h"

#endif
