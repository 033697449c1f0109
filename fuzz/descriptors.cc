// Hostile memory descriptors and reorders through the public API.
#include "fuzz/decode.h"
#include "fuzz/outcome.h"

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

void RunReorder(ByteSource* bytes, const memory::desc& src, const memory::desc& dst) {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  const dnnl::primitive_attr attr = DecodeAttributes(bytes);
  dnnl::reorder::primitive_desc pd;
  const dnnl_status_t status = Outcome([&] { pd = dnnl::reorder::primitive_desc(cpu, src, cpu, dst, attr); });
  Require(status == Outcome([&] { dnnl::reorder::primitive_desc(src, cpu, dst, cpu, attr); }),
          "both orders of arguments do the same");
  const dnnl::reorder::primitive_desc empty(cpu, src, cpu, dst, attr, true);
  Require(!empty == (status != dnnl_success), "allow_empty gives an empty descriptor exactly where the other throws");
  if (status != dnnl_success) return;
  std::vector<uint8_t> from = MakeBuffer(bytes, pd.src_desc()), to = MakeBuffer(bytes, pd.dst_desc());
  if (from.empty() || to.empty()) return;
  std::vector<uint8_t> parameters(4 * 4096, 0x3f);  // scales and zero points, more than small masks need
  std::unordered_map<int, memory> args = {{DNNL_ARG_FROM, memory(pd.src_desc(), cpu, from.data())},
                                          {DNNL_ARG_TO, memory(pd.dst_desc(), cpu, to.data())}};
  for (const int arg : {DNNL_ARG_SRC, DNNL_ARG_DST}) {
    for (const int kind : {DNNL_ARG_ATTR_SCALES, DNNL_ARG_ATTR_ZERO_POINTS}) {
      const memory::desc md = pd.query_md(dnnl::query::exec_arg_md, kind | arg);
      if (md.is_zero() || md.get_size() > parameters.size() || bytes->OneIn(16)) continue;
      args[kind | arg] = memory(md, cpu, parameters.data());
    }
  }
  dnnl::stream stream(cpu);
  Outcome([&] { dnnl::reorder(pd).execute(stream, args); });
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
  RunReorder(&bytes, src, dst);
  return 0;
}
