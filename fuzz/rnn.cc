// The target makes valid and invalid RNN problems and attributes through both generations of the API, and executes valid ones.
#include "fuzz/decode.h"
#include "fuzz/outcome.h"
#include "fuzz/rnn_case.h"
#include "fuzz/run_reorder.h"
#include "fuzz/threads.h"

using dnnl::memory;
using namespace tandem;
using namespace tandem::fuzz;

namespace {

using Pd = dnnl::rnn_primitive_desc_base;

// Makes a descriptor in both generations, which must agree on the status; `make` has all arguments bound but these.
template <class Make>
Pd MakeBothWays(Make make) {
  Pd v2, v3;
  const dnnl_status_t status = Outcome([&] { v3 = make(Generation::kV3, OnError::kThrow); });
  const dnnl_status_t status_v2 = Outcome([&] { v2 = make(Generation::kV2, OnError::kThrow); });
  if (status != status_v2) {
    std::fprintf(stderr, "v2: %d, v3: %d\n", status_v2, status);
    Fail("the two generations differ in status");
  }
  Require(status == dnnl_success || !make(Generation::kV3, OnError::kGiveEmpty),
          "allow_empty gives an empty descriptor");
  if (status != dnnl_success) return Pd();
  Require(std::string(v2.impl_info_str()) == v3.impl_info_str(), "both generations choose one implementation");
  for (int i = 0; i < kNumTensors; ++i) {
    const int arg = ExecArg(static_cast<Tensor>(i));
    const memory::desc md = v3.query_md(dnnl::query::exec_arg_md, arg);
    Require(md == v2.query_md(dnnl::query::exec_arg_md, arg), "both generations choose one layout");
    Require(md.get_format_kind() != memory::format_kind::any, "a primitive descriptor leaves no layout open");
  }
  return v3;
}

// These are the buffers of one or two executions, by DNNL_ARG_*.
struct Buffers {
  std::unordered_map<int, std::vector<uint8_t>> bytes;
  std::unordered_map<int, memory> args;
  bool fits = true;

  void Add(ByteSource* source, int arg, const memory::desc& md) {
    if (md.is_zero() || args.count(arg) != 0) return;
    bytes[arg] = MakeBuffer(source, md);
    if (bytes[arg].empty()) fits = fits && md.get_size() == 0;
    args[arg] = memory(md, dnnl::engine(dnnl::engine::kind::cpu, 0), bytes[arg].data());
  }
  void AddAll(ByteSource* source, const Pd& pd) {
    for (int i = 0; i < kNumTensors; ++i) {
      const int arg = ExecArg(static_cast<Tensor>(i));
      Add(source, arg, pd.query_md(dnnl::query::exec_arg_md, arg));
    }
    Add(source, DNNL_ARG_WORKSPACE, pd.workspace_desc());
    args.erase(DNNL_ARG_SCRATCHPAD);
    Add(source, DNNL_ARG_SCRATCHPAD, pd.scratchpad_desc());
  }
};

dnnl_status_t Execute(ByteSource* bytes, const Pd& pd, std::unordered_map<int, memory> args) {
  if (!args.empty() && bytes->OneIn(12)) args.erase(args.begin());
  dnnl::stream stream(dnnl::engine(dnnl::engine::kind::cpu, 0));
  return Outcome([&] { dnnl::primitive(pd).execute(stream, args); });
}

// Reorders weights into the implementation's layout and back. Sometimes the opaque descriptor is damaged, as a client could.
void ReorderWeights(ByteSource* bytes, const Pd& pd, const dnnl::primitive_attr& attr) {
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    memory::desc packed = pd.query_md(dnnl::query::exec_arg_md, ExecArg(tensor));
    if (packed.get_format_kind() != memory::format_kind::opaque) continue;
    memory::desc plain;
    Outcome([&] {
      plain =
          memory::desc(packed.get_dims(), bytes->OneIn(2) ? DecodeType(bytes) : packed.get_data_type(), memory::dims());
    });
    if (bytes->OneIn(2)) Damage(bytes, &packed);
    RunReorder(bytes, plain, packed, attr);
    RunReorder(bytes, packed, plain, attr);
  }
}

void RunForward(ByteSource* bytes, const Pd& pd) {
  Buffers buffers;
  buffers.AddAll(bytes, pd);
  if (buffers.fits) Execute(bytes, pd, buffers.args);
}

// Forward and backward may want different layouts, so each gets its own copy of the tensors that both have.
void RunBackward(ByteSource* bytes, const Pd& forward, const Pd& backward) {
  Buffers own;
  own.AddAll(bytes, backward);
  if (!own.fits) return;
  Require(Execute(bytes, backward, own.args) == dnnl_invalid_arguments, "a workspace that was never filled is refused");
  if (!forward) return;
  Buffers first;
  first.AddAll(bytes, forward);
  if (!first.fits) return;
  Execute(bytes, forward, first.args);
  if (first.args.count(DNNL_ARG_WORKSPACE) == 0) return;
  own.args[DNNL_ARG_WORKSPACE] = first.args[DNNL_ARG_WORKSPACE];
  Execute(bytes, backward, own.args);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ChooseThreads(data, size);
  ByteSource bytes(data, size);
  const RnnCase rnn = DecodeRnn(&bytes);
  const dnnl::primitive_attr attr = DecodeAttributes(&bytes);
  if (rnn.md[kDiffSrcLayer].is_zero()) {
    const Pd pd = MakeBothWays(
        [&](Generation generation, OnError on_error) { return MakeForward(rnn, generation, attr, on_error); });
    if (!pd) return 0;
    if (bytes.OneIn(2)) RunForward(&bytes, pd);
    ReorderWeights(&bytes, pd, attr);
    return 0;
  }
  RnnCase training = rnn;
  training.prop = dnnl::prop_kind::forward_training;
  Pd hint;
  Outcome([&] { hint = MakeForward(training, Generation::kV3, attr); });
  const Pd pd = MakeBothWays(
      [&](Generation generation, OnError on_error) { return MakeBackward(rnn, generation, attr, hint, on_error); });
  if (!pd) return 0;
  if (bytes.OneIn(2)) RunBackward(&bytes, hint, pd);
  ReorderWeights(&bytes, pd, attr);
  return 0;
}
