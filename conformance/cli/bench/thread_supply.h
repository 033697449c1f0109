// OpenMP's threads, without an end of the program where there are none.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_OPENMP_THREADS_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_OPENMP_THREADS_H_

namespace tandem::conformance {

// The calling thread's next parallel region has so many threads. Throws std::runtime_error if the system gives no more:
// OpenMP's runtimes end the process then.
void RequireOpenMpThreads(int threads);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_OPENMP_THREADS_H_
