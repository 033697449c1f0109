#!/bin/sh
# Dependencies point one way: no #include and no label in a BUILD file reaches a
# directory that its own may not see. Bazel's visibility says it for targets;
# this also sees a header that is reached without one.
set -eu
. tools/tree.sh
status=0

# MayUse DIRECTORY PREFIX...: DIRECTORY's files name nothing of ours but these.
MayUse() {
  directory=$1
  shift
  allowed=$(printf '|%s' "$@")
  # A visibility entry (//x:__subpackages__) is permission given, not a dependency.
  SourceFiles "^$directory/" | grep -E '\.(h|hpp|c|cc|cpp|bzl)$|/BUILD$' |
    xargs grep -nE '^ *#include "|"//[a-z]' /dev/null | grep -v '__' |
    sed -E 's/"\/\/:?/"/; s/("[a-z_]+):/\1\//' |
    grep -E '"(api|reference|optimized|conformance|fuzz|examples)/' |
    grep -vE "\"(${allowed#|})" >"$TEST_TMPDIR/wrong" || return 0
  echo "FAILED: $directory may use $* only:"
  cat "$TEST_TMPDIR/wrong"
  status=1
}

MayUse api/core api/core/ api/core\"
MayUse api api/ reference/ optimized/
MayUse reference reference/ api/core
MayUse optimized optimized/ api/core
MayUse conformance conformance/ api/ reference/
MayUse fuzz fuzz/ api/ conformance/ reference/
MayUse examples examples/ api/ conformance/plugin.h conformance/plugin_interface conformance/tandem
exit $status
