#!/bin/sh
# docs/adding.md names every file of production code that names a cell, an activation or a 16-bit data type by its enumerator.
set -eu
. tools/tree.sh
status=0

# EachIsNamed WHAT PATTERN LEAST: the guide names every file with a match. Fewer than LEAST mean that the pattern is outdated.
EachIsNamed() {
  SourceFiles '^(api|reference|optimized|conformance|fuzz)/.*\.(h|cc|inc)$' |
    grep -vE '_test\.cc$|_testing\.(h|cc)$|_bench\.cc$|/tests/' |
    xargs grep -lE "$2" >"$TEST_TMPDIR/files" || true
  count=$(wc -l <"$TEST_TMPDIR/files")
  [ "$count" -ge "$3" ] || {
    echo "FAILED: only $count files name $1"
    status=1
  }
  while read -r file; do
    grep -qF "\`$file\`" docs/adding.md || {
      echo "FAILED: $file names $1, docs/adding.md does not name $file"
      status=1
    }
  done <"$TEST_TMPDIR/files"
  echo "$1: $count files"
}

# AtMost COUNT HEADING: the table under the heading names at most COUNT files.
AtMost() {
  count=$(sed -n "/^## $2\$/,/^## /p" docs/adding.md | grep '^| `' | grep -oE '`[a-zA-Z_]+/[^` ]*`' | sort -u | wc -l)
  echo "$2: a table of $count files"
  [ "$count" -gt 0 ] && [ "$count" -le "$1" ] && return
  echo "FAILED: more than $1, or none"
  status=1
}
# Only api/core/gates.h may number gates, because the same number is another gate in another cell.
numbers=$(SourceFiles '^(api|reference|optimized|conformance|fuzz)/.*\.(h|cc|inc)$' |
  grep -vE '_test\.cc$|_testing\.(h|cc)$|_bench\.cc$|/tests/|^api/schema/' |
  xargs grep -nE 'Gate(Offset)?\([0-9]|gate [!=]= [0-9]|gate\[[0-9]\]' || true)
[ -z "$numbers" ] || {
  echo "FAILED: a gate is named by its number, not by its role:"
  echo "$numbers"
  status=1
}
AtMost 14 "A cell"
AtMost 14 "An activation"
AtMost 12 "A data type"
EachIsNamed "a cell" 'Cell::k[A-Z]' 10
EachIsNamed "an activation" 'Activation::k[A-Z]' 10
EachIsNamed "a 16-bit data type" 'DataType::k(F16|Bf16)\b' 10
exit $status
