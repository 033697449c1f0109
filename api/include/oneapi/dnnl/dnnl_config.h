/* Build configuration as clients test it with the preprocessor: one CPU runtime, no GPU. */
#ifndef ONEAPI_DNNL_DNNL_CONFIG_H
#define ONEAPI_DNNL_DNNL_CONFIG_H

#define DNNL_RUNTIME_NONE 0u
#define DNNL_RUNTIME_SEQ 1u
#define DNNL_RUNTIME_OMP 2u
#define DNNL_RUNTIME_TBB 4u
#define DNNL_RUNTIME_THREADPOOL 8u
#define DNNL_RUNTIME_OCL 256u
#define DNNL_RUNTIME_SYCL 512u
#define DNNL_RUNTIME_DPCPP DNNL_RUNTIME_SYCL
#define DNNL_RUNTIME_ZE 1024u

#define DNNL_VENDOR_NONE 0u
#define DNNL_VENDOR_INTEL 1u
#define DNNL_VENDOR_NVIDIA 2u
#define DNNL_VENDOR_AMD 4u
#define DNNL_VENDOR_GENERIC 8u

#define DNNL_CPU_THREADING_RUNTIME DNNL_RUNTIME_OMP
#define DNNL_CPU_RUNTIME DNNL_RUNTIME_OMP
#define DNNL_GPU_RUNTIME DNNL_RUNTIME_NONE
#define DNNL_GPU_VENDOR DNNL_VENDOR_NONE

#define BUILD_TRAINING 1
#define BUILD_INFERENCE 0

/* 1: the C++ classes report every failure as dnnl::error. 0, the default where the compiler has no
 * exceptions: they write the sentence to stderr and call abort(). All translation units of a
 * program must agree. */
#ifndef DNNL_ENABLE_EXCEPTIONS
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define DNNL_ENABLE_EXCEPTIONS 1
#else
#define DNNL_ENABLE_EXCEPTIONS 0
#endif
#endif

/* Stands between `enum` and its list. In C++ it puts int behind the enumeration, so that a client's
 * stray number is a value to refuse and not undefined behaviour; in C every enumeration has an
 * integer's range. */
#ifdef __cplusplus
#define TANDEM_ENUM_BASE : int
#else
#define TANDEM_ENUM_BASE
#endif

#if defined(__GNUC__) || defined(__clang__)
#define DNNL_API __attribute__((visibility("default")))
#define DNNL_DEPRECATED __attribute__((deprecated))
#else
#define DNNL_API
#define DNNL_DEPRECATED
#endif

#endif
