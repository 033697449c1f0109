// Masks: numbers by which an RNN multiplies the inputs of its layers and its states. Tandem's own (docs/rnn_masks.md).
#ifndef TANDEM_API_CORE_RNN_RNN_MASKS_H_
#define TANDEM_API_CORE_RNN_RNN_MASKS_H_

#include <cstdint>

#include "api/core/rnn/implementation.h"

namespace tandem {

// The bit of dnnl::rnn_masks that asks for a mask.
constexpr unsigned MaskBit(Tensor mask) { return 1u << (mask - kMasks[0]); }
static_assert(MaskBit(kMaskLayer) == tandem_rnn_masks_layer && MaskBit(kMaskIter) == tandem_rnn_masks_iter &&
                  MaskBit(kZoneoutIter) == tandem_rnn_masks_zoneout_iter &&
                  MaskBit(kZoneoutIterC) == tandem_rnn_masks_zoneout_iter_c,
              "the masks follow one another in the order of their bits");

inline bool AsksFor(const Attributes& attr, Tensor mask) { return (attr.rnn_masks & MaskBit(mask)) != 0; }

// Gives the problem a descriptor of each mask that its attributes ask for: f32, dense, in the order of the dims. Throws
// invalid_arguments for a mask that the cell does not have and where zoneout_iter mixes states of different widths,
// unimplemented where the data or the weights are bytes.
void DescribeMasks(RnnProblem* problem);

// A workspace remembers this number of the masks' values that some step reads: 0 without masks, else positive. Other values
// have another one, but for 1 of 2^62.
int64_t FingerprintOfMasks(const RnnProblem& problem, const RnnBuffers& buffers);

}  // namespace tandem

#endif  // TANDEM_API_CORE_RNN_RNN_MASKS_H_
