// The layers of a stream's plan from a fuzzer's bytes.
#ifndef TANDEM_FUZZ_STREAM_LAYERS_H_
#define TANDEM_FUZZ_STREAM_LAYERS_H_

#include <cstdint>
#include <vector>

#include "dnnl.hpp"
#include "fuzz/byte_source.h"
#include "fuzz/stream_model.h"

namespace tandem {
namespace fuzz {

// An empty primitive descriptor if the problem is refused. Most problems are those that streams serve, and may lie above others.
ModelLayers DecodeLayers(ByteSource* bytes, const ModelLayers* below = nullptr);
// False where a tensor is too large for the target, or cannot be packed.
bool AddWeights(ByteSource* bytes, ModelLayers* layers);
// Numbers that differ from place to place, in whatever type; or one number everywhere, which may be an infinity or a NaN.
void Vary(ByteSource* bytes, dnnl::memory::data_type type, std::vector<uint8_t>* buffer);

}  // namespace fuzz
}  // namespace tandem

#endif  // TANDEM_FUZZ_STREAM_LAYERS_H_
