#!/bin/sh
# The title of each commit has at most 72 characters. Older commits than this one have longer titles.
set -eu
oldest=2e9f913
. tools/tree.sh
git() { command git -c safe.directory='*' "$@"; }
git rev-parse --verify -q HEAD >/dev/null || {
  echo "SKIPPED: this is no clone"
  exit 0
}
range=HEAD
if git rev-parse --verify -q "$oldest^{commit}" >/dev/null; then range=$oldest..HEAD; fi # a shallow clone lacks it
git log --format='%h %s' "$range" | awk 'length($0) - length($1) - 1 > 72 {
    print "FAILED: more than 72 characters: " $0
    failed = 1
  }
  END { exit failed }'
