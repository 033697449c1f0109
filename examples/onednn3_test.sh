#!/bin/sh
# Programs that were compiled with the headers of oneDNN 3 and linked with its library run on libtandem_c, and its headers
# have the numbers of our table. Arguments: api/c/enumerators_test.sh and its table, the program of all examples, libtandem.so,
# libtandem_c.so, and names of examples. TANDEM_ONEDNN3 names a folder with a oneDNN 3: include.tar.xz and libdnnl.so.3.xz.
# Without it the test looks at the table alone: it must have the aliases of format tags of an installed oneDNN 2.
set -eu
peer=${TANDEM_ONEDNN3:-}
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

# Prints "NAME FIRST" for each format tag of the table that oneDNN 2 has, too: FIRST is the first of the names with its number,
# by the headers below $1 or, without it, by the table. The numbers are others in oneDNN 2, the layouts are not.
Aliases() {
  if [ $# = 0 ]; then
    awk 'NR == FNR { tags[$1]; next } $1 in tags' "$work/tags" "$table"
  else
    {
      printf '#include <stdio.h>\n#include "oneapi/dnnl/dnnl_types.h"\nint main(void) {\n'
      awk '{ printf "  printf(\"%s %%d\\n\", (int)%s);\n", $1, $1 }' "$work/tags"
      printf '  return 0;\n}\n'
    } >"$work/tags.c"
    gcc -I"$1" -o "$work/tags_of_2" "$work/tags.c"
    "$work/tags_of_2"
  fi | LC_ALL=C sort | awk '!($2 in first) { first[$2] = $1 } { print $1, first[$2] }'
}

if [ -z "$peer" ]; then
  system=/usr/include/oneapi/dnnl
  if grep -q '^#define DNNL_VERSION_MAJOR 2$' $system/dnnl_version.h 2>/dev/null; then
    sed -n '/dnnl_format_tag_undef/,/} dnnl_format_tag_t/p' $system/dnnl_types.h | grep -oE '\bdnnl_[a-z]+\b' | sort -u |
      awk 'NR == FNR { known[$1]; next } $1 in known' "$table" - >"$work/tags"
    Aliases /usr/include >"$work/theirs"
    Aliases >"$work/ours"
    if diff "$work/theirs" "$work/ours"; then
      echo "ok: $(wc -l <"$work/tags") format tags are the layouts that they are in oneDNN 2"
    else
      Complain "the table has other aliases of format tags than oneDNN 2 (marked <)"
    fi
  fi
  echo "LEFT OUT: TANDEM_ONEDNN3 names no oneDNN 3: api/c/enumerators.txt was not compared with its headers, and no program" \
    "that was compiled for it was run"
  exit $status
fi
[ -e "$peer/libdnnl.so.3.xz" ] || {
  echo "FAILED: TANDEM_ONEDNN3=$peer has no libdnnl.so.3.xz"
  exit 1
}
[ "$(uname -m)" = x86_64 ] || {
  echo "LEFT OUT: the oneDNN 3 of TANDEM_ONEDNN3 is for x86-64"
  exit 0
}
mkdir "$work/peer" "$work/ours"
tar -C "$work/peer" -xJf "$peer/include.tar.xz"
xz -dc "$peer/libdnnl.so.3.xz" >"$work/peer/libdnnl.so.3"
ln -s libdnnl.so.3 "$work/peer/libdnnl.so"
"$compare" "$table" "$work/peer/include" || Complain "oneDNN's headers have other numbers"
cp "$library" "$work/ours/libtandem.so.1"
cp "$c_library" "$work/ours/libtandem_c.so.1"

# Each program is run with our library preloaded in front of oneDNN's. It prints the same as a program of this build. The
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
