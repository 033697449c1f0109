// A reader and a writer of safetensors files: the header's size in 8 bytes, the header in JSON, the tensors. They have float32,
// and the bytes of networks in 8 bits; bfloat16 and float16 are read as float32.
#ifndef TANDEM_SAFETENSORS_HPP
#define TANDEM_SAFETENSORS_HPP

#include <sys/stat.h>

#include <cmath>
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

inline float float_of(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, 4);
  return value;
}
inline float float_of_i8(uint32_t bits) { return static_cast<float>(static_cast<int>(bits ^ 128u) - 128); }
inline float float_of_bf16(uint32_t bits) { return float_of(bits << 16); }
inline float float_of_f16(uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31u);
  const uint32_t sign = (bits & 0x8000u) << 16, fraction = bits & 1023u;
  if (exponent == 31) return float_of(sign | 0x7f800000u | fraction << 13);
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                        : std::ldexp(static_cast<float>(1024u + fraction), exponent - 25);
  return sign != 0 ? -magnitude : magnitude;
}

struct element_type {
  const char* name;
  size_t size;
  float (*value)(uint32_t bits);
};

// Null for the name of another type.
inline const element_type* find_element_type(const std::string& name) {
  static const element_type all[] = {
      {"F32", 4, float_of}, {"I8", 1, float_of_i8}, {"BF16", 2, float_of_bf16}, {"F16", 2, float_of_f16}};
  for (const element_type& each : all) {
    if (name == each.name) return &each;
  }
  return nullptr;
}

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
    const element_type* element = find_element_type(type);
    if (element == nullptr) fail(name + " is " + type + "; F32, BF16, F16 and I8 are understood");
    found.is_bytes = type == "I8";
    const size_t bytes = bytes_.size() - data_;
    size_t size = element->size;
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
    const place where = {size, element, &placed.first->second};
    if (!places_.insert({static_cast<size_t>(offsets[0]), where}).second) fail_shared();
  }

  // No byte may be in two tensors, so that they take no more memory than the file.
  void read_values() {
    size_t end = 0;
    for (const auto& each : places_) {
      if (each.first < end) fail_shared();
      end = each.first + each.second.size;
    }
    for (const auto& each : places_) {
      const element_type& element = *each.second.element;
      std::vector<float>& values = each.second.to->values;
      values.resize(each.second.size / element.size);
      for (size_t i = 0; i < values.size(); ++i) {
        uint32_t bits = 0;
        for (size_t byte = element.size; byte > 0; --byte) {
          bits = bits << 8 | byte_at(data_ + each.first + element.size * i + byte - 1);
        }
        values[i] = element.value(bits);
      }
    }
  }
  [[noreturn]] void fail_shared() const { fail("has two tensors that share bytes"); }

  struct place {
    size_t size;  // in bytes
    const element_type* element;
    array* to;
  };

  const std::string path_;
  const std::string& bytes_;
  size_t at_ = 0, end_ = 0, data_ = 0;  // in the header; its end; where offsets begin
  std::map<size_t, place> places_;      // by their offsets
  safetensors result_;
};

// A string of JSON; of control characters std::invalid_argument.
inline std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 32) throw std::invalid_argument("a name has a control character");
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

inline void append_little_endian(uint64_t value, size_t bytes, std::string* to) {
  for (size_t i = 0; i < bytes; ++i) *to += static_cast<char>(value >> 8 * i & 255);
}

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

// Writes float32, of arrays with is_bytes a byte for each value. docs/saved_networks.md says what a network's file has. Throws
// std::invalid_argument for an array whose dims are not those of its values, std::runtime_error for a path that cannot be written.
inline void write_safetensors(const std::string& path, const safetensors& file) {
  std::string header = "{\"__metadata__\":{", data, comma;
  for (const auto& each : file.metadata) {
    header += comma + detail::quoted(each.first) + ":" + detail::quoted(each.second);
    comma = ",";
  }
  header += "}";
  for (const auto& each : file.tensors) {
    std::string shape;
    int64_t size = 1;
    for (const int64_t dim : each.second.dims) {
      size *= dim;
      shape += (shape.empty() ? "" : ",") + std::to_string(dim);
    }
    if (size < 0 || static_cast<uint64_t>(size) != each.second.values.size()) {
      throw std::invalid_argument(each.first + ": its dims are not those of its values");
    }
    const size_t begin = data.size();
    for (const float value : each.second.values) {
      uint32_t bits = static_cast<uint32_t>(each.second.is_bytes ? static_cast<int>(value) : 0);
      if (!each.second.is_bytes) std::memcpy(&bits, &value, 4);
      detail::append_little_endian(bits, each.second.is_bytes ? 1 : 4, &data);
    }
    header += "," + detail::quoted(each.first) + ":{\"dtype\":\"" + (each.second.is_bytes ? "I8" : "F32") +
              "\",\"shape\":[" + shape + "],\"data_offsets\":[" + std::to_string(begin) + "," +
              std::to_string(data.size()) + "]}";
  }
  header += "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string size;
  detail::append_little_endian(header.size(), 8, &size);
  std::ofstream out(path.c_str(), std::ios::binary);
  if (!(out << size << header << data << std::flush)) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace tandem

#endif
