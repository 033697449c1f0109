#include "conformance/problem/base/printable.h"

#include "conformance/problem/base/format.h"

namespace tandem::conformance {
namespace {

unsigned Byte(const std::string& text, size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
}

// Bytes of the UTF-8 character at `at`, of more than one byte; 0 if it is none. Overlong forms are none.
size_t WideCharacter(const std::string& text, size_t at) {
  const unsigned first = Byte(text, at);
  const size_t length = first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (first > 0xf4) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((Byte(text, at + i) & 0xc0) != 0x80) return 0;
  }
  if ((first == 0xe0 && Byte(text, at + 1) < 0xa0) || (first == 0xf0 && Byte(text, at + 1) < 0x90)) return 0;
  return length;
}

bool IsPlain(unsigned byte) { return (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\t'; }
bool IsC1(const std::string& text, size_t at) { return Byte(text, at) == 0xc2 && Byte(text, at + 1) < 0xa0; }

}  // namespace

std::string Printable(const std::string& text) {
  std::string printable;
  for (size_t at = 0; at < text.size();) {
    const size_t wide = IsC1(text, at) ? 0 : WideCharacter(text, at);
    if (wide == 0 && !IsPlain(Byte(text, at))) {
      printable += Format("\\x%02x", Byte(text, at++));
      continue;
    }
    const size_t length = wide == 0 ? 1 : wide;
    printable += text.substr(at, length);
    at += length;
  }
  return printable;
}

}  // namespace tandem::conformance
