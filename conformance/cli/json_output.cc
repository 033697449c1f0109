#include "conformance/cli/json_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "conformance/cli/arguments.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {

void AddJson(std::string* path, CLI::App* app) {
  app->add_option("--json", *path,
                  "write report.json's text to this file, too; - for standard output, which then has nothing else");
}

JsonOutput::JsonOutput(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    std::fflush(stdout);
    standard_output_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (standard_output_ >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
  } else if (!path_.empty()) {
    CheckWritable("--json", path_);
  }
}

JsonOutput::~JsonOutput() {
  if (standard_output_ < 0) return;
  std::fflush(stdout);
  dup2(standard_output_, STDOUT_FILENO);
  close(standard_output_);
}

void JsonOutput::Write(const std::string& text) const {
  if (path_.empty()) return;
  if (path_ != "-") return WriteWholeFiles({{path_, text}});
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(standard_output_, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      throw std::runtime_error(std::string("--json=-: standard output cannot be written: ") + std::strerror(errno));
    }
    at += static_cast<size_t>(written);
  }
}

}  // namespace tandem::conformance
