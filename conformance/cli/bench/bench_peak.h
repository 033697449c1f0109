// The rates of this machine, measured by loops that do one thing only, with the instructions of TANDEM_TARGET if that is
// set, as the implementation that is held to them.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_BENCH_PEAK_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_BENCH_PEAK_H_

#include <cstddef>

namespace tandem::conformance {

// kBf16: pairs of bf16 into f32 where the target has an instruction for it that is faster than f32's, else f32.
// kInt8: u8 x s8 into s32. Both by tiles where the processor has AMX.
enum class Factors { kF32, kBf16, kInt8 };

// Operations per second (a multiply-add is two) of multiply-adds in registers, on `threads` threads at once, the best of
// several runs of a millisecond.
double MeasurePeak(Factors factors, int threads);

// Back and forth finds in the cache what was read last. Steps can read their weights so; what an execution reads once
// cannot be, since the next execution begins where this one began.
enum class ReadOrder { kFromTheStart, kBackAndForth };

// Bytes per second of `threads` threads that read `bytes` again and again, each its own part.
double MeasureReadRate(size_t bytes, int threads, ReadOrder order);

// Seconds that a barrier of OpenMP takes when all threads arrive at once.
double MeasureBarrier(int threads);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_BENCH_PEAK_H_
