#include "api/reorder_problem.h"

#include <string>

#include "api/core/error.h"
#include "api/memory.h"

namespace tandem {
namespace {

const MemoryDesc& DescOf(const ReorderProblem& problem, int arg) {
  return arg == DNNL_ARG_SRC ? problem.src : problem.dst;
}

std::string NameOf(int arg) { return arg == DNNL_ARG_SRC ? "src" : "dst"; }

// Values that a mask asks for: the product of the dims whose bit is set.
Dim Count(const MemoryDesc& md, int mask) {
  Dim count = 1;
  for (int i = 0; i < md.ndims; ++i) {
    if (mask >> i & 1) count *= md.dims[i];
  }
  return count;
}

void CheckMask(const MemoryDesc& md, int mask, const std::string& name) {
  if (mask < 0 || mask >> md.ndims != 0) {
    ThrowInvalid(name + ": mask is " + std::to_string(mask) + ", but the tensor has " + std::to_string(md.ndims) +
                 " dims");
  }
}

void CheckCount(const MemoryDesc& md, int mask, size_t given, const std::string& name) {
  CheckMask(md, mask, name);
  if (static_cast<Dim>(given) != Count(md, mask)) {
    ThrowInvalid(name + ": has " + std::to_string(given) + " values, but mask " + std::to_string(mask) + " of " +
                 DimsToString(md) + " needs " + std::to_string(Count(md, mask)));
  }
}

void CheckArgument(int arg, const char* what) {
  if (arg != DNNL_ARG_SRC && arg != DNNL_ARG_DST) {
    ThrowUnimplemented(std::string(what) + ": set for argument " + std::to_string(arg) +
                       ", but a reorder has only src and dst");
  }
}

bool IsIntegral(const MemoryDesc& md) {
  const DataType type = TypeOf(md);
  return type == DataType::kU8 || type == DataType::kS8 || type == DataType::kS32;
}

void CheckDescriptor(const MemoryDesc& md, const std::string& name) {
  CheckWellFormed(md, name);
  if (IsAny(md)) ThrowInvalid(name + ": is `any`, but a reorder needs a layout");
  if (HasRuntimeValues(md)) ThrowUnimplemented(name + ": has dims known at execution only");
}

void CheckDims(const ReorderProblem& problem) {
  CheckDescriptor(problem.src, "src");
  CheckDescriptor(problem.dst, "dst");
  bool equal = problem.src.ndims == problem.dst.ndims;
  for (int i = 0; equal && i < problem.src.ndims; ++i) {
    equal = problem.src.dims[i] == problem.dst.dims[i];
  }
  if (!equal) {
    ThrowInvalid("src: has dims " + DimsToString(problem.src) + ", but dst has " + DimsToString(problem.dst));
  }
  if (HasBroadcast(problem.dst)) {
    ThrowInvalid("dst: " + Describe(problem.dst) + " stores two elements in one place");
  }
}

void NormalizeScales(ReorderProblem* problem) {
  Attributes& attr = problem->attr;
  for (const auto& entry : attr.scales) {
    CheckArgument(entry.first, "scales");
    CheckCount(DescOf(*problem, entry.first), entry.second.mask, entry.second.values.size(),
               "scales of " + NameOf(entry.first));
    attr.scale_masks[entry.first] = entry.second.mask;
  }
  for (const auto& entry : attr.scale_masks) {
    CheckArgument(entry.first, "scales");
    CheckMask(DescOf(*problem, entry.first), entry.second, "scales of " + NameOf(entry.first));
  }
  CheckCount(problem->dst, attr.output_scales.mask, attr.output_scales.values.size(), "output_scales");
}

void NormalizeZeroPoints(ReorderProblem* problem) {
  Attributes& attr = problem->attr;
  for (const auto& entry : attr.zero_points) {
    CheckArgument(entry.first, "zero points");
    CheckCount(DescOf(*problem, entry.first), entry.second.first, entry.second.second.size(),
               "zero points of " + NameOf(entry.first));
    attr.zero_point_masks[entry.first] = entry.second.first;
  }
  for (const auto& entry : attr.zero_point_masks) {
    CheckArgument(entry.first, "zero points");
    const MemoryDesc& md = DescOf(*problem, entry.first);
    CheckMask(md, entry.second, "zero points of " + NameOf(entry.first));
    if (!IsIntegral(md)) {
      ThrowInvalid("zero points of " + NameOf(entry.first) + ": are set, but its data type is " + ToString(TypeOf(md)));
    }
  }
}

}  // namespace

void NormalizeAndCheck(ReorderProblem* problem) {
  CheckDims(*problem);
  NormalizeScales(problem);
  NormalizeZeroPoints(problem);
  const std::vector<PostOp>& post_ops = problem->attr.post_ops;
  if (post_ops.size() > 1 || (post_ops.size() == 1 && post_ops[0].kind != dnnl_sum)) {
    ThrowUnimplemented("post_ops: has " + std::to_string(post_ops.size()) + " entries, but a reorder takes one sum");
  }
}

QuantizationArgument ScalesOf(const ReorderProblem& problem, int arg) {
  QuantizationArgument result{arg};
  const auto mask = problem.attr.scale_masks.find(arg);
  if (mask == problem.attr.scale_masks.end()) return result;
  result.count = Count(DescOf(problem, arg), mask->second);
  const auto values = problem.attr.scales.find(arg);
  if (values != problem.attr.scales.end()) result.at_creation = values->second.values.data();
  return result;
}

QuantizationArgument ZeroPointsOf(const ReorderProblem& problem, int arg) {
  QuantizationArgument result{arg};
  const auto mask = problem.attr.zero_point_masks.find(arg);
  if (mask == problem.attr.zero_point_masks.end()) return result;
  result.count = Count(DescOf(problem, arg), mask->second);
  const auto values = problem.attr.zero_points.find(arg);
  if (values != problem.attr.zero_points.end()) {
    result.at_creation = values->second.second.data();
  }
  return result;
}

}  // namespace tandem
