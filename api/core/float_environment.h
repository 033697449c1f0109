// The floating-point environment of an execution, whatever the caller's is.
#ifndef TANDEM_API_CORE_FLOAT_ENVIRONMENT_H_
#define TANDEM_API_CORE_FLOAT_ENVIRONMENT_H_

#include <cstdint>

#if defined(__SSE2__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#endif

namespace tandem {

// kZero: subnormal f32 count as zero (FTZ, DAZ), where the processor has such a mode.
enum class Subnormals { kKept, kZero };

// While it lives, the calling thread rounds to nearest, ties to even, no exception traps, and subnormals are as said.
// Afterwards everything is as before, the exceptions that the caller can ask for included.
class FloatEnvironment {
 public:
  explicit FloatEnvironment(Subnormals subnormals) : saved_(Get()) { Begin(subnormals); }
  ~FloatEnvironment() { End(); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
#if defined(__SSE2__)
  // Not <cfenv>: it reads and writes the x87 unit, too, which takes longer and computes nothing here. To write MXCSR takes up
  // to 9 ns (Zen 5), to read it one: a thread of audio often has the wanted mode already.
  static constexpr uint32_t kFlags = 0x3f;
  void Begin(Subnormals subnormals) const {
    if ((saved_ & ~kFlags) != Wanted(subnormals)) Set(Wanted(subnormals));
  }
  void End() const {
    if (Get() != saved_) Set(saved_);
  }
  using State = uint32_t;
  static State Get() { return _mm_getcsr(); }
  static void Set(State state) { _mm_setcsr(state); }
  static State Wanted(Subnormals subnormals) {
    constexpr State kNoTraps = 0x1f80, kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
    return subnormals == Subnormals::kZero ? kNoTraps | kFlushToZero | kDenormalsAreZero : kNoTraps;
  }
#elif defined(__aarch64__)
  void Begin(Subnormals subnormals) const { Set(Wanted(subnormals)); }
  void End() const { Set(saved_); }
  struct State {
    uint64_t control, status;
  };
  static State Get() {
    State state;
    asm volatile("mrs %0, fpcr" : "=r"(state.control));
    asm volatile("mrs %0, fpsr" : "=r"(state.status));
    return state;
  }
  static void Set(const State& state) {
    asm volatile("msr fpcr, %0" : : "r"(state.control));
    asm volatile("msr fpsr, %0" : : "r"(state.status));
  }
  static State Wanted(Subnormals subnormals) {
    constexpr uint64_t kFlushToZero = uint64_t{1} << 24;
    return {subnormals == Subnormals::kZero ? kFlushToZero : 0, 0};
  }
#else
  // RISC-V and s390x have no such mode, and no slow subnormals.
  void Begin(Subnormals subnormals) const { Set(Wanted(subnormals)); }
  void End() const { Set(saved_); }
  using State = std::fenv_t;
  static State Get() {
    State state;
    std::fegetenv(&state);
    return state;
  }
  static void Set(const State& state) { std::fesetenv(&state); }
  static State Wanted(Subnormals) {
    State saved = Get();
    std::fesetenv(FE_DFL_ENV);
    State wanted = Get();
    std::fesetenv(&saved);
    return wanted;
  }
#endif

  const State saved_;
};

}  // namespace tandem

#endif  // TANDEM_API_CORE_FLOAT_ENVIRONMENT_H_
