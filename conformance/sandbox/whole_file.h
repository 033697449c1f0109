// These files are complete, or they do not appear.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WHOLE_FILE_H_
#define TANDEM_CONFORMANCE_SANDBOX_WHOLE_FILE_H_

#include <string>
#include <vector>

namespace tandem::conformance {

struct NamedText {
  std::string path;
  std::string text;
};

// Writes each file beside its place, and moves them all there once they are complete: a reader never sees a part of one,
// and if one cannot be written, all stay as they were. A device or a pipe is written directly, and a link is
// followed. Throws std::runtime_error, with the system's reason.
void WriteWholeFiles(const std::vector<NamedText>& files);

// Removes the files that WriteWholeFiles() has not completed. Then no call of it makes a file or ends: the process must.
void GiveUpFiles();

// Returns the text of a file. Throws std::runtime_error if it cannot be read, is no regular file, or has more than 256 MB.
std::string ReadWholeFile(const std::string& path);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WHOLE_FILE_H_
