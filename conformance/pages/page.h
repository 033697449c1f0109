// The frame of an HTML page, one file without script that loads nothing, is for light and dark screens, 400 px and paper.
//
// .data fills a mark of a plot, .wrong a mark of wrong elements; .grade-A to .grade-F are backgrounds of cells; .alarm is a
// word that must be seen. table.rows becomes a list on a narrow screen, where data-label of a cell takes the place of its
// column's title.
#ifndef TANDEM_CONFORMANCE_PAGES_PAGE_H_
#define TANDEM_CONFORMANCE_PAGES_PAGE_H_

#include <string>

namespace tandem::conformance {

// Returns the page up to and with <main>. `title` is text; `style` is CSS behind the common one.
std::string PageBegin(const std::string& title, const std::string& style = "");
std::string PageEnd();

// Returns a box for content that is wider than a narrow screen: it scrolls, and the page does not. A screen reader says `name`.
std::string Scrollable(const std::string& name, const std::string& html);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_PAGE_H_
