#include "conformance/sandbox/whole_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "conformance/sandbox/interrupt.h"

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
  // Returns the name under which a file is written before it is moved.
  std::string PartOf(const std::string& name) const { return In(name) + ".part" + std::to_string(getpid()); }

  const std::string folder_ = std::string(::testing::TempDir()) + "/whole_file";
};

TEST_F(WholeFile, IsThereAndItsPartIsGone) {
  WriteWholeFiles({{In("a"), "one"}, {In("b"), "two"}});
  EXPECT_EQ(ReadWholeFile(In("a")), "one");
  EXPECT_EQ(ReadWholeFile(In("b")), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

// The writer interrupts itself when its file has reached the limit: always in the middle of the second file.
TEST_F(WholeFile, AnInterruptedCommandLeavesNoPart) {
  constexpr rlim_t kLimit = 1 << 20;
  const pid_t writer = fork();
  if (writer == 0) {
    EndAtInterrupts();
    const rlimit limit = {kLimit, kLimit};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, [](int) {
      raise(SIGTERM);
      for (;;) pause();
    });
    WriteWholeFiles({{In("small"), "text"}, {In("large"), std::string(2 * kLimit, 'x')}});
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(writer, &status, 0), writer);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM);
  EXPECT_TRUE(fs::is_empty(folder_));
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
