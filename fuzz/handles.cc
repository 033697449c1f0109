// The target calls functions over handles of both generations in any order: it creates, copies, moves and releases, queries
// handles that others have released, and executes with whatever memory is there.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "api/core/memory/memory_desc.h"
#include "dnnl.h"
#include "fuzz/decode.h"
#include "fuzz/outcome.h"
#include "fuzz/rnn_case.h"
#include "fuzz/threads.h"

using dnnl::memory;
using namespace tandem::fuzz;

namespace {

constexpr int kSlots = 4;
constexpr int kMostSteps = 48;
constexpr size_t kMostBytes = size_t{1} << 16;

// The calls work on these objects. An empty slot is the argument that a client forgot.
struct World {
  dnnl::engine engines[kSlots];
  dnnl::stream streams[kSlots];
  memory::desc descs[kSlots];
  memory memories[kSlots];
  dnnl::primitive_attr attrs[kSlots] = {dnnl::primitive_attr(nullptr), {}, {}, {}};
  dnnl::post_ops ops[kSlots];
  dnnl::rnn_primitive_desc_base rnns[kSlots];
  dnnl::reorder::primitive_desc reorders[kSlots];
  dnnl::primitive primitives[kSlots];
  std::vector<std::vector<uint8_t>> buffers;  // the memory of handles that do not own theirs
};

template <class T>
T& Any(ByteSource* bytes, T (&slots)[kSlots]) {
  return slots[bytes->Below(kSlots)];
}

// Changes a handle among others of its type.
template <class Handle>
void Live(ByteSource* bytes, Handle (&slots)[kSlots]) {
  Handle& a = Any(bytes, slots);
  Handle& b = Any(bytes, slots);
  switch (bytes->Below(6)) {
    case 0:
      a = b;
      return Require(a == b, "a copy refers to the same object");
    case 1: {
      const Handle before = b;
      Handle moved(std::move(b));
      Require(!b && moved == before, "a moved-from handle is empty");
      a = std::move(moved);
      return Require(a == before, "a move keeps the object");
    }
    case 2:
      a = Handle(b.get(true), true);
      return Require(a == b, "a weak handle shares the object");
    case 3: {
      Handle other(b);
      std::swap(a, other);
      return Require(a == b, "swapped handles keep their objects");
    }
    case 4:
      a.reset(nullptr);
      return Require(!a && (a == b) == !b, "an empty handle equals empty ones alone");
    default:
      a.reset(b.get(true), true);
      return Require(a == b, "reset() shares the object");
  }
}

void Copy(ByteSource* bytes, World* world) {
  switch (bytes->Below(8)) {
    case 0:
      return Live(bytes, world->engines);
    case 1:
      return Live(bytes, world->streams);
    case 2:
      return Live(bytes, world->memories);
    case 3:
      return Live(bytes, world->attrs);
    case 4:
      return Live(bytes, world->ops);
    case 5:
      return Live(bytes, world->rnns);
    case 6:
      return Live(bytes, world->reorders);
    default:
      return Live(bytes, world->primitives);
  }
}

void MakeMemory(ByteSource* bytes, World* world) {
  memory& slot = Any(bytes, world->memories);
  const dnnl::engine& engine = Any(bytes, world->engines);
  const memory::desc& md = Any(bytes, world->descs);
  const size_t needed = std::max(md.get_size(), tandem::ExtentInBytes(md.data));
  switch (bytes->Below(4)) {
    case 0:
      slot = memory(md, engine, DNNL_MEMORY_NONE);
      return;
    case 1:
      if (needed <= kMostBytes) slot = memory(md, engine);
      return;
    case 2:
      slot = memory(md, 1.f);
      return;
    default:
      if (needed > kMostBytes) return;
      world->buffers.emplace_back(needed);
      slot = memory(md, engine, std::vector<void*>{world->buffers.back().data()});
      return;
  }
}

void UseMemory(ByteSource* bytes, World* world) {
  const memory& m = Any(bytes, world->memories);
  switch (bytes->Below(6)) {
    case 0:
      Any(bytes, world->descs) = m.get_desc();
      return;
    case 1:
      Any(bytes, world->engines) = m.get_engine();
      return;
    case 2:
      m.set_data_handle(nullptr);
      return;
    case 3:
      m.set_data_handle(m.get_data_handle(bytes->Below(2)), Any(bytes, world->streams));
      return;
    case 4: {
      void* const mapped = m.map_data();
      m.unmap_data(bytes->OneIn(4) ? nullptr : mapped);
      return;
    }
    default: {
      const_dnnl_memory_desc_t md = nullptr;
      dnnl::error::wrap_c_api(dnnl_memory_get_memory_desc(m.get(true), &md), "dnnl_memory_get_memory_desc");
      Require(memory::desc(*md) == m.get_desc(), "C and C++ give one descriptor");
      return;
    }
  }
}

void UseAttr(ByteSource* bytes, World* world) {
  dnnl::primitive_attr& attr = Any(bytes, world->attrs);
  switch (bytes->Below(6)) {
    case 0:
      attr = DecodeAttributes(bytes);
      return;
    case 1:
      attr.set_post_ops(Any(bytes, world->ops));
      return;
    case 2:
      Any(bytes, world->ops) = attr.get_post_ops();
      return;
    case 3:
      attr.set_scratchpad_mode(static_cast<dnnl::scratchpad_mode>(bytes->Below(3)));
      return;
    case 4: {
      dnnl_primitive_attr_t copy = nullptr;
      dnnl::error::wrap_c_api(dnnl_primitive_attr_clone(&copy, attr.get(true)), "dnnl_primitive_attr_clone");
      attr = dnnl::primitive_attr(copy);
      return;
    }
    default: {
      dnnl::post_ops& ops = Any(bytes, world->ops);
      ops.append_sum(bytes->Float(), bytes->Below(5) - 2, DecodeType(bytes));
      float scale = 0;
      ops.get_params_sum(bytes->Below(4), scale);
      return;
    }
  }
}

void MakePrimitive(ByteSource* bytes, World* world) {
  const dnnl::primitive_attr& attr = Any(bytes, world->attrs);
  switch (bytes->Below(6)) {
    case 0: {
      const RnnCase rnn = DecodeRnn(bytes);
      const auto generation = bytes->OneIn(2) ? Generation::kV2 : Generation::kV3;
      dnnl::rnn_primitive_desc_base& slot = Any(bytes, world->rnns);
      slot = rnn.md[tandem::kDiffSrcLayer].is_zero() ? MakeForward(rnn, generation, attr)
                                                     : MakeBackward(rnn, generation, attr, Any(bytes, world->rnns));
      return;
    }
    case 1: {
      const dnnl::engine& src_engine = Any(bytes, world->engines);
      const memory::desc& src = Any(bytes, world->descs);
      Any(bytes, world->reorders) =
          dnnl::reorder::primitive_desc(src_engine, src, Any(bytes, world->engines), Any(bytes, world->descs), attr);
      return;
    }
    case 2:
      Any(bytes, world->reorders) =
          dnnl::reorder::primitive_desc(Any(bytes, world->memories), Any(bytes, world->memories), attr);
      return;
    case 3: {
      const dnnl::rnn_primitive_desc_base& pd = Any(bytes, world->rnns);
      Any(bytes, world->primitives) = dnnl::primitive(pd);
      return;
    }
    case 4:
      Any(bytes, world->primitives) = dnnl::reorder(Any(bytes, world->reorders));
      return;
    default: {
      const std::vector<uint8_t> blob = Any(bytes, world->primitives).get_cache_blob();
      Any(bytes, world->primitives) = dnnl::primitive(Any(bytes, world->rnns), blob);
      return;
    }
  }
}

// Makes any query of a primitive descriptor, whoever else still refers to it.
void QueryDesc(ByteSource* bytes, const dnnl::primitive_desc_base& pd) {
  const auto what = static_cast<dnnl::query>(bytes->Byte());
  const int index = bytes->OneIn(2) ? bytes->Below(8) : bytes->Number() % 300;
  pd.query_s64(what);
  pd.get_kind();
  pd.get_cell_kind();
  pd.get_alpha();
  Require(std::string(pd.impl_info_str()).size() < 100, "an implementation has a short name");
  Require(pd.get_cache_blob_id() == pd.get_cache_blob_id(), "an id stays");
  Outcome([&] { pd.query_md(what, index); });
  pd.get_primitive_attr().get_post_ops();
  // This has room for the result of any query. C writes there what the query names.
  uint64_t result[4] = {};
  dnnl_primitive_desc_query(pd.get(), static_cast<dnnl_query_t>(bytes->Byte()), index, result);
}

void UseDesc(ByteSource* bytes, World* world) {
  switch (bytes->Below(4)) {
    case 0:
      return QueryDesc(bytes, Any(bytes, world->rnns));
    case 1:
      return QueryDesc(bytes, Any(bytes, world->reorders));
    case 2:
      Any(bytes, world->rnns).next_impl();
      return;
    default: {
      // This is the primitive's own descriptor, which lives as long as the primitive.
      const dnnl::primitive& primitive = Any(bytes, world->primitives);
      const dnnl::primitive_desc_base pd(const_cast<dnnl_primitive_desc_t>(primitive.get_primitive_desc()), true);
      Require(primitive.get_kind() == pd.get_kind(), "a primitive is of its descriptor's kind");
      return QueryDesc(bytes, pd);
    }
  }
}

// Returns a memory for one argument: a fitting one, one from the slots, or none.
memory MemoryFor(ByteSource* bytes, const memory::desc& md, World* world) {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  if (bytes->OneIn(12)) return Any(bytes, world->memories);
  if (md.is_zero() || std::max(md.get_size(), tandem::ExtentInBytes(md.data)) > kMostBytes) return memory();
  if (bytes->OneIn(24)) return memory(md, cpu, DNNL_MEMORY_NONE);
  return memory(md, cpu);
}

void Execute(ByteSource* bytes, World* world) {
  const dnnl::primitive& primitive = Any(bytes, world->primitives);
  const dnnl::stream& stream = Any(bytes, world->streams);
  const dnnl::primitive_desc_base pd(const_cast<dnnl_primitive_desc_t>(primitive.get_primitive_desc()), true);
  std::unordered_map<int, memory> args;
  std::vector<int> names = {DNNL_ARG_FROM, DNNL_ARG_TO, DNNL_ARG_WORKSPACE, DNNL_ARG_SCRATCHPAD};
  for (int i = 0; i < tandem::kNumTensors; ++i) names.push_back(tandem::ExecArg(static_cast<tandem::Tensor>(i)));
  for (const int kind : {DNNL_ARG_ATTR_SCALES, DNNL_ARG_ATTR_ZERO_POINTS}) {
    for (const int arg : {DNNL_ARG_SRC, DNNL_ARG_DST}) names.push_back(kind | arg);
  }
  for (const int name : names) {
    const memory::desc md = pd.query_md(dnnl::query::exec_arg_md, name);
    if (!md.is_zero()) args[name] = MemoryFor(bytes, md, world);
  }
  if (bytes->OneIn(8)) args[bytes->Byte()] = Any(bytes, world->memories);
  primitive.execute(stream, args);
}

void Step(ByteSource* bytes, World* world) {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  switch (bytes->Below(10)) {
    case 0:
      Any(bytes, world->engines) = dnnl::engine(static_cast<dnnl::engine::kind>(bytes->Below(3)), bytes->Below(2));
      return;
    case 1:
      Any(bytes, world->streams) = dnnl::stream(Any(bytes, world->engines));
      Any(bytes, world->engines) = Any(bytes, world->streams).get_engine();
      return;
    case 2:
      Any(bytes, world->descs) = DecodeDesc(bytes);
      return;
    case 3:
      return MakeMemory(bytes, world);
    case 4:
      return UseMemory(bytes, world);
    case 5:
      return UseAttr(bytes, world);
    case 6:
      return MakePrimitive(bytes, world);
    case 7:
      return UseDesc(bytes, world);
    case 8:
      return Execute(bytes, world);
    default:
      return Copy(bytes, world);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ChooseThreads(data, size);
  ByteSource bytes(data, size);
  World world;
  world.engines[1] = dnnl::engine(dnnl::engine::kind::cpu, 0);
  world.streams[1] = dnnl::stream(world.engines[1]);
  for (int step = 0; step < kMostSteps && !bytes.empty(); ++step) {
    Outcome([&] { Step(&bytes, &world); });
  }
  return 0;
}
