#include "conformance/sandbox/whole_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tandem::conformance {
namespace {

// Where a link leads: a rename would replace the link (/dev/stdout, on the way to a file).
NamedText Followed(const NamedText& file) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(file.path, error);
  return {error ? file.path : target.string(), file.text};
}

std::string PartOf(const std::string& path) { return path + ".part" + std::to_string(getpid()); }

[[noreturn]] void Fail(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

// A device or a pipe: it keeps no text, and a rename would put a file in its place.
bool IsStream(const NamedText& file) {
  std::error_code error;
  return std::filesystem::is_other(file.path, error);
}

// On the disk when it returns: a rename must not come before the text.
void WritePart(const NamedText& file) {
  const bool stream = IsStream(file);
  std::FILE* const part = std::fopen((stream ? file.path : PartOf(file.path)).c_str(), "wbe");
  if (part == nullptr) Fail(file.path);
  bool written = std::fwrite(file.text.data(), 1, file.text.size(), part) == file.text.size();
  written = written && std::fflush(part) == 0 && (stream || fsync(fileno(part)) == 0);
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

void WriteWholeFiles(const std::vector<NamedText>& named) {
  std::vector<NamedText> files;
  std::transform(named.begin(), named.end(), std::back_inserter(files), Followed);
  try {
    for (const NamedText& file : files) WritePart(file);
    for (const NamedText& file : files) {
      if (!IsStream(file) && std::rename(PartOf(file.path).c_str(), file.path.c_str()) != 0) Fail(file.path);
    }
  } catch (const std::runtime_error&) {
    for (const NamedText& file : files) std::remove(PartOf(file.path).c_str());
    throw;
  }
}

}  // namespace tandem::conformance
