#!/bin/sh
# usage: bazel run //tools/abi:write -- FOLDER [LAST]
#
# Writes the ABI of this build's libraries to FOLDER (libtandem.xml, libtandem_c.xml), to be published beside the archives.
# With LAST, the folder of these files of the last release, it ends with an error if a program of that release may not run.
set -eu
files=$PWD
Folder() { (cd "$BUILD_WORKING_DIRECTORY" && mkdir -p "$1" && cd "$1" && pwd); }
to=$(Folder "${1:?usage: bazel run //tools/abi:write -- FOLDER [LAST]}")
last=${2:+$(Folder "$2")}
cd "$BUILD_WORKSPACE_DIRECTORY"
. tools/abi/describe.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for name in tandem tandem_c; do
  Describe "$files/lib$name.so" tools/package/$name.map "$work"
  cp "$work/described.xml" "$to/lib$name.xml"
  echo "written: $to/lib$name.xml"
  [ -z "$last" ] || Compare "$last/lib$name.xml" "$to/lib$name.xml" || status=1
done
exit $status
