#include "conformance/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "conformance/problem/base/format.h"
#include "conformance/problem/base/printable.h"
#include "conformance/problem/base/wrapped.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

constexpr const char kRed[] = "\033[1;31m", kGreen[] = "\033[32m", kYellow[] = "\033[33m", kGrey[] = "\033[90m",
                     kPlain[] = "\033[0m";

// The first phrase that fits is taken, so a longer phrase stands before one that is its end.
struct Phrase {
  const char* words;
  const char* colour;
};
constexpr Phrase kPhrases[] = {{"NOT all conform", kRed},
                               {"NOT everything was judged", kYellow},
                               {"does not conform", kRed},
                               {"not everything was judged", kYellow},
                               {"conforms to no profile", kYellow},
                               {"INTERRUPTED", kRed},
                               {"INCOMPLETE", kRed},
                               {"NONDETERMINISTIC", kRed},
                               {"SURVIVES", kRed},
                               {"CRASH", kRed},
                               {"TIMEOUT", kRed},
                               {"FAIL", kRed},
                               {"VACUOUS", kGrey},
                               {"nothing is wrong", kGreen},
                               {"all conform", kGreen}};

Colours chosen_colours = Colours::kOnATerminal;

bool HasColours(std::FILE* terminal) {
  const char *no_color = std::getenv("NO_COLOR"), *term = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  if (term != nullptr && std::strcmp(term, "dumb") == 0) return false;
  return isatty(fileno(terminal)) != 0;
}

bool Coloured(std::FILE* stream) {
  switch (chosen_colours) {
    case Colours::kOnATerminal:
      return HasColours(stream);
    case Colours::kAlways:
      return true;
    case Colours::kNever:
      return false;
  }
  return false;
}

std::string Painted(const std::string& text) {
  std::string painted;
  for (size_t at = 0; at < text.size();) {
    const Phrase* found = nullptr;
    for (const Phrase& phrase : kPhrases) {
      if (found == nullptr && text.compare(at, std::strlen(phrase.words), phrase.words) == 0) found = &phrase;
    }
    if (found == nullptr) {
      painted += text[at++];
      continue;
    }
    painted += std::string(found->colour) + found->words + kPlain;
    at += std::strlen(found->words);
  }
  return painted;
}

}  // namespace

void SetColours(Colours colours) { chosen_colours = colours; }

int Columns(std::FILE* stream) {
  constexpr int kUsual = 80;
  if (isatty(fileno(stream)) == 0) return 0;
  winsize size = {};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

void Print(const std::string& text, std::FILE* stream) {
  const std::string printable = Printable(AsCalled(text));
  std::fputs(Coloured(stream) ? Painted(printable).c_str() : printable.c_str(), stream);
}

void Printf(std::FILE* stream, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const std::string text = FormatList(format, arguments);
  va_end(arguments);
  Print(text, stream);
}

void PrintSentence(const std::string& text) {
  const int columns = Columns(stdout);
  const std::string printable = Printable(text);
  std::fputs((columns > 0 ? Wrapped(printable, static_cast<size_t>(columns), 0) : printable + "\n").c_str(), stdout);
}

void PrintError(const std::string& sentence) {
  std::fputs(("tandem: " + Printable(AsCalled(sentence)) + "\n").c_str(), stderr);
}

}  // namespace tandem::conformance
