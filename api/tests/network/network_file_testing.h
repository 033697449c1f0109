// Files of small networks.
#ifndef TANDEM_API_TESTS_NETWORK_NETWORK_FILE_TESTING_H_
#define TANDEM_API_TESTS_NETWORK_NETWORK_FILE_TESTING_H_

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace tandem {
namespace testing {

using Floats = std::vector<float>;

inline std::string PathOf(const std::string& name) {
  const char* folder = std::getenv("TEST_TMPDIR");
  return std::string(folder == nullptr ? "/tmp" : folder) + "/" + name;
}

// A file with this header and as many bytes behind it.
inline std::string Written(const std::string& header, size_t bytes) {
  const std::string path = PathOf("written.safetensors");
  std::ofstream file(path, std::ios::binary);
  for (int i = 0; i < 8; ++i) file.put(static_cast<char>(header.size() >> (8 * i) & 255));
  file << header << std::string(bytes, '\0');
  return path;
}

struct Part {
  std::string name, shape;
  size_t floats;
};

inline std::string Header(const std::string& metadata, const std::vector<Part>& parts) {
  std::string text = "{\"__metadata__\":{" + metadata + "}";
  size_t at = 0;
  for (const Part& part : parts) {
    text += ",\"" + part.name + "\":{\"dtype\":\"F32\",\"shape\":[" + part.shape + "],\"data_offsets\":[" +
            std::to_string(at) + "," + std::to_string(at + 4 * part.floats) + "]}";
    at += 4 * part.floats;
  }
  return text + "}";
}

// Makes the file of a GRU with two layers, 2 inputs and 3 units.
inline std::string Gru(const std::string& metadata) {
  const std::vector<Part> parts = {{"0.weights_layer", "1,1,2,3,3", 18},
                                   {"0.weights_iter", "1,1,3,3,3", 27},
                                   {"1.weights_layer", "1,1,3,3,3", 27},
                                   {"1.weights_iter", "1,1,3,3,3", 27}};
  const std::string path = Written(Header("\"cell\":\"gru\"" + metadata, parts), 0);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  for (int i = 0; i < 99; ++i) {
    const float value = static_cast<float>(i * 7 % 11) / 11.f - 0.5f;
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (int byte = 0; byte < 4; ++byte) file.put(static_cast<char>(bits >> (8 * byte) & 255));
  }
  return path;
}

inline Floats Ramp(size_t size) {
  Floats values(size);
  for (size_t i = 0; i < size; ++i) values[i] = static_cast<float>(i * 5 % 13) / 13.f - 0.5f;
  return values;
}

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_NETWORK_NETWORK_FILE_TESTING_H_
