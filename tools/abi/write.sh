#!/bin/sh
# bazel run //tools/abi:write: describes the ABI of this build in the source tree, as that of the last release.
set -eu
files=$PWD
cd "${BUILD_WORKSPACE_DIRECTORY:?run it by bazel run //tools/abi:write}"
. tools/abi/describe.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in tandem tandem_c; do
  Describe "$files/lib$name.so" tools/package/$name.map "$work"
  cp "$work/described.xml" tools/abi/lib$name.xml
  echo "written: tools/abi/lib$name.xml"
done
