// The peak rate of this machine, measured by loops of nothing but multiply-adds in registers: the denominator of a
// benchmark's "share of peak".
#ifndef TANDEM_CONFORMANCE_BENCH_BENCH_PEAK_H_
#define TANDEM_CONFORMANCE_BENCH_BENCH_PEAK_H_

namespace tandem::conformance {

struct Peak {
  double f32 = 0;   // operations per second; a multiply-add is two
  double int8 = 0;  // u8 x s8 into s32
};

// On `threads` threads at once, the best of several runs.
Peak MeasurePeak(int threads);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_BENCH_BENCH_PEAK_H_
