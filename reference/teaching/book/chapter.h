// Makes a guide from its template: Markdown with formulas in {braces} and lines that begin with @.
//
//   @index PAGE#SECTION IDS...     consecutive lines: a table of where each equation is
//   @equations IDS...  a table: id, equation, shape, why
//   @worked CELL NAME=NUMBER...    a step of a cell with one channel, by hand
//   @steps CELL NAME=NUMBER,...    two steps of a cell with one channel, forward and backward; x, a and dh have two numbers
//   @decay NAME CELL NAME=NUMBER,...    consecutive lines: a table of gradients that go back over 1 to 100 steps
//   @drift                         a table: the error of an LSTM or GRU in 8 or 16 bits over 200 steps
//   @rounding          the table of rounding points
//
// IDS are words such as LSTM.1, or LSTM.1-6. In a line of text {@value σ(5)} and {@value σ(5) to 100} become numbers, and
// {@20 NAME} becomes what the table has for the @decay line NAME 20 steps back.
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_CHAPTER_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_CHAPTER_H_

#include <map>
#include <string>
#include <vector>

#include "reference/teaching/table/notation.h"

namespace tandem {
namespace reference {

// `title` names the template in the first line's comment. Throws std::invalid_argument for what it does not understand.
std::string MakeChapter(const std::string& text, const std::string& title);

// {formulas} shown in a notation: LaTeX as GitHub math, MathML in a <math> element; the rest as it is.
std::string WithFormulas(const std::string& text, Notation notation);

// LSTM.1-3 LSTM.B1 -> LSTM.1 LSTM.2 LSTM.3 LSTM.B1.
std::vector<std::string> ExpandIds(const std::vector<std::string>& words);

// Returns the text that follows @steps: the lines of both steps.
std::string WorkedSequence(const std::vector<std::string>& words);

// Reads the words after @decay NAME. Returns the length of (dh', dc') that comes 1, 2, ... `steps` steps back, if the last h has
// dh = 1.
std::vector<double> GradientOverTime(const std::vector<std::string>& words, size_t steps);

// A sequence of the table has so many steps.
constexpr size_t kDecaySteps = 100;

// Maps the name of each @decay line, with spaces, to the words after it.
using DecayRows = std::map<std::string, std::vector<std::string>>;
DecayRows DecayRowsOf(const std::string& text);

// A row of the table, with the header before the first.
std::string DecayRow(std::vector<std::string> words, bool* has_header);

// The figure of the lines that begin with @decay in a template: SVG.
std::string DecayFigure(const std::string& text);

// Returns the table that @drift stands for.
std::string DriftTable();

// "@worked LSTM x=1 W_i=0.5": the lines of the example, without the @ and the command.
std::string WorkedExample(const std::vector<std::string>& words);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_CHAPTER_H_
