#!/bin/sh
# What was compiled for oneDNN 3 runs on libtandem_c: the enumerators have oneDNN's numbers, and programs that were compiled
# with its headers and linked with its library run on ours. Arguments: enumerators.txt, libtandem.so, libtandem_c.so, and
# the examples that check themselves. The programs need a oneDNN 3: TANDEM_ONEDNN3 names a folder with include.tar.xz and
# libdnnl.so.3.xz; without it the place is ../shared/peers/onednn-3.13.1 beside the tree.
set -eu
table=$PWD/$1
work=$TEST_TMPDIR
here=$PWD
status=0

Complain() {
  echo "FAILED: $*"
  status=1
}

# Numbers INCLUDE OUTPUT: the table's names with the numbers that the headers below INCLUDE give them.
Numbers() {
  {
    echo '#include <stdio.h>'
    echo '#include "oneapi/dnnl/dnnl_types.h"'
    echo 'int main(void) {'
    awk '!/^#/ { printf "  printf(\"%%-48s %%lld\\n\", \"%s\", (long long)(%s));\n", $1, $1 }' "$table"
    echo '  return 0;'
    echo '}'
  } >"$work/numbers.c"
  gcc -std=c99 -I"$1" -o "$work/numbers" "$work/numbers.c" && "$work/numbers" >"$2"
}

# Compare WHOSE INCLUDE
Compare() {
  grep -v '^#' "$table" >"$work/want"
  Numbers "$2" "$work/got" || Complain "$1 headers do not know a name of the table"
  diff "$work/want" "$work/got" || Complain "$1 headers have other numbers (the table has what is marked <)"
}
Compare Tandem\'s "$here/api/include"

if [ $# = 1 ]; then
  echo "SKIPPED: libtandem_c.so is built by GCC, this is a clang configuration"
  exit $status
fi
library=$PWD/$2 c_library=$PWD/$3
shift 3
root=$(dirname "$(readlink -f "$here/WORKSPACE")")
peer=${TANDEM_ONEDNN3:-$root/../shared/peers/onednn-3.13.1}
if [ ! -e "$peer/libdnnl.so.3.xz" ] || [ "$(uname -m)" != x86_64 ]; then
  echo "LEFT OUT: no oneDNN 3 beside the tree: no program that was compiled for it was run"
  exit $status
fi
mkdir "$work/peer" "$work/ours"
tar -C "$work/peer" -xJf "$peer/include.tar.xz"
xz -dc "$peer/libdnnl.so.3.xz" >"$work/peer/libdnnl.so.3"
ln -s libdnnl.so.3 "$work/peer/libdnnl.so"
Compare "oneDNN's" "$work/peer/include"
cp "$library" "$work/ours/libtandem.so.1"
cp "$c_library" "$work/ours/libtandem_c.so.1"

# Each program prints with our library, preloaded in front of oneDNN's, what it prints as a program of this build. The
# implementation that it names shows whose functions it called.
for example in "$@"; do
  name=${example##*/}
  source=$here/examples/$name.cc
  g++ -std=c++11 -O1 -I"$work/peer/include" -o "$work/$name" "$source" "$work/peer/libdnnl.so" -Wl,-rpath,"$work/peer" || {
    Complain "$name.cc does not compile with oneDNN 3"
    continue
  }
  "$example" >"$work/native" || Complain "$name fails by itself"
  LD_PRELOAD="$work/ours/libtandem_c.so.1" "$work/$name" >"$work/preloaded" || Complain "$name fails on libtandem_c"
  cmp "$work/native" "$work/preloaded" || Complain "$name prints something else on libtandem_c"
  echo "ok: $name, compiled for oneDNN 3, on libtandem_c: $(head -n 1 "$work/preloaded")"
done
exit $status
