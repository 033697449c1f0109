// Helps tests to change the environment of their own process, so that the library sees it.
#ifndef TANDEM_API_CORE_ENVIRONMENT_TESTING_H_
#define TANDEM_API_CORE_ENVIRONMENT_TESTING_H_

#include <cstdlib>
#include <optional>
#include <string>

#include "api/core/environment.h"

namespace tandem {

#if defined(_WIN32)
inline void SetWithoutReading(const char* name, const std::string& value) { _putenv_s(name, value.c_str()); }
// An empty value is none.
inline void UnsetWithoutReading(const char* name) { _putenv_s(name, ""); }
#else
inline void SetWithoutReading(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }
inline void UnsetWithoutReading(const char* name) { unsetenv(name); }
#endif

inline void SetVariable(const char* name, const std::string& value) {
  SetWithoutReading(name, value);
  ReadEnvironmentAgain();
}
inline void UnsetVariable(const char* name) {
  UnsetWithoutReading(name);
  ReadEnvironmentAgain();
}

// The variable has this value while the object lives, then what it had before.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    SetVariable(name, value);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ~ScopedVariable() {
    if (before_) SetVariable(name_, *before_);
    if (!before_) UnsetVariable(name_);
  }

 private:
  const char* const name_;
  std::optional<std::string> before_;
};

}  // namespace tandem

#endif  // TANDEM_API_CORE_ENVIRONMENT_TESTING_H_
