#!/bin/sh
# One source gives the same numbers with two libraries. The second argument's program is built against the system's oneDNN. $3
# is the part of both that runs, $4 says how many values it prints.
#
# Values have 5 digits behind the point, so each is off by half a unit there; f32 sums of at most 20 terms below 2 add 20 * 2 *
# 2^-24 at most on either side: together less than 2 units.
set -eu
. tools/own_environment.sh
"$1" "$3" >"$TEST_TMPDIR/tandem"
"$2" "$3" >"$TEST_TMPDIR/onednn"
paste "$TEST_TMPDIR/tandem" "$TEST_TMPDIR/onednn" | awk -v count="$4" '
  { difference = $1 - $2; if (difference < 0) difference = -difference }
  !(NF == 2 && difference < 2e-5) { print "FAILED: line " NR ": " $0; bad = 1 }
  END { print NR " values"; exit bad || NR != count }'
