// This is a number of 50 decimal digits: MPFR behind the operators that the reference's templates use.
#ifndef TANDEM_CONFORMANCE_TESTS_MP_REAL_H_
#define TANDEM_CONFORMANCE_TESTS_MP_REAL_H_

#include <mpfr.h>

namespace tandem::conformance {

// 170 bits are 51 digits.
constexpr mpfr_prec_t kMpBits = 170;

class MpReal {
 public:
  MpReal() : MpReal(0.0) {}
  MpReal(double value) {
    mpfr_init2(value_, kMpBits);
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  MpReal(const MpReal& other) {
    mpfr_init2(value_, kMpBits);
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  MpReal& operator=(const MpReal& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~MpReal() { mpfr_clear(value_); }

  explicit operator double() const { return mpfr_get_d(value_, MPFR_RNDN); }

  friend MpReal operator+(const MpReal& a, const MpReal& b) { return Apply(mpfr_add, a, b); }
  friend MpReal operator-(const MpReal& a, const MpReal& b) { return Apply(mpfr_sub, a, b); }
  friend MpReal operator*(const MpReal& a, const MpReal& b) { return Apply(mpfr_mul, a, b); }
  friend MpReal operator/(const MpReal& a, const MpReal& b) { return Apply(mpfr_div, a, b); }
  friend MpReal operator-(const MpReal& a) { return Apply(mpfr_neg, a); }
  MpReal& operator+=(const MpReal& b) { return *this = *this + b; }
  MpReal& operator-=(const MpReal& b) { return *this = *this - b; }
  MpReal& operator*=(const MpReal& b) { return *this = *this * b; }
  friend bool operator>(const MpReal& a, const MpReal& b) { return mpfr_greater_p(a.value_, b.value_) != 0; }
  friend bool operator<(const MpReal& a, const MpReal& b) { return b > a; }
  friend bool operator<=(const MpReal& a, const MpReal& b) { return mpfr_lessequal_p(a.value_, b.value_) != 0; }
  friend bool operator==(const MpReal& a, const MpReal& b) { return mpfr_equal_p(a.value_, b.value_) != 0; }
  friend MpReal exp(const MpReal& a) { return Apply(mpfr_exp, a); }
  friend MpReal log(const MpReal& a) { return Apply(mpfr_log, a); }
  friend MpReal sqrt(const MpReal& a) { return Apply(mpfr_sqrt, a); }
  friend MpReal tanh(const MpReal& a) { return Apply(mpfr_tanh, a); }
  friend MpReal abs(const MpReal& a) { return Apply(mpfr_abs, a); }

 private:
  template <class F>
  static MpReal Apply(F f, const MpReal& a) {
    MpReal result;
    f(result.value_, a.value_, MPFR_RNDN);
    return result;
  }
  template <class F>
  static MpReal Apply(F f, const MpReal& a, const MpReal& b) {
    MpReal result;
    f(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
  }

  mpfr_t value_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_TESTS_MP_REAL_H_
