#!/bin/sh
# The enumerators and argument numbers of the headers below $2 are those of the table $1.
set -eu
table=$1 include=$2 work=$TEST_TMPDIR
{
  echo '#include <stdio.h>'
  echo '#include "oneapi/dnnl/dnnl.h"'
  echo 'int main(void) {'
  awk '!/^#/ { printf "  printf(\"%%-48s %%lld\\n\", \"%s\", (long long)(%s));\n", $1, $1 }' "$table"
  echo '  return 0;'
  echo '}'
} >"$work/numbers.c"
gcc -std=c99 -I"$include" -o "$work/numbers" "$work/numbers.c"
grep -v '^#' "$table" >"$work/want"
"$work/numbers" >"$work/got"
diff "$work/want" "$work/got" || {
  echo "FAILED: the headers below $include have other numbers (the table has what is marked <)"
  exit 1
}
echo "ok: $(wc -l <"$work/want") numbers"
