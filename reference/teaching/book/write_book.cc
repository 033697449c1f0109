// Writes docs/equations.md, docs/numerics.md and docs/book/ from the templates in reference/teaching/book/chapters.
//
// usage: write_book TEMPLATES DOCS    both are folders
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "reference/teaching/book/chapter.h"

namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path);
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

// equations.md.in and numerics.md.in become pages of docs; every other template a chapter in book/.
fs::path TargetOf(const fs::path& docs, const fs::path& source) {
  const fs::path name = source.stem();
  return name == "equations.md" || name == "numerics.md" ? docs / name : docs / "book" / name;
}

int Run(const fs::path& templates, const fs::path& docs) {
  int written = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(templates)) {
    const fs::path& source = entry.path();
    if (source.extension() != ".in") continue;
    const fs::path target = TargetOf(docs, source);
    fs::create_directories(target.parent_path());
    const std::string text = ReadFile(source);
    std::ofstream(target) << tandem::reference::MakeChapter(text, source.filename().string());
    if (text.find("\n@decay ") != std::string::npos) {
      fs::create_directories(docs / "book/figures");
      std::ofstream(docs / "book/figures/vanishing.svg") << tandem::reference::DecayFigure(text);
    }
    ++written;
  }
  std::printf("%d guides\n", written);
  return written > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* tree = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  try {
    if (argc == 3) return Run(argv[1], argv[2]);
    if (argc == 1 && tree) return Run(fs::path(tree) / "reference/teaching/book/chapters", fs::path(tree) / "docs");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_book: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: write_book TEMPLATES DOCS, or bazel run //reference/teaching/book:write\n");
  return 2;
}
