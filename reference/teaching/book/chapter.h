// Makes a guide from its template: Markdown with formulas in {braces} and lines that begin with @.
//
//   @index IDS...      a table: id, equation
//   @equations IDS...  a table: id, equation, shape, why
//   @worked CELL NAME=NUMBER...    a step of a cell with one channel, by hand
//   @rounding          the table of rounding points
//
// IDS are words such as LSTM.1, or LSTM.1-6.
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_CHAPTER_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_CHAPTER_H_

#include <string>
#include <vector>

#include "reference/teaching/book/notation.h"

namespace tandem {
namespace reference {

// `title` names the template in the first line's comment. Throws std::invalid_argument for what it does not understand.
std::string MakeChapter(const std::string& text, const std::string& title);

// {formulas} shown in a notation: LaTeX as GitHub math, MathML in a <math> element; the rest as it is.
std::string WithFormulas(const std::string& text, Notation notation);

// LSTM.1-3 LSTM.B1 -> LSTM.1 LSTM.2 LSTM.3 LSTM.B1.
std::vector<std::string> ExpandIds(const std::vector<std::string>& words);

// "@worked LSTM x=1 W_i=0.5": the lines of the example, without the @ and the command.
std::string WorkedExample(const std::vector<std::string>& words);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_CHAPTER_H_
