#!/bin/sh
# The sources of fuzz/ compile with clang, whose libFuzzer runs them (./tandem fuzz): the other tests use GCC.
set -eu
. tools/tree.sh
cd "$root"
command -v clang++-14 >/dev/null || {
  echo "LEFT OUT: clang++-14 is not installed"
  exit 0
}
status=0
for source in fuzz/*.cc; do
  clang++-14 -std=c++17 -Wall -Wextra -Wswitch-enum -Werror -fsyntax-only -I. -Iapi/include "$source" || {
    echo "FAILED: $source"
    status=1
  }
done
exit $status
