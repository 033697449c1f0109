#include "conformance/problem/base/mask_values.h"

#include <iterator>
#include <sstream>

#include "conformance/problem/base/counter_random.h"

namespace tandem::conformance {

double MaskValue(Tensor mask, uint64_t word) {
  constexpr double kKept[] = {2, 4. / 3, 1.25};  // 1 / (1 - p)
  const bool zoneout = mask == kZoneoutIter || mask == kZoneoutIterC;
  switch (word % 4) {
    case 0:
      return 0;
    case 1:
      return zoneout ? 0 : kKept[(word >> 8) % std::size(kKept)];
    case 2:
      return 1;
    default:
      return UnitUniform(MixBits(word));
  }
}

unsigned DrawMasks(uint64_t one_in, uint64_t seed, uint64_t index, Cell cell, bool mixes_h) {
  const uint64_t word = CounterRandom(seed, kStreamMasks, index);
  if (one_in == 0 || word % one_in != 0) return 0;
  unsigned masks = 0;
  for (const Tensor mask : kMasks) {
    const bool fits = PresenceOf(mask, cell) != Presence::kAbsent && (mask != kZoneoutIter || mixes_h);
    if (fits && (word >> (8 + mask - kMasks[0])) % 2 != 0) masks |= MaskBit(mask);
  }
  return masks != 0 ? masks : MaskBit(kMaskLayer);
}

std::string MasksText(unsigned masks) {
  std::string text;
  for (const Tensor mask : kMasks) {
    if ((masks & MaskBit(mask)) != 0) text += (text.empty() ? "" : "+") + std::string(ToString(mask));
  }
  return text.empty() ? "none" : text;
}

bool ParseMasks(const std::string& text, unsigned* masks) {
  unsigned parsed = 0;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, '+');) {
    unsigned bit = 0;
    for (const Tensor mask : kMasks) bit |= word == ToString(mask) ? MaskBit(mask) : 0;
    if (bit == 0 && word != "none") return false;
    parsed |= bit;
  }
  *masks = parsed;
  return true;
}

}  // namespace tandem::conformance
