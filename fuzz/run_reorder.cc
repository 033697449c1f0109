#include "fuzz/run_reorder.h"

#include "api/core/memory/memory_desc.h"
#include "fuzz/decode.h"
#include "fuzz/outcome.h"

namespace tandem {
namespace fuzz {

using dnnl::memory;

void RunReorder(ByteSource* bytes, const memory::desc& src, const memory::desc& dst, const dnnl::primitive_attr& attr) {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::reorder::primitive_desc pd;
  const dnnl_status_t status = Outcome([&] { pd = dnnl::reorder::primitive_desc(cpu, src, cpu, dst, attr); });
  Require(status == Outcome([&] { dnnl::reorder::primitive_desc(src, cpu, dst, cpu, attr); }),
          "both orders of arguments do the same");
  const dnnl::reorder::primitive_desc empty(cpu, src, cpu, dst, attr, true);
  Require(!empty == (status != dnnl_success), "allow_empty gives an empty descriptor exactly where the other throws");
  if (status != dnnl_success) return;
  // Memories have dims of their own if the descriptor leaves them to the execution (api/tests/metamorphic/runtime_dims_test.cc).
  if (HasRuntimeValues(src.data) || HasRuntimeValues(dst.data)) return;
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

}  // namespace fuzz
}  // namespace tandem
