#!/bin/sh
# compile.sh OPTION...: emscripten as Bazel calls a compiler, which also links.
set -eu
# Nothing is written to emscripten's own folders, and no file of the caller's home is read.
export EM_FROZEN_CACHE=1 EMCC_SKIP_SANITY_CHECK=1 EM_CONFIG=/usr/share/emscripten/.emscripten
# Another node than Debian's does not look where Debian puts its libraries.
export NODE_PATH=/usr/share/nodejs
link=yes
for argument in "$@"; do
  shift
  case $argument in
    # No threads: OpenMP's pragmas count for nothing.
    -fopenmp) continue ;;
    -c | -E) link= ;;
  esac
  set -- "$@" "$argument"
done
[ -n "$link" ] || exec emcc "$@"
# Apart, so that nothing is compiled anew where it changes.
. "$(dirname "$0")/link.sh"
