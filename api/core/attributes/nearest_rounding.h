// Results are rounded to nearest, ties to even, whatever the caller's rounding mode is.
#ifndef TANDEM_API_CORE_ATTRIBUTES_NEAREST_ROUNDING_H_
#define TANDEM_API_CORE_ATTRIBUTES_NEAREST_ROUNDING_H_

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace tandem {

// The calling thread rounds to nearest while an object of this class exists, and as before afterwards.
class NearestRounding {
 public:
  NearestRounding() : saved_(Mode()) {
    if (saved_ != kNearest) SetMode(kNearest);
  }
  ~NearestRounding() {
    if (saved_ != kNearest) SetMode(saved_);
  }
  NearestRounding(const NearestRounding&) = delete;
  NearestRounding& operator=(const NearestRounding&) = delete;

 private:
#if defined(__SSE2__)
  // Not <cfenv>: it reads the x87 unit's mode, which _MM_SET_ROUNDING_MODE does not change.
  static constexpr unsigned kNearest = _MM_ROUND_NEAREST;
  static unsigned Mode() { return _MM_GET_ROUNDING_MODE(); }
  static void SetMode(unsigned mode) { _MM_SET_ROUNDING_MODE(mode); }
  const unsigned saved_;
#else
  static constexpr int kNearest = FE_TONEAREST;
  static int Mode() { return std::fegetround(); }
  static void SetMode(int mode) { std::fesetround(mode); }
  const int saved_;
#endif
};

}  // namespace tandem

#endif  // TANDEM_API_CORE_ATTRIBUTES_NEAREST_ROUNDING_H_
