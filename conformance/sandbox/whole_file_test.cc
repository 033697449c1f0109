#include "conformance/sandbox/whole_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace tandem::conformance {
namespace {

namespace fs = std::filesystem;

class WholeFile : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  std::string In(const std::string& name) const { return folder_ + "/" + name; }
  // Where a file is written before it is moved.
  std::string PartOf(const std::string& name) const { return In(name) + ".part" + std::to_string(getpid()); }

  const std::string folder_ = std::string(::testing::TempDir()) + "/whole_file";
};

TEST_F(WholeFile, IsThereAndItsPartIsGone) {
  WriteWholeFiles({{In("a"), "one"}, {In("b"), "two"}});
  EXPECT_EQ(ReadWholeFile(In("a")), "one");
  EXPECT_EQ(ReadWholeFile(In("b")), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

// Somebody else can write into the folder, and knows or guesses the name of the part.
TEST_F(WholeFile, APlantedLinkIsNotFollowed) {
  std::ofstream(In("victim")) << "mine";
  fs::create_symlink(In("victim"), PartOf("a"));
  WriteWholeFiles({{In("a"), "one"}});
  EXPECT_EQ(ReadWholeFile(In("a")), "one");
  EXPECT_EQ(ReadWholeFile(In("victim")), "mine");
  EXPECT_TRUE(fs::is_symlink(PartOf("a")));
}

TEST_F(WholeFile, WhereOneCannotBeWrittenAllStayAsTheyWere) {
  WriteWholeFiles({{In("a"), "one"}});
  EXPECT_THROW(WriteWholeFiles({{In("a"), "two"}, {In("none") + "/b", "three"}}), std::runtime_error);
  EXPECT_EQ(ReadWholeFile(In("a")), "one");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace tandem::conformance
