// The one query function of the C API, which asks for results of every type.
#include "api/core/names.h"
#include "api/library/guard.h"
#include "api/library/primitives/primitive_desc.h"

using namespace tandem;

namespace {

template <class T>
void Put(void* result, T value) {
  *static_cast<T*>(result) = value;
}

void Query(const tandem_primitive_desc& handle, dnnl_query_t what, int index, void* result) {
  const PrimitiveDesc& pd = *handle.content;
  switch (static_cast<int>(what)) {
    // There is one device, so it is the answer to every query for an engine.
    case dnnl_query_engine:
    case dnnl_query_scratchpad_engine:
    case dnnl_query_reorder_src_engine:
    case dnnl_query_reorder_dst_engine:
      return Put(result, static_cast<dnnl_engine_t>(handle.engine.get()));
    case dnnl_query_impl_info_str:
      return Put(result, pd.impl_name().c_str());
    case dnnl_query_cache_blob_id:
      return Put(result, pd.id().data());
    case dnnl_query_memory_consumption_s64:
    case dnnl_query_cache_blob_id_size_s64:
      return Put<dnnl_dim_t>(result, pd.QueryInt(what));
    case dnnl_query_primitive_kind:
    case dnnl_query_num_of_inputs_s32:
    case dnnl_query_num_of_outputs_s32:
    case dnnl_query_prop_kind:
    case dnnl_query_cell_kind:
    case dnnl_query_direction:
    case dnnl_query_activation_kind:
    case dnnl_query_flags:
      return Put(result, static_cast<int>(pd.QueryInt(what)));
    case dnnl_query_alpha_f32:
    case dnnl_query_beta_f32:
      return Put(result, pd.QueryFloat(what));
    case dnnl_query_op_d:
    case dnnl_query_rnn_d:
      return Put(result, &pd.QueryOpDesc());
    case dnnl_query_src_md:
    case dnnl_query_diff_src_md:
    case dnnl_query_weights_md:
    case dnnl_query_diff_weights_md:
    case dnnl_query_dst_md:
    case dnnl_query_diff_dst_md:
    case dnnl_query_workspace_md:
    case dnnl_query_scratchpad_md:
    case dnnl_query_exec_arg_md:
      return Put(result, &pd.QueryMd(what, index));
    default:
      ThrowUnimplemented("query " + QueryName(what) + ": is not known to this primitive");
  }
}

}  // namespace

dnnl_status_t tandem_primitive_desc_query(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int index, void* result) {
  return Guard([&] {
    NotNull(static_cast<char*>(result), "primitive descriptor", "pointer for the result of a query");
    Query(NotNull(pd, "primitive descriptor"), what, index, result);
  });
}
