#!/bin/sh
# A source file longer than 400 lines does more than one job, and so does a folder of more than 30 sources. A BUILD file
# has one, and is as long as its package has targets.
set -eu
. tools/tree.sh
limit=400
long=$(SourceFiles '\.(h|hpp|c|cc|cpp|sh|awk|py|bzl|md)$|(^|/)(tandem|run)$' |
  while read -r file; do
    lines=$(wc -l <"$file")
    [ "$lines" -le $limit ] || echo "FAILED: $file has $lines lines, the limit is $limit"
  done)
full=$(SourceFiles '\.(h|hpp|c|cc|cpp)$' | sed 's|/[^/]*$||' | sort | uniq -c |
  awk '$1 > 30 { print "FAILED: " $2 " has " $1 " sources, the limit is 30" }')
[ -z "$long$full" ] || {
  echo "$long$full"
  exit 1
}
