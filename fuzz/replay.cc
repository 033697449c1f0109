// Replays the corpus of each fuzz target without libFuzzer, with every compiler; or files: `corpus_test rnn FILE...`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

// fuzz/BUILD gives LLVMFuzzerTestOneInput the name of its target.
extern "C" {
int Fuzz_descriptors(const uint8_t* data, size_t size);
int Fuzz_handles(const uint8_t* data, size_t size);
int Fuzz_pipe(const uint8_t* data, size_t size);
int Fuzz_plugin(const uint8_t* data, size_t size);
int Fuzz_readers(const uint8_t* data, size_t size);
int Fuzz_reorders(const uint8_t* data, size_t size);
int Fuzz_rnn(const uint8_t* data, size_t size);
int Fuzz_streams(const uint8_t* data, size_t size);
int Fuzz_views(const uint8_t* data, size_t size);
}

namespace {

namespace fs = std::filesystem;

struct FuzzTarget {
  const char* name;
  int (*run)(const uint8_t* data, size_t size);
};
constexpr FuzzTarget kTargets[] = {
    {"descriptors", &Fuzz_descriptors},
    {"handles", &Fuzz_handles},
    {"pipe", &Fuzz_pipe},
    {"plugin", &Fuzz_plugin},
    {"readers", &Fuzz_readers},
    {"reorders", &Fuzz_reorders},
    {"rnn", &Fuzz_rnn},
    {"streams", &Fuzz_streams},
    {"views", &Fuzz_views},
};

// Returns the names of the entries of a folder, sorted.
std::set<std::string> NamesIn(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

// Returns false if the file cannot be read.
bool Replay(const FuzzTarget& target, const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return false;
  const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  // After a crash, the last name printed is the input that caused it.
  std::fprintf(stderr, "%s\n", path.c_str());
  target.run(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  return true;
}

int ReplayFiles(const std::string& name, int count, char** paths) {
  const auto target =
      std::find_if(std::begin(kTargets), std::end(kTargets), [&](const FuzzTarget& t) { return name == t.name; });
  if (target == std::end(kTargets) || count == 0) {
    std::fprintf(stderr, "usage: corpus_test TARGET FILE...; the directories of fuzz/corpus name the targets\n");
    return 2;
  }
  for (int i = 0; i < count; ++i) {
    if (Replay(*target, paths[i])) continue;
    std::fprintf(stderr, "replay: %s cannot be read\n", paths[i]);
    return 2;
  }
  std::printf("%d inputs\n", count);
  return 0;
}

class Corpus : public ::testing::TestWithParam<FuzzTarget> {};
INSTANTIATE_TEST_SUITE_P(Of, Corpus, ::testing::ValuesIn(kTargets),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Corpus, IsReplayed) {
  const std::string folder = std::string("fuzz/corpus/") + GetParam().name;
  const std::set<std::string> files = NamesIn(folder);
  EXPECT_FALSE(files.empty());
  for (const std::string& file : files) EXPECT_TRUE(Replay(GetParam(), folder + "/" + file)) << file;
}

TEST(Corpora, AreThoseOfTheTargets) {
  std::set<std::string> names;
  for (const FuzzTarget& target : kTargets) names.insert(target.name);
  EXPECT_EQ(NamesIn("fuzz/corpus"), names);
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return argc > 1 ? ReplayFiles(argv[1], argc - 2, argv + 2) : RUN_ALL_TESTS();
}
