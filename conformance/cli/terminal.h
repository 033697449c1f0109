// What a terminal adds to the output: colours, and an end of its lines.
#ifndef TANDEM_CONFORMANCE_CLI_TERMINAL_H_
#define TANDEM_CONFORMANCE_CLI_TERMINAL_H_

#include <cstdio>
#include <string>

namespace tandem::conformance {

// Characters of a line of the stream's terminal; 0: it is no terminal, and lines have no end.
int Columns(std::FILE* stream);

// Writes the text, on a terminal with its verdicts in colour. NO_COLOR, if it is set and not empty, and TERM=dumb keep it
// plain, as a file and a pipe do.
void Print(const std::string& text, std::FILE* stream);

// Writes the sentence and the end of a line to stdout, on a terminal in lines of its width.
void PrintSentence(const std::string& text);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_TERMINAL_H_
