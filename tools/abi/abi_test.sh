#!/bin/sh
# What programs were linked with is there still: symbols, versions, soname, signatures, layouts and enumerators of the
# built libraries, held to the last release's.
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

advice="If the change is wanted, docs/releasing.md says which version moves; then run bazel run //tools/abi:write."

# Compare NAME: holds $work/described.xml to the last release's lib$1.so. abidiff's bits: 1 and 2 errors, 4 a change, 8 an
# incompatible one for certain. Both changes are incompatible here, as functions and enumerators that are added are neither.
Compare() {
  code=0
  abidiff --no-added-syms tools/abi/lib"$1".xml "$work/described.xml" || code=$?
}
Compatible() {
  Compare "$1"
  [ $code = 0 ] || echo "$advice"
  return $code
}

# DescribesTheBuilt NAME: the description, which is made from headers, has the built library's symbols, all and only.
DescribesTheBuilt() {
  Symbols lib"$1".so >"$work/built"
  Symbols "$work/described.so" | diff "$work/built" -
}

# Altered NAME SCRIPT: describes lib$1.so with abi.h changed by sed.
Altered() {
  rm -rf "$work/include"
  cp -RL api/include "$work/include"
  chmod -R u+w "$work/include"
  sed -i "$2" "$work/include/dnnl/abi.h"
  ! cmp -s api/include/dnnl/abi.h "$work/include/dnnl/abi.h" || return 2
  (headers=$work/include && Describe lib"$1".so tools/package/"$1".map "$work")
}
# Both take a sed script. A description that could not be made is neither.
Harmless() { Altered tandem "$1" && Compatible tandem; }
Harmful() { Altered tandem "$1" && Compare tandem && [ $((code & 3)) = 0 ] && [ $code != 0 ]; }

for name in tandem_c tandem; do
  Claim "lib$name.so can be described" Describe lib$name.so tools/package/$name.map "$work"
  Claim "all its symbols are declared in the public headers" DescribesTheBuilt $name
  Claim "lib$name.so serves the programs of the last release" Compatible $name
done

Claim "a function that is gone is seen" Harmful '/^DNNL_API void tandem_release/d'
Claim "a new parameter is seen" Harmful 's/tandem_engine_get_count(/&int one_more, /'
Claim "a wider member is seen" Harmful 's/^  int mask;/  int64_t mask;/'
Claim "a new enumerator before others is seen" Harmful 's/^  tandem_attr_reading,/  tandem_attr_new, &/'
Claim "a new function is compatible" Harmless 's/^DNNL_API void tandem_release.*/&\
DNNL_API void tandem_new(int x);/'
Claim "a new enumerator behind others is compatible" Harmless 's/^  tandem_qparams_output_scales,/&  tandem_qparams_new,/'
exit $((failures > 0))
