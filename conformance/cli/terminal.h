// On a terminal the output has colours, and lines that end.
#ifndef TANDEM_CONFORMANCE_CLI_TERMINAL_H_
#define TANDEM_CONFORMANCE_CLI_TERMINAL_H_

#include <cstdio>
#include <string>

namespace tandem::conformance {

// Returns the characters of a line of the stream's terminal. It is 0 if there is no terminal, and lines have no end.
int Columns(std::FILE* stream);

// kOnATerminal gives colours on a terminal, unless NO_COLOR is set and not empty or TERM is dumb.
enum class Colours { kOnATerminal, kAlways, kNever };
void SetColours(Colours colours);

// Writes printable text (problem/base/printable.h), the program's name as users type it, verdicts coloured by SetColours().
void Print(const std::string& text, std::FILE* stream);

// Writes the text of std::printf in the form of Print().
__attribute__((format(printf, 2, 3))) void Printf(std::FILE* stream, const char* format, ...);

// Writes the printable sentence and the end of a line to stdout, on a terminal in lines of its width.
void PrintSentence(const std::string& text);

// Writes "tandem: ", the printable sentence and the end of a line to stderr.
void PrintError(const std::string& sentence);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_TERMINAL_H_
