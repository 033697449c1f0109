#include "conformance/sandbox/captured_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace tandem::conformance {
namespace {

constexpr size_t kKept = 300;
// The number is limited, because a process that prints without end must not keep the judge from its clock.
constexpr int kMostReads = 16;

// qemu-user says on stderr which signal ends a program. The program has not printed that.
void RemoveEmulatorsWords(std::string* text) {
  if (std::getenv("TANDEM_EMULATOR") == nullptr) return;
  const size_t begin = text->find("qemu: uncaught target signal ");
  if (begin != std::string::npos) text->erase(begin, text->find('\n', begin) - begin);
}

}  // namespace

std::string OneLine(const std::string& text) {
  std::string line = text;
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return line;
}

CapturedOutput::CapturedOutput(OwnedFd* write_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot open a pipe");
  read_end_ = OwnedFd(ends[0]);
  *write_end = OwnedFd(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

void CapturedOutput::Drain() {
  char bytes[4096];
  for (int i = 0; i < kMostReads; ++i) {
    const ssize_t count = read(read_end_.get(), bytes, sizeof bytes);
    if (count == 0) read_end_.Close();  // nobody can write any more
    if (count <= 0) return;
    end_.append(bytes, static_cast<size_t>(count));
    if (end_.size() > kKept) end_.erase(0, end_.size() - kKept);
  }
}

std::string CapturedOutput::TakeNote() {
  RemoveEmulatorsWords(&end_);
  std::string note = OneLine(std::exchange(end_, ""));
  note.erase(note.find_last_not_of(' ') + 1);
  note.erase(0, note.find_first_not_of(' '));
  return note.empty() ? "" : "; it printed: \"" + note + "\"";
}

}  // namespace tandem::conformance
