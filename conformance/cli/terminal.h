// What a terminal adds to the output: colours, and an end of its lines.
#ifndef TANDEM_CONFORMANCE_CLI_TERMINAL_H_
#define TANDEM_CONFORMANCE_CLI_TERMINAL_H_

#include <cstdio>
#include <string>

namespace tandem::conformance {

// Characters of a line of the stream's terminal; 0: it is no terminal, and lines have no end.
int Columns(std::FILE* stream);

// When verdicts are in colour: on a terminal, unless NO_COLOR is set and not empty or TERM is dumb; or whatever the stream
// and the environment are.
enum class Colours { kOnATerminal, kAlways, kNever };
void SetColours(Colours colours);

// Writes the text, printable (problem/base/printable.h) and with the program's name as its user types it, its verdicts in
// colour where SetColours() says so.
void Print(const std::string& text, std::FILE* stream);

// The same for what std::printf would write.
__attribute__((format(printf, 2, 3))) void Printf(std::FILE* stream, const char* format, ...);

// Writes the sentence, printable, and the end of a line to stdout, on a terminal in lines of its width.
void PrintSentence(const std::string& text);

// "tandem: ", the sentence, printable, and the end of a line, to stderr.
void PrintError(const std::string& sentence);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_TERMINAL_H_
