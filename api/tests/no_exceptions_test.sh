#!/bin/sh
# Each program computes; made to fail, it says what is wrong and ends at once.
set -eu
for client in "$@"; do
  "$client"
  if "$client" fail >"$TEST_TMPDIR/out" 2>"$TEST_TMPDIR/err"; then
    echo "FAILED: $client went on"
    exit 1
  fi
  cat "$TEST_TMPDIR/out" "$TEST_TMPDIR/err"
  [ ! -s "$TEST_TMPDIR/out" ]
  grep -q 'dnnl::error: invalid_arguments: .*dst_layer.*5.*4' "$TEST_TMPDIR/err"
done
[ $# = 2 ]
