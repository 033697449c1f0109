#include "conformance/sandbox/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <stdexcept>

namespace tandem::conformance {
namespace {

// Returns the file that a link leads to. A rename would replace the link (/dev/stdout, on the way to a file).
NamedText Followed(const NamedText& file) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(file.path, error);
  return {error ? file.path : target.string(), file.text};
}

[[noreturn]] void Fail(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

// Returns true for a device or a pipe. It keeps no text, and a rename would put a file in its place.
bool IsStream(const NamedText& file) {
  std::error_code error;
  return std::filesystem::is_other(file.path, error);
}

// These parts exist now. The mutex is held while they are made, moved or removed, but not while they are written.
struct Unfinished {
  std::mutex mutex;
  std::set<std::string> parts;
};

Unfinished& AllUnfinished() {
  static Unfinished* const unfinished = new Unfinished;  // it is never destroyed, because threads may outlive main()
  return *unfinished;
}

void Remove(const std::string& part) {
  std::remove(part.c_str());
  AllUnfinished().parts.erase(part);
}

// Opens a new file beside `path` and returns its name. O_EXCL never opens a file or link that somebody else has put there.
std::FILE* OpenPart(const std::string& path, std::string* part) {
  constexpr int kMostTries = 100;
  const std::lock_guard<std::mutex> lock(AllUnfinished().mutex);
  int descriptor = -1;
  for (int i = 0; i < kMostTries && descriptor < 0; ++i) {
    *part = path + ".part" + std::to_string(getpid()) + (i == 0 ? "" : "." + std::to_string(i));
    descriptor = open(part->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  if (descriptor < 0) {
    part->clear();
    return nullptr;
  }
  AllUnfinished().parts.insert(*part);
  return fdopen(descriptor, "wb");
}

// Writes a part and waits until it is on the disk, before a rename. `*name` is the part's name, empty for a stream.
void WritePart(const NamedText& file, std::string* name) {
  const bool stream = IsStream(file);
  std::FILE* const part = stream ? std::fopen(file.path.c_str(), "wbe") : OpenPart(file.path, name);
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
  std::vector<std::string> parts(files.size());
  try {
    for (size_t i = 0; i < files.size(); ++i) WritePart(files[i], &parts[i]);
    const std::lock_guard<std::mutex> lock(AllUnfinished().mutex);
    for (size_t i = 0; i < files.size(); ++i) {
      if (!parts[i].empty() && std::rename(parts[i].c_str(), files[i].path.c_str()) != 0) Fail(files[i].path);
      AllUnfinished().parts.erase(parts[i]);
      parts[i].clear();
    }
  } catch (const std::runtime_error&) {
    const std::lock_guard<std::mutex> lock(AllUnfinished().mutex);
    for (const std::string& part : parts) {
      if (!part.empty()) Remove(part);
    }
    throw;
  }
}

void GiveUpFiles() {
  AllUnfinished().mutex.lock();
  const std::set<std::string> parts = AllUnfinished().parts;
  for (const std::string& part : parts) Remove(part);
}

}  // namespace tandem::conformance
