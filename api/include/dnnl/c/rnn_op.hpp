// The parts of the primitive descriptors of generation 3.
#ifndef DNNL_C_RNN_OP_HPP
#define DNNL_C_RNN_OP_HPP

#include <cstring>

#include "dnnl/c/linkage.h"

namespace dnnl {
inline namespace tandem_v1 {
namespace detail {

// The problem of an RNN primitive. Nothing is checked before create(), and then once.
class c_rnn_op {
 public:
  explicit c_rnn_op(const tandem_rnn_kind_t& kind) {
    std::memset(&data_, 0, sizeof data_);
    data_.primitive_kind = dnnl_rnn;
    data_.prop_kind = kind.prop_kind;
    data_.cell_kind = kind.cell_kind;
    data_.direction = kind.direction;
    data_.activation_kind = kind.activation_kind;
    data_.flags = kind.flags;
    data_.alpha = kind.alpha;
    data_.beta = kind.beta;
  }
  // Null: absent.
  c_rnn_op& set(::dnnl_memory_desc dnnl_rnn_desc_t::*tensor, const_dnnl_memory_desc_t md) {
    if (md != nullptr) data_.*tensor = *md;
    return *this;
  }
  // `pass`: dnnl_forward or dnnl_backward, whatever propagation kind is asked for.
  dnnl_status_t create(dnnl_primitive_desc_t* pd, dnnl_prop_kind_t pass, const_dnnl_primitive_attr_t attr,
                       dnnl_engine_t engine, const_dnnl_primitive_desc_t hint) const {
    const dnnl_status_t status = tandem_rnn_prop_kind_check(data_.prop_kind, pass);
    if (status != dnnl_success) return status;
    return tandem_rnn_primitive_desc_create_sized(pd, &data_, sizeof data_, attr, engine, hint);
  }

 private:
  dnnl_rnn_desc_t data_;
};

}  // namespace detail
}  // namespace tandem_v1
}  // namespace dnnl

#endif
