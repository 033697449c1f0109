#include "reference/reorder/reorder.h"

#include <algorithm>
#include <array>

#include "api/core/attributes/quantization.h"
#include "api/core/error.h"
#include "api/core/reorder/reorder_problem.h"
#include "reference/reorder/reorder_row.h"

namespace tandem {
namespace reference {
namespace {

// Long enough that a row's type switches cost nothing, short enough that its values stay in the first-level cache.
constexpr Dim kRowElements = 512;

using Index = std::array<Dim, DNNL_MAX_NDIMS>;

// A quantization parameter's value for each index: one value, or one for each index of the masked dims, row-major.
template <class T>
struct Parameter {
  const T* values = nullptr;  // null: the parameter is not set
  Index strides{};

  explicit operator bool() const { return values != nullptr; }
  const T* At(const Index& index, int ndims) const {
    const T* value = values;
    for (int d = 0; d < ndims; ++d) value += index[d] * strides[d];
    return value;
  }
};

Index MaskedStrides(const MemoryDesc& md, int mask) {
  Index strides{};
  Dim stride = 1;
  for (int d = md.ndims - 1; d >= 0; --d) {
    if (!(mask >> d & 1)) continue;
    strides[d] = stride;
    stride *= md.dims[d];
  }
  return strides;
}

template <class T>
Parameter<T> Bind(const MemoryDesc& md, const ReorderParameter<T>& parameter, const T* at_execution, const char* name) {
  if (parameter.source == ParameterSource::kNone) return {};
  const T* values = parameter.source == ParameterSource::kCreation ? parameter.values : at_execution;
  if (values == nullptr) ThrowInvalid(std::string(name) + ": their mask was set, but execute() got no values");
  return {values, MaskedStrides(md, parameter.mask)};
}

// The parameters of the reorder's formula, each bound to its values of one execution.
struct BoundParameters {
  Parameter<float> src_scales, output_scales, dst_scales;
  Parameter<int32_t> src_zero_points, dst_zero_points;
  const PostOp* sum = nullptr;

  RnnQparams rnn = RnnQparams::kNone;
  DataQparams data;
  Parameter<float> weights_scales;
  bool to_integer = false;
};

Parameter<float> WholeVector(const MemoryDesc& md, const ScaleVector& scales) {
  return {scales.values.data(), MaskedStrides(md, scales.mask)};
}

BoundParameters BindAll(const ReorderProblem& problem, const ReorderBuffers& buffers) {
  const Attributes& attr = problem.attr;
  const MemoryDesc& md = problem.src;
  BoundParameters q;
  q.src_scales = Bind(md, ScalesOf(attr, kReorderSrcArg), buffers.src_scales, "scales of src");
  q.dst_scales = Bind(md, ScalesOf(attr, kReorderDstArg), buffers.dst_scales, "scales of dst");
  q.src_zero_points = Bind(md, ZeroPointsOf(attr, kReorderSrcArg), buffers.src_zero_points, "zero points of src");
  q.dst_zero_points = Bind(md, ZeroPointsOf(attr, kReorderDstArg), buffers.dst_zero_points, "zero points of dst");
  if (!attr.output_scales.IsDefault()) q.output_scales = WholeVector(md, attr.output_scales);
  if (!attr.post_ops.empty()) q.sum = &attr.post_ops[0];

  q.rnn = RnnQparamsOf(problem);
  q.data = DataQparamsOf(attr);
  q.to_integer = IsByte(TypeOf(problem.dst));
  if (q.rnn == RnnQparams::kWeights) q.weights_scales = WholeVector(md, attr.rnn_weights);
  if (q.rnn == RnnQparams::kProjection) q.weights_scales = WholeVector(md, attr.rnn_weights_projection);
  return q;
}

float Multiply(float value, float scale) { return value * scale; }
float Divide(float value, float scale) { return value / scale; }
float Plus(float value, float zero_point) { return value + zero_point; }
float Minus(float value, float zero_point) { return value - zero_point; }

class PlainReorder : public ReorderPlan {
 public:
  explicit PlainReorder(const ReorderProblem& problem) {
    problem_ = problem;
    ChooseLoops();
  }
  std::string name() const override { return "ref:scalar"; }
  void Execute(const ReorderBuffers& buffers) const override;

 private:
  void ChooseLoops();
  bool IsCopy() const;
  void Convert(const BoundParameters& q, const Index& index, Dim n, const Row& src, const MutableRow& dst) const;

  std::array<int, DNNL_MAX_NDIMS> loops_{};  // dims from the outermost loop to the innermost
  bool copy_ = false;
};

// The innermost loop runs along dst's smallest stride: a strided read costs less than a strided write.
void PlainReorder::ChooseLoops() {
  const MemoryDesc& dst = problem_.dst;
  for (int d = 0; d < dst.ndims; ++d) loops_[d] = d;
  const auto weight = [&dst](int d) { return dst.dims[d] == 1 ? INT64_MAX : Strides(dst)[d]; };
  std::sort(loops_.begin(), loops_.begin() + dst.ndims,
            [&weight](int a, int b) { return weight(a) != weight(b) ? weight(a) > weight(b) : a < b; });
  copy_ = IsCopy();
}

bool PlainReorder::IsCopy() const {
  const Attributes& attr = problem_.attr;
  return problem_.src.data_type == problem_.dst.data_type && attr.post_ops.empty() && attr.output_scales.IsDefault() &&
         ScalesOf(attr, kReorderSrcArg).source == ParameterSource::kNone &&
         ScalesOf(attr, kReorderDstArg).source == ParameterSource::kNone &&
         ZeroPointsOf(attr, kReorderSrcArg).source == ParameterSource::kNone &&
         ZeroPointsOf(attr, kReorderDstArg).source == ParameterSource::kNone;
}

void PlainReorder::Convert(const BoundParameters& q, const Index& index, Dim n, const Row& src,
                           const MutableRow& dst) const {
  const int ndims = problem_.src.ndims, dim = loops_[ndims - 1];
  float values[kRowElements];
  const auto apply = [&](const auto& parameter, auto op) {
    if (!parameter) return;
    const auto* at = parameter.At(index, ndims);
    const Dim stride = parameter.strides[dim];
    for (Dim i = 0; i < n; ++i) values[i] = op(values[i], static_cast<float>(at[i * stride]));
  };
  LoadRow(src, n, values);
  apply(q.src_zero_points, Minus);
  apply(q.src_scales, Multiply);
  apply(q.output_scales, Multiply);
  if (q.sum != nullptr) {
    float old[kRowElements];
    LoadRow({dst.type, dst.base, dst.offset, dst.stride}, n, old);
    const float zero_point = static_cast<float>(q.sum->zero_point);
    for (Dim i = 0; i < n; ++i) values[i] += q.sum->scale * (old[i] - zero_point);
  }
  if (q.rnn == RnnQparams::kData) {
    for (Dim i = 0; i < n; ++i) {
      values[i] = q.to_integer ? ScaleAndShift(values[i], q.data) : DequantizeData(values[i], q.data);
    }
  }
  apply(q.weights_scales, q.to_integer ? Multiply : Divide);
  apply(q.dst_scales, Divide);
  apply(q.dst_zero_points, Plus);
  StoreRow(dst, n, values);
}

void PlainReorder::Execute(const ReorderBuffers& buffers) const {
  const MemoryDesc &src = problem_.src, &dst = problem_.dst;
  if (NumElements(dst) == 0) return;
  const BoundParameters q = BindAll(problem_, buffers);
  const int inner = loops_[dst.ndims - 1];
  const DataType src_type = TypeOf(src), dst_type = TypeOf(dst);
  Index index{};
  for (;;) {
    const Dim n = std::min(kRowElements, dst.dims[inner] - index[inner]);
    const Row from = {src_type, buffers.src, OffsetAt(src, index.data()), Strides(src)[inner]};
    const MutableRow to = {dst_type, buffers.dst, OffsetAt(dst, index.data()), Strides(dst)[inner]};
    if (copy_) {
      CopyRow(from, to, n);
    } else {
      Convert(q, index, n, from, to);
    }
    index[inner] += n;
    int loop = dst.ndims - 1;
    while (index[loops_[loop]] == dst.dims[loops_[loop]]) {
      index[loops_[loop]] = 0;
      if (--loop < 0) return;
      ++index[loops_[loop]];
    }
  }
}

}  // namespace

std::unique_ptr<const ReorderPlan> CreateReorder(const ReorderProblem& problem, std::string* why_not) {
  Validate(problem);
  if (!IsPlain(problem.src) || !IsPlain(problem.dst)) {
    if (why_not != nullptr) *why_not = "the reference serves plain layouts only";
    return nullptr;
  }
  return std::make_unique<PlainReorder>(problem);
}

}  // namespace reference
}  // namespace tandem
