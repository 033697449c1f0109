// Which problems have masks (docs/rnn_masks.md), and what the masks hold.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_MASK_VALUES_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_MASK_VALUES_H_

#include <cstdint>
#include <string>

#include "api/core/rnn/rnn_masks.h"

namespace tandem::conformance {

// The value of an element with this random word: of dropout 0, 1 / (1 - p), 1 and numbers between 0 and 1, of zoneout 0, 1 and
// numbers between.
double MaskValue(Tensor mask, uint64_t word);

// Draws the masks of problem `index` from a random stream of their own, so that other problems do not depend on it: bits of
// tandem_rnn_masks_t. One problem of every `one_in` gets at least one mask that its cell has, none if it is 0; zoneout_iter only
// where `mixes_h`, because sic is dic.
unsigned DrawMasks(uint64_t one_in, uint64_t seed, uint64_t index, Cell cell, bool mixes_h);

// The value of the option `masks`: "none", or the tensors' names joined by +.
std::string MasksText(unsigned masks);
// Returns false, and leaves `*masks`, for another text.
bool ParseMasks(const std::string& text, unsigned* masks);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_MASK_VALUES_H_
