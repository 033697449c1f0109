#!/bin/sh
# Every equation of the book has an id that stands at a line of reference/ that computes it, and every id there is in the book.
set -eu
Ids() { grep -hoE '\[[A-Z]+[0-9]*\.B?[0-9]+\]' "$@" | sort -u; }
grep -hoE '^\| \[[^]]*\] \|' docs/book/*.md | Ids >"$TEST_TMPDIR/documented"
# An id in a comment of its own names an equation but computes none.
sed -E 's,^ *//.*,,' reference/*/*.h | Ids >"$TEST_TMPDIR/computed"
[ "$(wc -l <"$TEST_TMPDIR/documented")" -ge 60 ] || {
  echo "FAILED: docs/book has too few ids to be the whole table"
  exit 1
}
diff "$TEST_TMPDIR/documented" "$TEST_TMPDIR/computed" || {
  echo "FAILED: '<' is documented but not computed, '>' is computed but not documented"
  exit 1
}
