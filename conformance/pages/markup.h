// This function escapes text for XML and HTML.
#ifndef TANDEM_CONFORMANCE_PAGES_MARKUP_H_
#define TANDEM_CONFORMANCE_PAGES_MARKUP_H_

#include <string>

namespace tandem::conformance {

// The result fits element content and attribute values. Control characters, which XML cannot represent, become "?".
inline std::string Escape(const std::string& text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e ? '?' : c;
    }
  }
  return escaped;
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_MARKUP_H_
