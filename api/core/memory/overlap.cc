#include "api/core/memory/overlap.h"

#include <algorithm>
#include <cstring>

namespace tandem {
namespace {

// The bytes of a tensor: runs of `run` bytes that begin at begin + sum(k_i * stride_i), 0 <= k_i < count_i.
struct Runs {
  struct Axis {
    int64_t stride;  // bytes
    int64_t count;
  };
  std::array<Axis, DNNL_MAX_NDIMS> axis;
  int rank = 0;
  int64_t begin = 0;
  int64_t run = 0;
};

Runs RunsOf(const PlacedTensor& tensor) {
  const MemoryDesc& md = tensor.md;
  Runs runs;
  runs.begin = static_cast<int64_t>(reinterpret_cast<uintptr_t>(tensor.base));
  if (!IsPlain(md)) {
    runs.run = static_cast<int64_t>(ExtentInBytes(md));
    return runs;
  }
  if (NumElements(md) == 0) return runs;
  const auto size = static_cast<int64_t>(SizeOf(TypeOf(md)));
  runs.begin += md.offset0 * size;
  runs.run = size;
  for (int i = 0; i < md.ndims; ++i) {
    if (md.dims[i] > 1 && Strides(md)[i] > 0) runs.axis[runs.rank++] = {Strides(md)[i] * size, md.dims[i]};
  }
  const auto begin = runs.axis.begin(), end = begin + runs.rank;
  std::sort(begin, end, [](const Runs::Axis& a, const Runs::Axis& b) { return a.stride > b.stride; });
  while (runs.rank > 0 && runs.axis[runs.rank - 1].stride == runs.run) runs.run *= runs.axis[--runs.rank].count;
  return runs;
}

// Looks for k_i in [low_i, high_i] with distance + sum(k_i * stride_i) in [first, last].
class DistanceSearch {
 public:
  DistanceSearch(const Runs& a, const Runs& b) : first_(1 - a.run), last_(b.run - 1) {
    for (int i = 0; i < a.rank; ++i) terms_[rank_++] = {a.axis[i].stride, 0, a.axis[i].count - 1};
    for (int i = 0; i < b.rank; ++i) Add({b.axis[i].stride, 1 - b.axis[i].count, 0});
    std::sort(terms_.begin(), terms_.begin() + rank_, [](const Term& x, const Term& y) { return x.stride > y.stride; });
    for (int i = rank_ - 1; i >= 0; --i) {
      rest_low_[i] = rest_low_[i + 1] + terms_[i].low * terms_[i].stride;
      rest_high_[i] = rest_high_[i + 1] + terms_[i].high * terms_[i].stride;
    }
  }

  bool Finds(int64_t distance) { return From(0, distance); }

 private:
  struct Term {
    int64_t stride, low, high;
  };
  static constexpr int kMost = 2 * DNNL_MAX_NDIMS;

  // Windows of one buffer have the same strides: only the difference of the two indices counts.
  void Add(const Term& term) {
    for (int i = 0; i < rank_; ++i) {
      if (terms_[i].stride != term.stride) continue;
      terms_[i].low += term.low;
      terms_[i].high += term.high;
      return;
    }
    terms_[rank_++] = term;
  }

  static int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }

  // Only those k are tried from which the smaller strides can still reach the interval: one or two where the strides
  // are nested as in tensors of one shape.
  bool From(int i, int64_t distance) {
    if (distance + rest_high_[i] < first_ || distance + rest_low_[i] > last_) return false;
    if (i == rank_ || ++tried_ > kMostTried) return true;
    const Term& term = terms_[i];
    const int64_t low = std::max(term.low, -FloorDiv(distance + rest_high_[i + 1] - first_, term.stride));
    const int64_t high = std::min(term.high, FloorDiv(last_ - distance - rest_low_[i + 1], term.stride));
    for (int64_t k = low; k <= high; ++k) {
      if (From(i + 1, distance + k * term.stride)) return true;
    }
    return false;
  }

  static constexpr int kMostTried = 10000;
  const int64_t first_, last_;
  std::array<Term, kMost> terms_;
  std::array<int64_t, kMost + 1> rest_low_{}, rest_high_{};
  int rank_ = 0;
  int tried_ = 0;
};

void CopyFrom(const MemoryDesc& md, int dim, const char* from, char* to) {
  const size_t size = SizeOf(TypeOf(md));
  const auto count = static_cast<size_t>(md.dims[dim]);
  const size_t stride = static_cast<size_t>(Strides(md)[dim]) * size;
  if (dim == md.ndims - 1 && stride == size) {
    std::memcpy(to, from, count * size);
    return;
  }
  for (size_t i = 0; i < count; ++i, from += stride, to += stride) {
    if (dim < md.ndims - 1) {
      CopyFrom(md, dim + 1, from, to);
    } else {
      std::memcpy(to, from, size);
    }
  }
}

}  // namespace

bool ShareBytes(const PlacedTensor& a, const PlacedTensor& b) {
  const Runs runs_a = RunsOf(a), runs_b = RunsOf(b);
  if (runs_a.run == 0 || runs_b.run == 0) return false;
  return DistanceSearch(runs_a, runs_b).Finds(runs_a.begin - runs_b.begin);
}

void CopyElements(const MemoryDesc& md, const void* from_base, void* to_base) {
  const auto* from = static_cast<const char*>(from_base);
  auto* to = static_cast<char*>(to_base);
  if (!IsPlain(md)) {
    std::memcpy(to, from, ExtentInBytes(md));
    return;
  }
  const size_t offset = static_cast<size_t>(md.offset0) * SizeOf(TypeOf(md));
  CopyFrom(md, 0, from + offset, to + offset);
}

}  // namespace tandem
