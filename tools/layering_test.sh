#!/bin/sh
# Dependencies point one way. Between libraries: no #include and no label in a BUILD file reaches a library that its
# own may not see. Within one: no #include reaches a folder that tools/floors.bzl puts above its own. Bazel's
# visibility says it for targets; this also sees a header that is reached without one.
set -eu
. tools/tree.sh
status=0

# MayUse LIBRARY PREFIX...: LIBRARY's files name nothing of ours but these.
MayUse() {
  directory=$1
  shift
  allowed=$(printf '|%s' "$@")
  # A visibility entry (//x:__subpackages__) is permission given, not a dependency.
  SourceFiles "^$directory/" | grep -E '\.(h|hpp|c|cc|cpp|bzl)$|/BUILD$' |
    xargs grep -nE '^ *#include "|"//[a-z]' /dev/null | grep -v '__' |
    sed -E 's/"\/\/:?/"/; s/("[a-z_\/]+):/\1\//' |
    grep -E '"(api|reference|optimized|conformance|fuzz|examples)/' |
    grep -vE "\"(${allowed#|})" >"$TEST_TMPDIR/wrong" || return 0
  echo "FAILED: $directory may use $* only:"
  cat "$TEST_TMPDIR/wrong"
  status=1
}

MayUse api/core api/core/ api/core\" api/abi_headers
MayUse api api/ reference/ optimized/
MayUse reference reference/ api/core
MayUse optimized optimized/ api/core
MayUse conformance conformance/ api/ reference/
MayUse fuzz fuzz/ api/ conformance/ reference/
MayUse examples examples/ api/ conformance/plugin.h conformance/plugin_interface conformance/cli/tandem

# Includes go down: every folder with sources is a floor, and names no floor above itself.
SourceFiles '^(api|reference|optimized|conformance)/.*\.(h|hpp|c|cc|inc)$' | grep -v '^api/include/' >"$TEST_TMPDIR/files"
sed -n 's/^    "\([a-z_/]*\)",$/\1/p' tools/floors.bzl >"$TEST_TMPDIR/floors"
xargs awk '
  FILENAME ~ /\/floors$/ { height[$1] = NR; next }
  { folder = FILENAME; sub("/[^/]*$", "", folder) }
  FNR == 1 { if (!(folder in height)) { print "FAILED: " folder " is not in tools/floors.bzl"; wrong = 1 } includers++ }
  /^#include "(api|reference|optimized|conformance)\// {
    split($0, parts, "\""); used = parts[2]; sub("/[^/]*$", "", used); includes++
    if (height[used] > height[folder]) { print "FAILED: " FILENAME ":" FNR ": " $0 " goes up"; wrong = 1 }
  }
  END {
    print includers " files, " includes " includes"
    if (includers < 100 || includes < 300) { print "FAILED: these are too few to be the tree"; wrong = 1 }
    exit wrong
  }' "$TEST_TMPDIR/floors" <"$TEST_TMPDIR/files" || status=1
exit $status
