// These functions make descriptors and attributes from a fuzzer's bytes, mostly valid ones.
#ifndef TANDEM_FUZZ_DECODE_H_
#define TANDEM_FUZZ_DECODE_H_

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "dnnl.hpp"
#include "fuzz/byte_source.h"

namespace tandem {
namespace fuzz {

// Returns `rank` numbers from ByteSource::Number().
dnnl::memory::dims DecodeDims(ByteSource* bytes, int rank);
dnnl::memory::data_type DecodeType(ByteSource* bytes);
// Returns a descriptor from any constructor; a zero descriptor if the constructor threw.
dnnl::memory::desc DecodeDesc(ByteSource* bytes);
// Returns another descriptor of the same dims: other strides, a part of a larger tensor, or `any`.
dnnl::memory::desc DecodeLayout(ByteSource* bytes, const dnnl::memory::desc& md);
// Writes some value of the field's type into one field of the public struct, as a client can.
void Damage(ByteSource* bytes, dnnl::memory::desc* md);

// The bytes choose an order for the dims of a tensor.
class DimsLeft {
 public:
  explicit DimsLeft(size_t rank) : left_(rank) { std::iota(left_.begin(), left_.end(), size_t{0}); }

  bool empty() const { return left_.empty(); }
  size_t Take(ByteSource* bytes) {
    const auto chosen = left_.begin() + bytes->Below(static_cast<int>(left_.size()));
    const size_t dim = *chosen;
    left_.erase(chosen);
    return dim;
  }

 private:
  std::vector<size_t> left_;
};

// Calls every setter, each with some probability.
dnnl::primitive_attr DecodeAttributes(ByteSource* bytes);

// Returns a block of exactly the bytes that `md` reaches, so that a sanitizer sees one too many. It is filled with a repeated
// value that its type may hold (NaN and infinities included). It is empty above one MiB.
std::vector<uint8_t> MakeBuffer(ByteSource* bytes, const dnnl::memory::desc& md);

}  // namespace fuzz
}  // namespace tandem

#endif  // TANDEM_FUZZ_DECODE_H_
