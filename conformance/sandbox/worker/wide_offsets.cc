#include "conformance/sandbox/worker/wide_offsets.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>

#include "conformance/problem/tensor_set.h"
#include "conformance/sandbox/pipe/strided_tensor.h"
#include "conformance/stated_problem.h"

namespace tandem::conformance {
namespace {

// A signed 32-bit offset cannot reach the next slice, and an unsigned one cannot reach the third.
constexpr int64_t kWideStride = (int64_t{1} << 31) + 64;

// `base` is the first member, so that a pointer to it also points to the whole struct.
struct WidePlugin {
  tandem_plugin base;
  const tandem_plugin* inner;
};

const tandem_plugin* InnerOf(const tandem_plugin* self) { return reinterpret_cast<const WidePlugin*>(self)->inner; }

// Returns the axis whose slices lie farthest apart; -1 if there is one element.
int OutermostAxis(const tandem_tensor& t) {
  int axis = -1;
  for (int i = 0; i < t.ndims; ++i) {
    if (t.dims[i] > 1 && (axis < 0 || t.strides[i] > t.strides[axis])) axis = i;
  }
  return axis;
}

StatedProblem Widened(const tandem_problem& problem) {
  StatedProblem wide(problem);
  for (const Tensor tensor : kTensors) {
    tandem_tensor& t = wide.tensor[tensor];
    // A dense array without strides of its own.
    if (IsByAttribute(tensor)) continue;
    const int axis = OutermostAxis(t);
    if (axis >= 0) t.strides[axis] = std::max(t.strides[axis], kWideStride);
  }
  return wide;
}

size_t Extent(const tandem_tensor& t) {
  int64_t last = 0;
  for (int i = 0; i < t.ndims; ++i) last += (t.dims[i] - 1) * t.strides[i];
  return static_cast<size_t>(last + 1) * SizeOf(static_cast<DataType>(t.data_type));
}

// These tensors of one run lie in address space of their own.
class WideTensors {
 public:
  explicit WideTensors(const tandem_problem& narrow) : narrow_(narrow), wide_(Widened(narrow)) {}
  ~WideTensors() {
    for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
      if (mapped_[i] != nullptr) munmap(mapped_[i], Extent(wide_.tensor[i]));
    }
  }
  WideTensors(const WideTensors&) = delete;
  WideTensors& operator=(const WideTensors&) = delete;

  // Returns false if the system has no address space left.
  bool CopyIn() {
    for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
      tandem_tensor& t = wide_.tensor[i];
      if (IsEmpty(t)) continue;
      // The memory is shared, because the limit on a worker's memory counts private mappings by their size.
      void* memory =
          mmap(nullptr, Extent(t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED) return false;
      // With huge pages the kernel would clear 2 MB for each slice.
      madvise(memory, Extent(t), MADV_NOHUGEPAGE);
      mapped_[i] = t.data = memory;
      CopyElements(narrow_.tensor[i], t);
    }
    return true;
  }
  void CopyOut() const {
    for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
      if (mapped_[i] != nullptr && IsWritten(narrow_, i)) CopyElements(wide_.tensor[i], narrow_.tensor[i]);
    }
  }
  const tandem_problem* problem() { return wide_.get(); }

 private:
  const tandem_problem& narrow_;
  StatedProblem wide_;
  std::array<void*, TANDEM_NUM_TENSORS> mapped_ = {};
};

const tandem_description* Describe(const tandem_plugin* self) { return InnerOf(self)->describe(InnerOf(self)); }

int32_t Supports(const tandem_plugin* self, const tandem_problem* problem, tandem_requirements* needs, char* reason,
                 size_t reason_size) {
  if (sizeof(void*) <= 4) {
    std::snprintf(reason, reason_size, "wide offsets are more than a 32-bit processor addresses");
    return tandem_not_supported;
  }
  StatedProblem wide = Widened(*problem);
  return InnerOf(self)->supports(InnerOf(self), wide.get(), needs, reason, reason_size);
}

int32_t Run(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory, char* message,
            size_t message_size) {
  WideTensors tensors(*problem);
  if (!tensors.CopyIn()) {
    std::snprintf(message, message_size, "the judge found no address space for wide offsets");
    return tandem_failed;
  }
  const int32_t status = InnerOf(self)->run(InnerOf(self), tensors.problem(), memory, message, message_size);
  tensors.CopyOut();
  return status;
}

}  // namespace

const tandem_plugin* WithWideOffsets(const tandem_plugin* plugin) {
  static auto* const kWide = new std::map<const tandem_plugin*, std::unique_ptr<WidePlugin>>;
  std::unique_ptr<WidePlugin>& wide = (*kWide)[plugin];
  if (wide == nullptr) {
    wide = std::make_unique<WidePlugin>();
    wide->base = {sizeof(tandem_plugin), TANDEM_PLUGIN_ABI, Describe, Supports, Run};
    wide->inner = plugin;
  }
  return &wide->base;
}

}  // namespace tandem::conformance
