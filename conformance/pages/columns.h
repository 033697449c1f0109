// Text, page, report.json and its reader walk this table of the columns of categories, so all have each column.
#ifndef TANDEM_CONFORMANCE_PAGES_COLUMNS_H_
#define TANDEM_CONFORMANCE_PAGES_COLUMNS_H_

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conformance/judge/grade.h"

namespace tandem::conformance {

// A table is for a terminal whose lines have any length, for one whose lines have at most 80 characters, or for a page.
enum class Form { kWide, kNarrow, kPage };

// This is the heading of a column of a text table, and the number of characters below it.
struct Heading {
  const char* name = "";
  int width = 0;
};

struct Column {
  // These describe the column in report.json. Without `read` the reader computes it; `key` is null for a column of tables only.
  const char* key = nullptr;
  std::function<nlohmann::ordered_json(const CategorySummary&)> write = nullptr;
  std::function<void(const nlohmann::json& category, CategorySummary*)> read = nullptr;

  // These describe the column in tables; `text` is null if the column is only in report.json.
  Heading wide = {}, narrow = {};
  const char* page = "";
  const char* legend = "";  // it explains the column below a text table
  std::function<std::string(const CategorySummary&, Form)> text = nullptr;
  // This is the class of the cell in a page: "number" is right-aligned, "grade-A" is green.
  std::function<std::string(const CategorySummary&)> css = nullptr;
};

// Returns all columns in the order of report.json, which is also that of the tables. Names of a category and its grade are in
// no column: each table has its own place for them.
const std::vector<Column>& Columns();
// Returns the columns that tables have.
const std::vector<Column>& ShownColumns();

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_COLUMNS_H_
