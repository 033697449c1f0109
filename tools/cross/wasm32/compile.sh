#!/bin/sh
# compile.sh OPTION... is emscripten as Bazel calls a compiler, which also links.
set -eu
# Nothing is written to emscripten's own folders, and no file of the caller's home is read.
export EM_FROZEN_CACHE=1 EMCC_SKIP_SANITY_CHECK=1 EM_CONFIG=/usr/share/emscripten/.emscripten
# A node that is not Debian's does not look where Debian puts its libraries.
export NODE_PATH=/usr/share/nodejs
link=yes
for argument in "$@"; do
  shift
  case $argument in
    # There are no threads: OpenMP's pragmas count for nothing.
    -fopenmp) continue ;;
    -c | -E) link= ;;
  esac
  set -- "$@" "$argument"
done
[ -n "$link" ] || exec emcc "$@"
# link.sh is a file of its own, so that its change compiles nothing anew.
. "$(dirname "$0")/link.sh"
