// A command writes its --json=FILE here.
#ifndef TANDEM_CONFORMANCE_CLI_JSON_OUTPUT_H_
#define TANDEM_CONFORMANCE_CLI_JSON_OUTPUT_H_

#include <string>

#include "conformance/cli/runs/cli11_classes.h"

namespace tandem::conformance {

// Adds the option --json; `path` gets its value.
void AddJson(std::string* path, CLI::App* app);

// The output is a file, or standard output. Then the command's other text goes to standard error while this object lives.
class JsonOutput {
 public:
  // "-" is standard output; with an empty `path` Write() does nothing. Throws UsageError if no file can be written at `path`.
  explicit JsonOutput(std::string path);
  ~JsonOutput();
  JsonOutput(const JsonOutput&) = delete;
  JsonOutput& operator=(const JsonOutput&) = delete;

  // Throws std::runtime_error if the text cannot be written.
  void Write(const std::string& text) const;

 private:
  const std::string path_;
  int standard_output_ = -1;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_JSON_OUTPUT_H_
