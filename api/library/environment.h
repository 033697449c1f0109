// What the caller's environment says to the library.
#ifndef TANDEM_API_LIBRARY_ENVIRONMENT_H_
#define TANDEM_API_LIBRARY_ENVIRONMENT_H_

#include <cstdlib>
#include <initializer_list>
#include <string>

namespace tandem {

// The value of the first of these variables that is set; empty if none is. A program that has more rights than its caller
// is not led by the caller's variables.
inline std::string Environment(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* value = secure_getenv(name);
    if (value != nullptr) return value;
  }
  return "";
}

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_ENVIRONMENT_H_
