/* The API generation that clients branch on. Both are served at once; -DDNNL_VERSION_MAJOR=2
 * selects what a client written for the operation-descriptor generation expects to read here. */
#ifndef ONEAPI_DNNL_DNNL_VERSION_H
#define ONEAPI_DNNL_DNNL_VERSION_H

#ifndef DNNL_VERSION_MAJOR
#define DNNL_VERSION_MAJOR 3
#endif
#ifndef DNNL_VERSION_MINOR
#define DNNL_VERSION_MINOR 7
#endif
#ifndef DNNL_VERSION_PATCH
#define DNNL_VERSION_PATCH 0
#endif
#include "oneapi/dnnl/dnnl_version_hash.h"

#endif
