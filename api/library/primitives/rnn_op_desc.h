// The public RNN operation descriptor as the problem that the backends are given.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_RNN_OP_DESC_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_RNN_OP_DESC_H_

#include "api/core/rnn/rnn_problem.h"
#include "api/library/primitives/id_builder.h"

namespace tandem {

// `desc` of a caller to whom a descriptor has `size` bytes: what it does not have is zero. Throws unimplemented if there
// is something in what this library does not have.
dnnl_rnn_desc_t CopyOf(const dnnl_rnn_desc_t& desc, size_t size);
// Validated. Throws what Validate() throws, and invalid_arguments for a number that is no enumerator.
RnnProblem ToProblem(const dnnl_rnn_desc_t& desc, const Attributes& attr);
// The inverse; the attributes are no part of it.
dnnl_rnn_desc_t ToOpDesc(const RnnProblem& problem);

// All of it, as the client gave it.
void Append(const dnnl_rnn_desc_t& desc, IdBuilder* id);

dnnl_prop_kind_t ToC(Propagation propagation);
dnnl_alg_kind_t ToC(Cell cell);
dnnl_rnn_direction_t ToC(Direction direction);
dnnl_alg_kind_t ToC(Activation activation);

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_PRIMITIVES_RNN_OP_DESC_H_
