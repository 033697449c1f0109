#include "conformance/host/whole_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tandem::conformance {
namespace {

std::string PartOf(const std::string& path) { return path + ".part" + std::to_string(getpid()); }

[[noreturn]] void Fail(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

// On the disk when it returns: a rename must not come before the text.
void WritePart(const NamedText& file) {
  std::FILE* const part = std::fopen(PartOf(file.path).c_str(), "wbe");
  if (part == nullptr) Fail(file.path);
  bool written = std::fwrite(file.text.data(), 1, file.text.size(), part) == file.text.size();
  written = written && std::fflush(part) == 0 && fsync(fileno(part)) == 0;
  const int reason = errno;
  if (std::fclose(part) == 0 && written) return;
  if (!written) errno = reason;
  Fail(file.path);
}

constexpr uintmax_t kLargestText = 256'000'000;

}  // namespace

std::string ReadWholeFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw std::runtime_error("cannot read " + path);
  const uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kLargestText) throw std::runtime_error("cannot read " + path + ": it is larger than 256 MB");
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(&text[0], static_cast<std::streamsize>(size));
  if (!file) throw std::runtime_error("cannot read " + path);
  return text;
}

void WriteWholeFiles(const std::vector<NamedText>& files) {
  try {
    for (const NamedText& file : files) WritePart(file);
    for (const NamedText& file : files) {
      if (std::rename(PartOf(file.path).c_str(), file.path.c_str()) != 0) Fail(file.path);
    }
  } catch (const std::runtime_error&) {
    for (const NamedText& file : files) std::remove(PartOf(file.path).c_str());
    throw;
  }
}

}  // namespace tandem::conformance
