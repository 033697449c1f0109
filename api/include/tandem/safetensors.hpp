// A reader of safetensors files: the header's size in 8 bytes, the header in JSON, the tensors. It reads float32, and the bytes
// of networks in 8 bits.
#ifndef TANDEM_SAFETENSORS_HPP
#define TANDEM_SAFETENSORS_HPP

#include <sys/stat.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tandem {

// Dense, the last dim fastest.
struct array {
  std::vector<int64_t> dims;
  bool is_bytes = false;  // I8 in the file: integers, which stand for other numbers
  std::vector<float> values;
};

struct safetensors {
  std::map<std::string, array> tensors;
  std::map<std::string, std::string> metadata;
};

namespace detail {

// The JSON that the format allows: an object of objects, whose values are strings and arrays of whole numbers.
class safetensors_parser {
 public:
  safetensors_parser(const std::string& path, const std::string& bytes) : path_(path), bytes_(bytes) {}

  safetensors parse() {
    if (bytes_.size() < 8) fail("has no header");
    const size_t size = header_size();
    if (size > bytes_.size() - 8) fail("ends in its header");
    at_ = 8;
    end_ = data_ = 8 + size;
    each_member([this](const std::string& name) {
      if (name == "__metadata__") {
        each_member([this](const std::string& key) { result_.metadata[key] = text(); });
      } else {
        read_tensor(name);
      }
    });
    read_values();
    return std::move(result_);  // a member is not moved by itself
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error(path_ + ": " + what); }

  unsigned char byte_at(size_t at) const { return static_cast<unsigned char>(bytes_[at]); }

  // The largest size_t for what no size_t can be.
  size_t header_size() const {
    const size_t most = std::numeric_limits<size_t>::max();
    size_t value = 0;
    for (size_t i = 8; i > 0; --i) {
      if (value > most >> 8) return most;
      value = value << 8 | byte_at(i - 1);
    }
    return value;
  }

  static bool is_one_of(const char* these, char c) { return c != '\0' && std::strchr(these, c) != nullptr; }

  // The next character that is no blank, without moving on.
  char next() {
    while (at_ < end_ && is_one_of(" \t\r\n", bytes_[at_])) ++at_;
    if (at_ >= end_) fail("has a header that ends too early");
    return bytes_[at_];
  }
  void expect(char wanted) {
    if (next() != wanted) fail(std::string("has a header with '") + bytes_[at_] + "' in place of '" + wanted + "'");
    ++at_;
  }
  bool take(char wanted) {
    if (next() != wanted) return false;
    ++at_;
    return true;
  }

  template <typename Function>
  void each_member(const Function& function) {
    expect('{');
    if (take('}')) return;
    do {
      const std::string name = text();
      expect(':');
      function(name);
    } while (take(','));
    expect('}');
  }
  std::string text() {
    expect('"');
    std::string result;
    for (; at_ < end_ && bytes_[at_] != '"'; ++at_) {
      if (bytes_[at_] == '\\' && (++at_ >= end_ || !is_one_of("\"\\/", bytes_[at_]))) {
        fail("has a name with an escape");
      }
      result += bytes_[at_];
    }
    expect('"');
    return result;
  }
  std::vector<int64_t> numbers() {
    std::vector<int64_t> result;
    expect('[');
    if (take(']')) return result;
    do {
      int64_t value = 0;
      int digits = 0;
      for (next(); at_ < end_ && bytes_[at_] >= '0' && bytes_[at_] <= '9'; ++at_, ++digits) {
        value = 10 * value + (bytes_[at_] - '0');
        if (digits > 15) fail("has a number with too many digits");
      }
      if (digits == 0) fail("has a dim or an offset that is no whole number");
      result.push_back(value);
    } while (take(','));
    expect(']');
    return result;
  }

  void read_tensor(const std::string& name) {
    std::string type;
    array found;
    std::vector<int64_t> offsets;
    each_member([&](const std::string& key) {
      if (key == "dtype") {
        type = text();
      } else if (key == "shape") {
        found.dims = numbers();
      } else if (key == "data_offsets") {
        offsets = numbers();
      } else {
        fail(name + " has an unknown member " + key);
      }
    });
    if (type != "F32" && type != "I8") fail(name + " is " + type + "; F32 and I8 are understood");
    found.is_bytes = type == "I8";
    const size_t bytes = bytes_.size() - data_;
    size_t size = found.is_bytes ? 1 : 4;
    for (const int64_t dim : found.dims) {
      if (dim == 0 || static_cast<uint64_t>(dim) > bytes / size)
        fail(name + " has a dim that the file has no bytes for");
      size *= static_cast<size_t>(dim);
    }
    if (offsets.size() != 2 || static_cast<uint64_t>(offsets[1]) > bytes ||
        static_cast<uint64_t>(offsets[0]) + size != static_cast<uint64_t>(offsets[1])) {
      fail(name + " has a place that is not that of its dims");
    }
    const auto placed = result_.tensors.insert(std::make_pair(name, found));
    if (!placed.second) fail("has two tensors with the name " + name);
    if (!places_.insert({static_cast<size_t>(offsets[0]), {size, &placed.first->second}}).second) fail_shared();
  }

  // No byte may be in two tensors, so that they take no more memory than the file.
  void read_values() {
    size_t end = 0;
    for (const auto& each : places_) {
      if (each.first < end) fail_shared();
      end = each.first + each.second.first;
    }
    for (const auto& each : places_) {
      std::vector<float>& values = each.second.second->values;
      const bool is_bytes = each.second.second->is_bytes;
      values.resize(each.second.first / (is_bytes ? 1 : 4));
      for (size_t i = 0; i < values.size(); ++i) {
        if (is_bytes) {
          const int byte = byte_at(data_ + each.first + i);
          values[i] = static_cast<float>(byte < 128 ? byte : byte - 256);
          continue;
        }
        uint32_t bits = 0;
        for (size_t byte = 4; byte > 0; --byte) bits = bits << 8 | byte_at(data_ + each.first + 4 * i + byte - 1);
        std::memcpy(&values[i], &bits, 4);
      }
    }
  }
  [[noreturn]] void fail_shared() const { fail("has two tensors that share bytes"); }

  const std::string path_;
  const std::string& bytes_;
  size_t at_ = 0, end_ = 0, data_ = 0;                  // in the header; its end; where offsets begin
  std::map<size_t, std::pair<size_t, array*>> places_;  // offset to size in bytes and tensor
  safetensors result_;
};

}  // namespace detail

// Throws std::runtime_error, with a sentence that names the file, for what is no such file.
inline safetensors read_safetensors(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) throw std::runtime_error(path + ": cannot be read");
  if (!S_ISREG(status.st_mode)) throw std::runtime_error(path + ": is no file");  // a pipe may have no end
  std::ifstream file(path.c_str(), std::ios::binary);
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  if (!bytes.empty()) file.read(&bytes[0], static_cast<std::streamsize>(bytes.size()));
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return detail::safetensors_parser(path, bytes).parse();
}

}  // namespace tandem

#endif
