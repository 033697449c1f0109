#!/bin/sh
# clang-format 14 would not change any C or C++ file.
set -eu
. tools/tree.sh
if ! command -v clang-format-14 >/dev/null 2>&1; then
  echo "SKIPPED: clang-format-14 is not installed"
  exit 0
fi
SourceFiles '\.(h|hpp|c|cc|cpp)$' >"$TEST_TMPDIR/files"
if xargs clang-format-14 --style=file --dry-run -Werror <"$TEST_TMPDIR/files" 2>"$TEST_TMPDIR/err"; then
  echo "$(wc -l <"$TEST_TMPDIR/files") files"
else
  sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: error:.*/\1/p' "$TEST_TMPDIR/err" | uniq -c
  echo "FAILED: put right by: clang-format-14 -i FILE..."
  exit 1
fi
