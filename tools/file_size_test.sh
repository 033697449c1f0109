#!/bin/sh
# A source file longer than 400 lines does more than one job. A BUILD file has
# one, and is as long as its package has targets.
set -eu
. tools/tree.sh
limit=400
long=$(SourceFiles '\.(h|hpp|c|cc|cpp|sh|awk|py|bzl|md)$|(^|/)(tandem|run)$' |
  while read -r file; do
    lines=$(wc -l <"$file")
    [ "$lines" -le $limit ] || echo "FAILED: $file has $lines lines, the limit is $limit"
  done)
[ -z "$long" ] || {
  echo "$long"
  exit 1
}
