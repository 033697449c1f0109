// Checks by the compiler that a table has a row for each enumerator.
//
// An enumeration has a function `constexpr const char* ToString(Enum)`: a switch without default that returns null for a value
// that is no enumerator. -Wswitch-enum then refuses a new enumerator without a name, and the number of names is the number of
// rows that each table must have.
#ifndef TANDEM_API_CORE_ENUMS_H_
#define TANDEM_API_CORE_ENUMS_H_

#include <array>
#include <cstddef>

namespace tandem {

// Counts the enumerators of Enum; their values are 0, 1, 2 and so on.
template <class Enum>
constexpr int CountOf() {
  int count = 0;
  while (ToString(static_cast<Enum>(count)) != nullptr) ++count;
  return count;
}

template <class Enum>
constexpr Enum LastOf() {
  return static_cast<Enum>(CountOf<Enum>() - 1);
}

// Returns all enumerators, in their order.
template <class Enum>
constexpr std::array<Enum, CountOf<Enum>()> AllOf() {
  std::array<Enum, CountOf<Enum>()> all{};
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Enum>(i);
  return all;
}

// Returns the rows that `find` has for all enumerators, in their order.
template <class Traits, class Enum>
constexpr std::array<Traits, CountOf<Enum>()> TableOf(const Traits* (*find)(Enum)) {
  std::array<Traits, CountOf<Enum>()> table{};
  for (size_t i = 0; i < table.size(); ++i) table[i] = *find(static_cast<Enum>(i));
  return table;
}

// True if `rows` has one row for each enumerator up to `last`, in their order. `key` is the member that names it.
template <class Rows, class Row, class Enum>
constexpr bool HasRowForEach(const Rows& rows, Enum Row::*key, Enum last) {
  size_t count = 0;
  for (const Row& row : rows) {
    if (static_cast<size_t>(row.*key) != count++) return false;
  }
  return count == static_cast<size_t>(last) + 1;
}

}  // namespace tandem

#endif  // TANDEM_API_CORE_ENUMS_H_
