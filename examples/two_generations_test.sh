#!/bin/sh
# One source, two libraries, the same numbers: no printed value differs by more
# than 2 in its last digit, 5 digits behind the point.
set -eu
"$1" >"$TEST_TMPDIR/tandem"
"$2" >"$TEST_TMPDIR/onednn"
paste "$TEST_TMPDIR/tandem" "$TEST_TMPDIR/onednn" | awk '
  { difference = $1 - $2; if (difference < 0) difference = -difference }
  !(NF == 2 && difference < 2.5e-5) { print "FAILED: line " NR ": " $0; bad = 1 }
  END { print NR " values"; exit bad || NR != 64 }'
