// The primitive descriptor of an RNN: a validated problem, and the plan of the implementation that will serve it.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_RNN_PRIMITIVE_DESC_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_RNN_PRIMITIVE_DESC_H_

#include "api/library/primitives/primitive_desc.h"

namespace tandem {

class RnnPrimitiveDesc final : public PrimitiveDesc {
 public:
  // Throws unimplemented, with every candidate's reason, if none serves `requested`. `candidates` also bounds Next().
  static Ref<const PrimitiveDesc> Create(const RnnProblem& requested, Candidates candidates,
                                         Ref<tandem_primitive_attr> attr);

  int64_t QueryInt(dnnl_query_t what) const override;
  float QueryFloat(dnnl_query_t what) const override;
  const dnnl_rnn_desc_t& QueryOpDesc() const override { return *op_desc_; }
  Ref<const PrimitiveDesc> Next() const override;
  void Execute(void* const* pointers, void* scratchpad) const override;
  std::string VerboseFields() const override;

  const RnnProblem& requested() const { return requested_; }
  // Returns the problem as the plan serves it, with layouts in place of `any`.
  const RnnProblem& problem() const { return chosen_.plan->problem(); }
  // Whose plan it is.
  int implementation() const { return chosen_.index; }

 private:
  template <class T, class... Args>
  friend Ref<T> MakeRef(Args&&... args);
  RnnPrimitiveDesc(const RnnProblem& requested, Candidates candidates, Chosen<RnnPlan> chosen,
                   Ref<tandem_primitive_attr> attr);

  const MemoryDesc& TensorOf(dnnl_query_t group, int index) const override;

  const RnnProblem requested_;
  const Candidates candidates_;
  const Chosen<RnnPlan> chosen_;
  std::vector<Tensor> tensors_;                           // in the order of arguments()
  const std::unique_ptr<const dnnl_rnn_desc_t> op_desc_;  // of requested_
};

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_PRIMITIVES_RNN_PRIMITIVE_DESC_H_
