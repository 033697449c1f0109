#include "fuzz/stream_layers.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "fuzz/decode.h"
#include "fuzz/outcome.h"

namespace tandem {
namespace fuzz {

using dnnl::memory;

namespace {

// Packed weights have zeros behind their last channels, as only a reorder stores them.
bool Pack(const memory::desc& md, const dnnl::primitive_attr& attr, std::vector<uint8_t>* plain, memory packed) {
  const dnnl_status_t status = Outcome([&] {
    const memory::desc dense(md.get_dims(), md.get_data_type(), memory::dims());
    if (dense.get_size() > plain->size()) plain->resize(dense.get_size());
    memory from(dense, packed.get_engine(), plain->data());
    dnnl::stream stream(packed.get_engine());
    dnnl::reorder(dnnl::reorder::primitive_desc(from, packed, attr)).execute(stream, from, packed);
  });
  return status == dnnl_success;
}

// Makes a layer read the result of the layers below, unless their types differ.
void FitAbove(const ModelLayers& below, RnnCase* rnn) {
  memory::dims x = rnn->md[kSrcLayer].get_dims(), weights = rnn->md[kWeightsLayer].get_dims();
  const memory::dims y = below.pd.query_md(dnnl::query::exec_arg_md, DNNL_ARG_DST_LAYER).get_dims();
  if (x.size() != 3 || weights.size() != 5 || weights[0] != 1 || y.size() != 3) return;
  x[2] = weights[2] = y[2];
  Outcome([&] {
    rnn->md[kSrcLayer] = memory::desc(x, rnn->md[kSrcLayer].get_data_type(), memory::dims());
    rnn->md[kWeightsLayer] = memory::desc(weights, rnn->md[kWeightsLayer].get_data_type(), memory::format_tag::any);
  });
}

}  // namespace

void Vary(ByteSource* bytes, memory::data_type type, std::vector<uint8_t>* buffer) {
  const size_t size = std::max<size_t>(memory::data_type_size(type), 1);
  const bool same = bytes->OneIn(8);
  const float one = same ? bytes->Float() : 0.f;
  uint32_t state = bytes->Byte();
  for (size_t i = 0; i + size <= buffer->size(); i += size) {
    state = state * 1664525u + 1013904223u;
    const float value = same ? one : static_cast<float>(static_cast<int>(state >> 25) - 64) / 128.f;
    const auto byte = static_cast<uint8_t>(state >> 24);
    uint8_t number[sizeof value];
    std::memcpy(number, &value, sizeof value);
    if (size == 1) number[3] = byte;
    // The upper half of an f32 is a bf16, and also some f16.
    std::memcpy(buffer->data() + i, number + sizeof value - size, size);
  }
}

bool AddWeights(ByteSource* bytes, ModelLayers* layers) {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  for (const Tensor tensor : kTensors) {
    const memory::desc md = layers->pd.query_md(dnnl::query::exec_arg_md, ExecArg(tensor));
    if (!IsParameter(tensor) || md.is_zero()) continue;
    std::vector<uint8_t> buffer = MakeBuffer(bytes, md);
    if (buffer.empty()) return false;
    if (!bytes->OneIn(8)) Vary(bytes, md.get_data_type(), &buffer);
    std::vector<uint8_t> values = buffer;
    layers->buffers.push_back(std::make_shared<std::vector<uint8_t>>(std::move(buffer)));
    const memory weights(md, cpu, layers->buffers.back()->data());
    const bool opaque = md.get_format_kind() == memory::format_kind::opaque;
    if (opaque && !Pack(md, layers->attr, &values, weights)) return false;
    layers->weights[ExecArg(tensor)] = weights;
  }
  return true;
}

ModelLayers DecodeLayers(ByteSource* bytes, const ModelLayers* below) {
  ModelLayers layers;
  const bool any = bytes->OneIn(8);
  layers.rnn = DecodeRnn(bytes, any ? Problems::kAll : Problems::kStepped);
  if (below != nullptr && below->pd) FitAbove(*below, &layers.rnn);
  if (any || bytes->OneIn(4)) layers.attr = DecodeAttributes(bytes);
  if (bytes->OneIn(4)) {
    for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
      if (!layers.rnn.md[tensor].is_zero()) layers.rnn.md[tensor].data.data_type = dnnl_s8;
    }
    Outcome([&] { layers.attr.set_rnn_weights_qparams(0, {100.f}); });
    if (bytes->OneIn(2)) Outcome([&] { layers.attr.set_rnn_dynamic_quantization(true); });
  }
  const bool second = bytes->OneIn(3);
  Outcome([&] {
    layers.pd = MakeForward(layers.rnn, Generation::kV3, layers.attr);
    if (second) layers.pd.next_impl();
  });
  return layers;
}

}  // namespace fuzz
}  // namespace tandem
