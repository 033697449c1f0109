// The files of golden/, which the packages for Python and npm read, too: their numbers, and what is no file of their form.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "api/tests/network/network_file_testing.h"
#include "tandem/stream.hpp"

namespace tandem {
namespace testing {
namespace {

std::vector<std::string> Golden() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("api/tests/network/golden")) {
    if (entry.path().extension() == ".safetensors") paths.push_back(entry.path().string());
  }
  return paths;
}

Floats Values(const safetensors& file, const std::string& name) {
  const auto found = file.tensors.find(name);
  return found == file.tensors.end() ? Floats() : found->second.values;
}

// Sums of a few products of numbers below 16. Under bfloat16 a processor may round x and h, too.
double BoundOf(const safetensors& file) {
  return file.metadata.at("precision") == "bfloat16" ? std::ldexp(1, -6) : std::ldexp(1, -16);
}

void ExpectNear(const Floats& got, const Floats& want, double bound, const std::string& label) {
  ASSERT_EQ(got.size(), want.size()) << label;
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], bound) << label << " " << i;
}

TEST(SavedNetworks, HaveTheNumbersOfEveryLanguage) {
  EXPECT_GE(Golden().size(), 15u);
  for (const std::string& path : Golden()) {
    const safetensors file = read_safetensors(path);
    const network net(path);
    state states;
    const Floats y = net.run(Values(file, "user.x"), 2, &states, {}, Values(file, "user.attention"));
    ExpectNear(y, Values(file, "user.y"), BoundOf(file), path + " y");
    ExpectNear(states.h, Values(file, "user.h"), BoundOf(file), path + " h");
    ExpectNear(states.c, Values(file, "user.c"), BoundOf(file), path + " c");
  }
}

// The first row of the files with rows outermost; of the others each step has the channels of both rows.
TEST(SavedNetworks, StreamsBeginWithTheFirstState) {
  size_t streamed = 0;
  for (const std::string& path : Golden()) {
    const safetensors file = read_safetensors(path);
    const network net(path);
    if (!net.batch_first()) continue;
    const size_t slc = static_cast<size_t>(net.slc()), dlc = static_cast<size_t>(net.dlc());
    const Floats x = Values(file, "user.x"), attention = Values(file, "user.attention"), want = Values(file, "user.y");
    const size_t steps = x.size() / slc / 2;
    stream voice(net);
    for (const char* time : {"at first", "after reset()"}) {
      Floats y(steps * dlc);
      ASSERT_TRUE(voice.step(x.data(), y.data(), attention.data())) << path;
      ASSERT_TRUE(voice.run(x.data() + slc, static_cast<int64_t>(steps) - 1, y.data() + dlc,
                            attention.empty() ? nullptr : attention.data() + 1));
      ExpectNear(y, Floats(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(y.size())), BoundOf(file),
                 path + time);
      voice.reset();
    }
    ++streamed;
  }
  EXPECT_GE(streamed, 6u);
}

TEST(SavedNetworks, AreWrittenAsTheyWereRead) {
  const std::string copy = PathOf("copy.safetensors");
  for (const std::string& path : Golden()) {
    const safetensors file = read_safetensors(path);
    write_safetensors(copy, file);
    const safetensors again = read_safetensors(copy);
    EXPECT_EQ(again.metadata, file.metadata) << path;
    ASSERT_EQ(again.tensors.size(), file.tensors.size()) << path;
    for (const auto& each : file.tensors) {
      const array& got = again.tensors.at(each.first);
      EXPECT_EQ(got.dims, each.second.dims) << path;
      EXPECT_EQ(got.values, each.second.values) << path;
      EXPECT_EQ(got.is_bytes, each.second.is_bytes) << path;
    }
  }
  EXPECT_THROW(write_safetensors(PathOf("none/file"), safetensors()), std::runtime_error);
  safetensors wrong;
  wrong.tensors["a"].dims = {2};
  EXPECT_THROW(write_safetensors(copy, wrong), std::invalid_argument);
}

void ExpectRefused(const std::string& name, const std::function<void(safetensors*)>& change,
                   const std::string& sentence) {
  safetensors file = read_safetensors("api/tests/network/golden/" + name + ".safetensors");
  change(&file);
  const std::string path = PathOf("refused.safetensors");
  write_safetensors(path, file);
  try {
    network net(path);
    ADD_FAILURE() << "was read, but should have: " << sentence;
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
  }
}

TEST(SavedNetworks, OfAnotherFormAreRefused) {
  const auto said = [](const std::string& key, const std::string& value) {
    return [=](safetensors* file) { file->metadata[key] = value; };
  };
  const auto shaped = [](const std::string& name, const std::vector<int64_t>& dims, size_t size) {
    return [=](safetensors* file) {
      file->tensors[name].dims = dims;
      file->tensors[name].values.assign(size, 0.5f);
    };
  };
  ExpectRefused("lstm", said("tandem_network", "2"), "has tandem_network 2, but this library reads 1");
  ExpectRefused("lstm", said("aktivation", "relu"), "has the unknown key aktivation");
  ExpectRefused("lstm", shaped("0.bais", {1}, 1), "has the unknown tensor 0.bais");
  ExpectRefused("lstm", shaped("first_state.y", {1}, 1), "has the unknown tensor first_state.y");
  ExpectRefused("lstm", shaped("first_state.c", {2, 4}, 8), "first_state.c must have 2 rows of 5 numbers");
  ExpectRefused(
      "lstm", [](safetensors* file) { file->tensors.erase("first_state.c"); }, "first_state must have h, of an lstm");
  ExpectRefused("vanilla_rnn", shaped("first_state.c", {1, 5}, 5), "first_state must have h, of an lstm");
  ExpectRefused("lstm", shaped("0.weights_iter", {1, 1, 4, 4, 5}, 80), "weights_iter");
  ExpectRefused(
      "augru",
      [](safetensors* file) {
        for (const char* end : {"weights_layer", "weights_iter", "bias"}) {
          file->tensors[std::string("1.") + end] = file->tensors.at(std::string("0.") + end);
        }
      },
      "has an augru of several layers");
  const network augru("api/tests/network/golden/augru.safetensors"), lstm("api/tests/network/golden/lstm.safetensors");
  EXPECT_THROW(augru.run(Ramp(8), 2), std::invalid_argument);
  EXPECT_THROW(lstm.run(Ramp(8), 2, nullptr, {}, Ramp(2)), std::invalid_argument);
  safetensors other = read_safetensors("api/tests/network/golden/lstm.safetensors");
  other.metadata["user.note"] = "\"\\";
  other.tensors["head.weight"] = other.tensors.at("0.bias");
  const std::string path = PathOf("other.safetensors");
  write_safetensors(path, other);
  EXPECT_EQ(network(path).run(Ramp(8), 2), lstm.run(Ramp(8), 2));
}

TEST(SavedNetworks, WithGatesOfAnotherFormAreRefused) {
  const auto said = [](const std::string& key, const std::string& value) {
    return [=](safetensors* file) { file->metadata[key] = value; };
  };
  for (const char* word : {"relu", "relu:a", "relu:0:0", "gelu", "relu:", ""}) {
    ExpectRefused("gru_gates", said("activations", std::string("logistic+") + word),
                  std::string("activations has ") + word + ", which is no function with its numbers");
  }
  ExpectRefused("lstm_gates", said("activations", "tanh+relu:0"), "activations are tanh+relu:0, but this cell has 3");
  ExpectRefused("vanilla_rnn", said("activations", "tanh"), "activations are tanh, but this cell has 0");
  ExpectRefused("lstm_gates", said("clip", "1,5"), "clip is 1,5, which is no number");
  ExpectRefused("lstm_gates", said("clip", "-1"), "rnn_clip: is -1, but must be finite and not negative");
  ExpectRefused("augru", said("clip", "1"), "rnn_clip: is set, but the cell is augru");
  ExpectRefused("lstm_gates", said("input_forget", "1"), "has unknown 1");
  ExpectRefused("gru_gates", said("input_forget", "True"), "rnn_input_forget: is set, but the cell is gru");
}

// Numbers of 16 bits: 1.5, -2^-14 * 3 / 1024, and a NaN; the float16 is subnormal.
TEST(SavedNetworks, ReadsNumbersOf16Bits) {
  const std::string path = Written(
      "{\"a\":{\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[0,6]},"
      "\"b\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[6,10]}}",
      0);
  std::ofstream(path, std::ios::binary | std::ios::app) << std::string("\x00\x3e\x03\x80\x01\x7e\xc0\x3f\x80\xc0", 10);
  const safetensors file = read_safetensors(path);
  const Floats a = Values(file, "a");
  EXPECT_EQ(a[0], 1.5f);
  EXPECT_EQ(a[1], -std::ldexp(3.f, -24));
  EXPECT_TRUE(std::isnan(a[2]));
  EXPECT_EQ(Values(file, "b"), (Floats{1.5f, -4.f}));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
