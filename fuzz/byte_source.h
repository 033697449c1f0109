// A fuzzer's bytes make choices. Any bytes will do: when they end, every choice is the first one.
#ifndef TANDEM_FUZZ_BYTE_SOURCE_H_
#define TANDEM_FUZZ_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace tandem {
namespace fuzz {

class ByteSource {
 public:
  ByteSource(const uint8_t* data, size_t size) : data_(data), left_(size) {}

  bool empty() const { return left_ == 0; }
  uint8_t Byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  // Returns 0 to count - 1; count is at most 256.
  int Below(int count) { return Byte() % count; }
  // Returns true for one of `n` values of a byte; false when the bytes end.
  bool OneIn(int n) { return Byte() % n == n - 1; }
  template <class T, size_t kCount>
  const T& OneOf(const T (&values)[kCount]) {
    static_assert(kCount <= 256, "one byte chooses");
    return values[Below(kCount)];
  }
  // Returns a dim, stride or offset: mostly small, sometimes an extreme value.
  int64_t Number() {
    static const int64_t kEdges[] = {-1,
                                     std::numeric_limits<int64_t>::min(),
                                     std::numeric_limits<int64_t>::max(),
                                     int64_t{1} << 31,
                                     int64_t{1} << 62,
                                     int64_t{1} << 32,
                                     -8,
                                     255,
                                     4096};
    const uint8_t byte = Byte();
    return byte < 240 ? byte % 8 : kEdges[(byte - 240) % 9];
  }
  float Float() {
    static const float kEdges[] = {0.f,
                                   1.f,
                                   -1.f,
                                   0.5f,
                                   2.f,
                                   63.f,
                                   64.f,
                                   127.f,
                                   -1e-3f,
                                   1e30f,
                                   -3.4e38f,
                                   1e-40f,
                                   -0.f,
                                   std::numeric_limits<float>::infinity(),
                                   -std::numeric_limits<float>::infinity(),
                                   std::numeric_limits<float>::quiet_NaN()};
    return OneOf(kEdges);
  }

 private:
  const uint8_t* data_;
  size_t left_;
};

}  // namespace fuzz
}  // namespace tandem

#endif  // TANDEM_FUZZ_BYTE_SOURCE_H_
