#include "conformance/vectors/safetensors.h"

#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "api/core/error.h"
#include "conformance/problem/base/byte_order.h"
#include "conformance/problem/base/json_depth.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;

// Returns the type's name in the file format: "F32", "BF16", "I8".
std::string NameOf(DataType type) {
  std::string name = ToString(type);
  if (name[0] == 's') name[0] = 'i';
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

DataType TypeNamed(const std::string& name) {
  for (const DataTypeTraits& traits : kDataTypes) {
    if (name == NameOf(traits.type)) return traits.type;
  }
  throw std::runtime_error("data type " + name + " is not known");
}

// Returns a whole number. The parser alone would also convert 1e300, to any value.
uint64_t Whole(const Json& json) {
  if (!json.is_number_unsigned()) throw std::runtime_error("a dim or an offset is no whole number");
  return json.get<uint64_t>();
}

Dims ToDims(const Json& shape) {
  if (!shape.is_array()) throw std::runtime_error("a shape is no list");
  Dims dims;
  for (const Json& dim : shape) dims.push_back(static_cast<Dim>(Whole(dim)));
  return dims;
}

// A file's sizes are held against its length before memory is taken for what they promise.
class Reader {
 public:
  Reader(std::istream* in, uint64_t length) : in_(in), length_(length) {}

  NamedTensors Read() {
    const Json json = ReadHeader();
    if (!json.is_object()) throw std::runtime_error("its header is not an object");
    NamedTensors tensors;
    for (const auto& [name, entry] : json.items()) {
      if (name != "__metadata__") tensors[name] = ReadTensor(entry);
    }
    return tensors;
  }

 private:
  // The format sets this limit.
  static constexpr uint64_t kLongestHeader = 100'000'000;

  void Take(char* to, uint64_t count) {
    if (!in_->read(to, static_cast<std::streamsize>(count))) throw std::runtime_error("it cannot be read to its end");
  }

  Json ReadHeader() {
    uint64_t size = 0;
    if (length_ < sizeof size) throw std::runtime_error("it is shorter than its header's length");
    Take(reinterpret_cast<char*>(&size), sizeof size);
    ConvertLittleEndian(&size, 1, sizeof size);
    if (size > length_ - sizeof size) throw std::runtime_error("its header is cut off");
    if (size > kLongestHeader) throw std::runtime_error("its header is longer than 100,000,000 bytes");
    std::string header(size, '\0');
    Take(&header[0], size);
    data_begin_ = sizeof size + size;
    left_ = length_ - data_begin_;
    if (NestsTooDeeply(header)) throw std::runtime_error("its header nests too deeply");
    return Json::parse(header);
  }

  TensorBuffer ReadTensor(const Json& entry) {
    const MemoryDesc md = MakeDense(ToDims(entry.at("shape")), TypeNamed(entry.at("dtype")));
    const uint64_t begin = Whole(entry.at("data_offsets").at(0)), end = Whole(entry.at("data_offsets").at(1));
    if (begin > end || end > length_ - data_begin_ || end - begin != SizeInBytes(md)) {
      throw std::runtime_error("data_offsets do not fit the shape and the file");
    }
    // Tensors that share bytes would be larger together than the file.
    if (end - begin > left_) throw std::runtime_error("its tensors have more bytes than the file");
    left_ -= end - begin;
    TensorBuffer buffer(md);
    in_->seekg(static_cast<std::streamoff>(data_begin_ + begin));
    if (buffer.empty()) return buffer;
    Take(static_cast<char*>(buffer.data()), end - begin);
    ConvertLittleEndian(buffer.data(), buffer.size(), SizeOf(buffer.type()));
    return buffer;
  }

  std::istream* const in_;
  const uint64_t length_;
  uint64_t data_begin_ = 0;
  uint64_t left_ = 0;  // bytes of data that no tensor has yet
};

}  // namespace

TensorBuffer ToDense(const TensorBuffer& tensor) {
  const MemoryDesc& md = tensor.md();
  TensorBuffer dense(MakeDense(Dims(md.dims, md.dims + md.ndims), tensor.type()));
  for (size_t i = 0; i < dense.size(); ++i) dense.Set(i, tensor.Get(i));
  return dense;
}

void WriteSafetensors(const std::string& path, const NamedTensors& tensors) {
  Json header = Json::object();
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    const TensorBuffer dense = ToDense(tensor);
    const MemoryDesc& md = dense.md();
    const size_t begin = data.size();
    data.append(reinterpret_cast<const char*>(dense.bytes().data()), dense.size_in_bytes());
    ConvertLittleEndian(&data[begin], dense.size(), SizeOf(dense.type()));
    header[name] = {{"dtype", NameOf(dense.type())},
                    {"shape", Dims(md.dims, md.dims + md.ndims)},
                    {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump();
  // The format wants the data aligned to 8 bytes; blanks end the header.
  text.append((8 - text.size() % 8) % 8, ' ');
  uint64_t header_size = text.size();
  ConvertLittleEndian(&header_size, 1, sizeof header_size);
  WriteWholeFiles({{path, std::string(reinterpret_cast<const char*>(&header_size), sizeof header_size) + text + data}});
}

NamedTensors ParseSafetensors(std::istream* in, uint64_t length) { return Reader(in, length).Read(); }

NamedTensors ReadSafetensors(const std::string& path) {
  // A pipe has no length.
  if (!std::filesystem::is_regular_file(path)) throw std::runtime_error("cannot read " + path + ": it is not a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  try {
    return ParseSafetensors(&file, std::filesystem::file_size(path));
  } catch (const Error& error) {
    throw std::runtime_error(path + ": " + error.what());
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace tandem::conformance
