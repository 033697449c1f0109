#!/bin/sh
# The test shows that the descriptions of the built libraries are complete, and that their comparison sees changes that break
# programs: the soname, symbols and versions, signatures, layouts and enumerators.
set -eu
case ${1:-$(uname -m)} in
  x86_64) ;;
  *)
    echo "SKIPPED: the descriptions are of GCC's library on x86-64, this is ${1:-$(uname -m)}"
    exit 0
    ;;
esac
. tools/package/claims.sh
Have abidiff || exit 0
. tools/abi/describe.sh

# DescribesTheBuilt NAME: the description, which is made from headers, has all symbols of the built library and no others.
DescribesTheBuilt() {
  Symbols lib"$1".so >"$work/built"
  Symbols "$work/described.so" | diff "$work/built" -
}

# Altered SCRIPT describes libtandem.so with abi.h changed by sed, and compares it with the one of today. Its status is the
# comparison's. A description that could not be made counts as an error of it.
Altered() {
  rm -rf "$work/include"
  cp -RL api/include "$work/include"
  chmod -R u+w "$work/include"
  sed -i "$1" "$work/include/dnnl/abi.h"
  ! cmp -s api/include/dnnl/abi.h "$work/include/dnnl/abi.h" || return 1
  (headers=$work/include && Describe libtandem.so tools/package/tandem.map "$work") || return 1
  Compare "$work/today.xml" "$work/described.xml"
}

# abidiff's status has bits: 1 and 2 are errors, 4 is a change, 8 a change that is incompatible for certain.
Harmful() {
  code=0
  Altered "$1" || code=$?
  [ $((code & 3)) = 0 ] && [ $code != 0 ]
}

for name in tandem_c tandem; do
  Claim "lib$name.so can be described" Describe lib$name.so tools/package/$name.map "$work"
  Claim "all its symbols are declared in the public headers" DescribesTheBuilt $name
  cp "$work/described.xml" "$work/today.xml"
done

Claim "a function that is gone is seen" Harmful '/^DNNL_API void tandem_release/d'
Claim "a new parameter is seen" Harmful 's/tandem_engine_get_count(/&int one_more, /'
Claim "a wider member is seen" Harmful 's/^  int mask;/  int64_t mask;/'
Claim "a new enumerator before others is seen" Harmful 's/^  tandem_attr_reading,/  tandem_attr_new, &/'
Claim "a new function is compatible" Altered 's/^DNNL_API void tandem_release.*/&\
DNNL_API void tandem_new(int x);/'
Claim "a new enumerator behind others is compatible" Altered 's/^  tandem_qparams_output_scales,/&  tandem_qparams_new,/'
exit $((failures > 0))
