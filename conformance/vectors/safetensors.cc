#include "conformance/vectors/safetensors.h"

#include <cctype>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "api/core/error.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;

// The file format's name: "F32", "BF16", "I8".
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

TensorBuffer ReadTensor(const Json& entry, const char* data, size_t data_size) {
  const Dims dims = entry.at("shape").get<Dims>();
  const size_t begin = entry.at("data_offsets").at(0), end = entry.at("data_offsets").at(1);
  TensorBuffer buffer(MakeDense(dims, TypeNamed(entry.at("dtype"))));
  if (begin > end || end > data_size || end - begin != buffer.size_in_bytes()) {
    throw std::runtime_error("data_offsets do not fit the shape and the file");
  }
  if (!buffer.empty()) std::memcpy(buffer.data(), data + begin, end - begin);
  return buffer;
}

NamedTensors Parse(const std::string& bytes) {
  uint64_t header_size = 0;
  if (bytes.size() < sizeof header_size) throw std::runtime_error("it is shorter than its header's length");
  std::memcpy(&header_size, bytes.data(), sizeof header_size);
  if (header_size > bytes.size() - sizeof header_size) throw std::runtime_error("its header is cut off");
  const char* header = bytes.data() + sizeof header_size;
  const Json json = Json::parse(header, header + header_size);
  if (!json.is_object()) throw std::runtime_error("its header is not an object");
  NamedTensors tensors;
  for (const auto& [name, entry] : json.items()) {
    if (name == "__metadata__") continue;
    tensors[name] = ReadTensor(entry, header + header_size, bytes.size() - sizeof header_size - header_size);
  }
  return tensors;
}

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
    header[name] = {{"dtype", NameOf(dense.type())},
                    {"shape", Dims(md.dims, md.dims + md.ndims)},
                    {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump();
  // The format wants the data aligned to 8 bytes; blanks end the header.
  text.append((8 - text.size() % 8) % 8, ' ');
  const uint64_t header_size = text.size();
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&header_size), sizeof header_size);
  file << text << data;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

NamedTensors ReadSafetensors(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  if (!file || !(bytes << file.rdbuf())) throw std::runtime_error("cannot read " + path);
  try {
    return Parse(bytes.str());
  } catch (const Error& error) {
    throw std::runtime_error(path + ": " + error.what());
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace tandem::conformance
