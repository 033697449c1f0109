#!/bin/sh
# The title of each commit has at most 72 characters. Some older commits than this one have longer titles.
set -eu
oldest=2e9f913
. tools/tree.sh
git() { command git -c safe.directory='*' "$@"; }
git rev-parse --verify -q HEAD >/dev/null || {
  echo "SKIPPED: this is no clone"
  exit 0
}
git rev-parse --verify -q "$oldest^{commit}" >/dev/null || {
  echo "SKIPPED: this clone does not have commit $oldest, after which titles are held to the limit"
  exit 0
}
git log --format='%h %s' "$oldest..HEAD" | awk 'length($0) - length($1) - 1 > 72 {
    print "FAILED: more than 72 characters: " $0
    failed = 1
  }
  END { exit failed }'
