// The target makes valid and invalid memory descriptors and reorders through the public API.
#include "fuzz/decode.h"
#include "fuzz/outcome.h"
#include "fuzz/run_reorder.h"

using dnnl::memory;
using namespace tandem::fuzz;

namespace {

void CheckQueries(const memory::desc& md) {
  Require(md == memory::desc(md.get_blob()), "a descriptor equals the copy made from its blob");
  Require(md.is_zero() == !md, "operator bool is the complement of is_zero()");
  Require(md.get_dims().size() <= DNNL_MAX_NDIMS, "no query reaches beyond the struct's arrays");
  Require(md.get_strides().size() <= DNNL_MAX_NDIMS, "no query reaches beyond the struct's arrays");
  Require(md.get_inner_blks().size() <= DNNL_MAX_NDIMS, "no query reaches beyond the struct's arrays");
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  Outcome([&] {
    const memory without_buffer(md, cpu, DNNL_MEMORY_NONE);
    Require(without_buffer.get_desc() == md, "a memory has the descriptor it was made from");
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteSource bytes(data, size);
  memory::desc src = DecodeDesc(&bytes);
  CheckQueries(src);
  memory::desc dst = bytes.OneIn(3) ? DecodeDesc(&bytes) : DecodeLayout(&bytes, src);
  if (bytes.OneIn(3)) {
    const memory::data_type type = DecodeType(&bytes);
    if (type != memory::data_type::undef) dst.data.data_type = dnnl::convert_to_c(type);
  }
  CheckQueries(dst);
  for (int n = bytes.Below(4) - 2; n > 0; --n) Damage(&bytes, bytes.OneIn(2) ? &src : &dst);
  CheckQueries(src);
  CheckQueries(dst);
  Require((src == dst) == (dst == src), "equality is symmetric");
  RunReorder(&bytes, src, dst, DecodeAttributes(&bytes));
  return 0;
}
