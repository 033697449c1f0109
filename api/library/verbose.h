// The lines that ONEDNN_VERBOSE and dnnl_set_verbose() ask for: on stdout, in the form of oneDNN 3 (docs/verbose.md).
#ifndef TANDEM_API_LIBRARY_VERBOSE_H_
#define TANDEM_API_LIBRARY_VERBOSE_H_

#include <chrono>
#include <string>

namespace tandem {

// The kinds of lines that can be printed. A level is a set of them.
enum VerboseKind : unsigned {
  kVerboseError = 1,     // calls that failed, with the library's sentence
  kVerboseDispatch = 2,  // why an implementation does not serve a problem
  kVerboseCreate = 4,    // primitives that were created, with the time
  kVerboseExec = 8,      // executions, with the time
};

// One load where nothing is asked for. The first call reads the environment: ONEDNN_VERBOSE, else DNNL_VERBOSE, else
// TANDEM_VERBOSE.
bool IsVerbose(VerboseKind kind) noexcept;

// "onednn_verbose,v1," and `line`; before the first line of the process what the library is. `primitive` is "rnn",
// "reorder" or "" for none: filter=REGEX in the environment leaves out primitives that it does not match. Never fails: a
// line that cannot be made or written is lost.
void PrintVerbose(const char* primitive, const std::string& line) noexcept;

// A call that failed, if that is asked for: of the creation of `primitive`, or of any other function ("").
void PrintError(const char* primitive, const char* sentence) noexcept;

// A reason as one field of a line: without commas and line ends.
std::string VerboseField(std::string text);

// Starts when it is made, if lines of `kind` are asked for.
class VerboseTimer {
 public:
  explicit VerboseTimer(VerboseKind kind) {
    if (IsVerbose(kind)) begin_ = std::chrono::steady_clock::now();
  }
  std::string Milliseconds() const;

 private:
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_VERBOSE_H_
