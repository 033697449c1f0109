// A reader of safetensors files: the header's size in 8 bytes, the header in JSON, the tensors. Float32 only.
#ifndef TANDEM_SAFETENSORS_HPP
#define TANDEM_SAFETENSORS_HPP

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tandem {

// Dense, the last dim fastest.
struct array {
  std::vector<int64_t> dims;
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
    const uint64_t size = little_endian(0, 8);
    if (size > bytes_.size() - 8) fail("ends in its header");
    at_ = 8;
    end_ = data_ = 8 + static_cast<size_t>(size);
    each_member([this](const std::string& name) {
      if (name == "__metadata__") {
        each_member([this](const std::string& key) { result_.metadata[key] = text(); });
      } else {
        read_tensor(name);
      }
    });
    return result_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error(path_ + ": " + what); }

  uint64_t little_endian(size_t at, size_t size) const {
    uint64_t value = 0;
    for (size_t i = size; i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes_[at + i - 1]);
    return value;
  }

  // The next character that is no blank, without moving on.
  char next() {
    while (at_ < end_ && std::strchr(" \t\r\n", bytes_[at_]) != nullptr) ++at_;
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
      if (bytes_[at_] == '\\' && (++at_ >= end_ || std::strchr("\"\\/", bytes_[at_]) == nullptr)) {
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
    if (type != "F32") fail(name + " is " + type + "; F32 is understood");
    const uint64_t bytes = bytes_.size() - data_;
    uint64_t size = 4;
    for (const int64_t dim : found.dims) {
      if (dim == 0 || static_cast<uint64_t>(dim) > bytes / size)
        fail(name + " has a dim that the file has no bytes for");
      size *= static_cast<uint64_t>(dim);
    }
    if (offsets.size() != 2 || static_cast<uint64_t>(offsets[1]) > bytes ||
        static_cast<uint64_t>(offsets[0]) + size != static_cast<uint64_t>(offsets[1])) {
      fail(name + " has a place that is not that of its dims");
    }
    found.values.resize(static_cast<size_t>(size / 4));
    for (size_t i = 0; i < found.values.size(); ++i) {
      const uint32_t bits = static_cast<uint32_t>(little_endian(data_ + static_cast<size_t>(offsets[0]) + 4 * i, 4));
      std::memcpy(&found.values[i], &bits, 4);
    }
    result_.tensors[name].dims.swap(found.dims);
    result_.tensors[name].values.swap(found.values);
  }

  const std::string path_;
  const std::string& bytes_;
  size_t at_ = 0, end_ = 0, data_ = 0;  // in the header; its end; where offsets begin
  safetensors result_;
};

}  // namespace detail

// Throws std::runtime_error, with a sentence that names the file, for what is no such file.
inline safetensors read_safetensors(const std::string& path) {
  std::ifstream file(path.c_str(), std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return detail::safetensors_parser(path, bytes).parse();
}

}  // namespace tandem

#endif
