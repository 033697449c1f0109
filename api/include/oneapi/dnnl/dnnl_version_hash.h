#ifndef ONEAPI_DNNL_DNNL_VERSION_HASH_H
#define ONEAPI_DNNL_DNNL_VERSION_HASH_H

/* Names the library rather than a commit, so that a log line tells whose dnnl ran. */
#ifndef DNNL_VERSION_HASH
#define DNNL_VERSION_HASH "tandem"
#endif

#endif
