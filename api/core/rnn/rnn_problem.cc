#include "api/core/rnn/rnn_problem.h"

#include <initializer_list>

#include "api/core/float16.h"
#include "api/core/rnn/rnn_checks.h"

namespace tandem {

// Data types before dims, dims before attributes: a problem with several mistakes gets the status that oneDNN gives it.
void Validate(RnnProblem* problem) {
  CheckEnumerators(*problem);
  CheckDescriptors(*problem);
  CheckPresence(*problem);
  CheckAttentionCell(*problem);
  CheckKnown(*problem);
  CheckTypes(*problem);
  DeriveAndCheckDims(problem);
  CheckLayouts(*problem);
  CheckAttributes(*problem);
}

namespace {

// 64-bit FNV-1a over the bytes of each value (http://www.isthe.com/chongo/tech/comp/fnv/).
uint64_t Hash(std::initializer_list<int64_t> values) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const int64_t value : values) {
    for (int shift = 0; shift < 64; shift += 8) {
      hash = (hash ^ (static_cast<uint64_t>(value) >> shift & 0xffu)) * 0x100000001b3u;
    }
  }
  return hash;
}

DataType TypeOfFirst(const RnnProblem& problem, Tensor first, Tensor second, DataType otherwise) {
  for (const Tensor tensor : {first, second}) {
    if (problem.Has(tensor)) return TypeOf(problem.md[tensor]);
  }
  return otherwise;
}

}  // namespace

RnnProblem ForwardOf(const RnnProblem& problem) {
  RnnProblem forward = problem;
  forward.propagation = Propagation::kForwardTraining;
  for (const Tensor tensor : kDiffTensors) forward.md[tensor] = MemoryDesc{};
  return forward;
}

DataType IterStateType(const RnnProblem& problem) {
  return TypeOfFirst(problem, kSrcIter, kDstIter, problem.SrcType());
}

DataType CellStateType(const RnnProblem& problem) { return TypeOfFirst(problem, kSrcIterC, kDstIterC, DataType::kF32); }

uint64_t WorkspaceFingerprint(const RnnProblem& problem) {
  const auto has = [&problem](Tensor tensor) -> int64_t { return problem.Has(tensor); };
  const bool activation = HasActivation(problem.cell);
  return Hash({static_cast<int64_t>(problem.cell),
               static_cast<int64_t>(problem.direction),
               activation ? static_cast<int64_t>(problem.activation) : 0,
               activation ? static_cast<int64_t>(BitsOf(problem.alpha)) : 0,
               problem.n_layer,
               problem.n_dir,
               problem.n_iter,
               problem.mb,
               problem.slc,
               problem.sic,
               problem.dhc,
               problem.dic,
               problem.dlc,
               problem.md[kSrcLayer].data_type,
               static_cast<int64_t>(CellStateType(problem)),
               has(kSrcIter),
               has(kSrcIterC),
               has(kAugruAttention),
               has(kWeightsPeephole),
               has(kWeightsProjection),
               has(kBias)});
}

FpmathMode EffectiveFpmathMode(const RnnProblem& problem) {
  // By the data type table, an f32 src_layer means that every other tensor is f32 too.
  return problem.SrcType() == DataType::kF32 ? problem.attr.fpmath_mode : FpmathMode::kStrict;
}

}  // namespace tandem
