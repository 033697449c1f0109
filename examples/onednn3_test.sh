#!/bin/sh
# Programs that were compiled with the headers of oneDNN 3 and linked with its library run on libtandem_c, and its headers
# have the numbers of our table. Arguments: api/c/enumerators_test.sh and its table, the program of all examples, libtandem.so,
# libtandem_c.so, and names of examples. It needs a oneDNN 3: TANDEM_ONEDNN3 names a folder with include.tar.xz and libdnnl.so.3.xz; without it the place
# is ../shared/peers/onednn-3.13.1 beside the tree.
set -eu
. tools/own_environment.sh
compare=$PWD/$1 table=$PWD/$2 examples=$PWD/$3
work=$TEST_TMPDIR
here=$PWD
status=0
shift 3

Complain() {
  echo "FAILED: $*"
  status=1
}

if [ $# = 0 ]; then
  echo "SKIPPED: libtandem_c.so is built by GCC, this is a clang configuration"
  exit 0
fi
library=$PWD/$1 c_library=$PWD/$2
shift 2
root=$(dirname "$(readlink -f "$here/WORKSPACE")")
peer=${TANDEM_ONEDNN3:-$root/../shared/peers/onednn-3.13.1}
if [ ! -e "$peer/libdnnl.so.3.xz" ] || [ "$(uname -m)" != x86_64 ]; then
  echo "LEFT OUT: no oneDNN 3 beside the tree: no program that was compiled for it was run"
  exit 0
fi
mkdir "$work/peer" "$work/ours"
tar -C "$work/peer" -xJf "$peer/include.tar.xz"
xz -dc "$peer/libdnnl.so.3.xz" >"$work/peer/libdnnl.so.3"
ln -s libdnnl.so.3 "$work/peer/libdnnl.so"
"$compare" "$table" "$work/peer/include" || Complain "oneDNN's headers have other numbers"
cp "$library" "$work/ours/libtandem.so.1"
cp "$c_library" "$work/ours/libtandem_c.so.1"

# Each program prints with our library, preloaded in front of oneDNN's, what it prints as a program of this build. The
# implementation that it names shows whose functions it called.
for name in "$@"; do
  g++ -std=c++11 -O1 -I"$work/peer/include" -o "$work/$name" "$here/examples/$name.cc" "$work/peer/libdnnl.so" \
    -Wl,-rpath,"$work/peer" || {
    Complain "$name.cc does not compile with oneDNN 3"
    continue
  }
  "$examples" "$name" >"$work/native" || Complain "$name fails by itself"
  LD_PRELOAD="$work/ours/libtandem_c.so.1" "$work/$name" >"$work/preloaded" || Complain "$name fails on libtandem_c"
  cmp "$work/native" "$work/preloaded" || Complain "$name prints something else on libtandem_c"
  echo "ok: $name, compiled for oneDNN 3, on libtandem_c: $(head -n 1 "$work/preloaded")"
done
exit $status
