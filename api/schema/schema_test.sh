#!/bin/sh
# What is generated from the tables of tensors, cells and activations is what is in the tree.
set -eu
api/schema/dump >"$TEST_TMPDIR/schema.json"
. tools/tree.sh
python3 api/schema/generate.py "$TEST_TMPDIR/schema.json" "$TEST_TMPDIR/written"
find "$TEST_TMPDIR/written" -type f | sed "s|^$TEST_TMPDIR/written/||" >"$TEST_TMPDIR/files"
while read -r file; do
  diff "$file" "$TEST_TMPDIR/written/$file" || {
    echo "FAILED: $file is not what api/schema makes of the tables; run bazel run //api/schema:write"
    exit 1
  }
done <"$TEST_TMPDIR/files"
wc -l <"$TEST_TMPDIR/files"
[ "$(wc -l <"$TEST_TMPDIR/files")" -ge 15 ]
