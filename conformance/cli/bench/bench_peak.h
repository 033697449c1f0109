// Loops that do one thing only measure the rates of this machine. They use the instructions of TANDEM_TARGET if that is set,
// because the implementation that is compared with them does so.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_BENCH_PEAK_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_BENCH_PEAK_H_

#include <cstddef>

namespace tandem::conformance {

// kBf16 multiplies pairs of bf16 into f32 if the target has an instruction for it that is faster than f32's, else f32. kInt8
// multiplies u8 x s8 into s32. Both use tiles if the processor has AMX.
enum class Factors { kF32, kBf16, kInt8 };

// Returns the operations per second of multiply-adds in registers, on `threads` threads at once. A multiply-add is two
// operations. The result is the best of several runs of a millisecond.
double MeasurePeak(Factors factors, int threads);

// Reading back and forth finds in the cache what was read last. Steps can read their weights in this order. An execution
// cannot: the next one begins where this one began.
enum class ReadOrder { kFromTheStart, kBackAndForth };

// Returns the bytes per second of `threads` threads that read `bytes` again and again, each its own part.
double MeasureReadRate(size_t bytes, int threads, ReadOrder order);

// Returns the seconds that a barrier of OpenMP takes when all threads arrive at once.
double MeasureBarrier(int threads);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_BENCH_PEAK_H_
