#!/bin/sh
# foreign_environment.sh TEST [ARGUMENT...] runs a test as a caller would who has set everything that reaches the library,
# OpenMP, the locale, the clock, new files' modes and the home. No test may depend on any of it. It is for Bazel's --run_under,
# because Bazel itself keeps the caller's environment from tests, but for umask.
set -eu
export TANDEM_TARGET=AVX2 TANDEM_IMPL=reference TANDEM_READING=onednn TANDEM_DIVISION=1x1x2 TANDEM_THREADS=openmp
export TANDEM_TUNING=barrier=1e6,chunk_rows=3
export TANDEM_TEAM_BACKOFF=off TANDEM_VERBOSE=2 TANDEM_WORKER_GIB=0.5 TANDEM_MUTANT=SwapGatesIF TANDEM_BROKEN=crash
export ONEDNN_VERBOSE=all DNNL_VERBOSE=2 ONEDNN_VERBOSE_TIMESTAMP=1 ONEDNN_MAX_CPU_ISA=SSE41 DNNL_MAX_CPU_ISA=SSE41
export ONEDNN_DEFAULT_FPMATH_MODE=bf16 DNNL_DEFAULT_FPMATH_MODE=bf16 ONEDNN_PRIMITIVE_CACHE_CAPACITY=0
export OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive OMP_PROC_BIND=close OMP_PLACES=cores OMP_THREAD_LIMIT=2 OMP_DYNAMIC=true
export LC_ALL=tr_TR.UTF-8 LC_NUMERIC=de_DE.UTF-8 LANG=tr_TR.UTF-8 LANGUAGE=tr TZ=Pacific/Chatham
export HOME=/nonexistent XDG_CACHE_HOME=/nonexistent/cache
# One CPU is enough, so an each_cpu_test does not repeat here.
export EACH_CPU=this
umask 077
echo "in a foreign environment: TANDEM_*, ONEDNN_*, DNNL_*, OMP_*, LC_*, TZ, HOME, umask 077"
exec "$@"
