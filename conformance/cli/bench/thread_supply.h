// These functions ask whether the system gives threads. OpenMP's runtimes end the program if it does not.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_THREAD_SUPPLY_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_THREAD_SUPPLY_H_

namespace tandem::conformance {

// Throws std::runtime_error if the system gives fewer threads, the calling one included. Asks only for more than before.
void RequireThreads(int threads);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_THREAD_SUPPLY_H_
