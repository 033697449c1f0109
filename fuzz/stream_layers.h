// A fuzzer's bytes make the layers of a stream's plan.
#ifndef TANDEM_FUZZ_STREAM_LAYERS_H_
#define TANDEM_FUZZ_STREAM_LAYERS_H_

#include <cstdint>
#include <vector>

#include "dnnl.hpp"
#include "fuzz/byte_source.h"
#include "fuzz/stream_model.h"

namespace tandem {
namespace fuzz {

// Returns an empty primitive descriptor if the problem is refused. Streams serve most problems, which may lie above others.
ModelLayers DecodeLayers(ByteSource* bytes, const ModelLayers* below = nullptr);
// Returns false if a tensor is too large for the target, or cannot be packed.
bool AddWeights(ByteSource* bytes, ModelLayers* layers);
// Writes numbers that differ from place to place; or one number everywhere, which may be an infinity or a NaN.
void Vary(ByteSource* bytes, dnnl::memory::data_type type, std::vector<uint8_t>* buffer);

}  // namespace fuzz
}  // namespace tandem

#endif  // TANDEM_FUZZ_STREAM_LAYERS_H_
