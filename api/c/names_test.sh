#!/bin/sh
# names.txt is true: of the library, of the headers, and of oneDNN's interface where it is installed.
# Arguments: names.txt, the archive with the bodies of the C API.
set -eu
names=$1
archive=$2
work=$TEST_TMPDIR
status=0

# Claim TEXT LIST LIST: the two lists are one.
Claim() {
  sort -u "$2" >"$work/want"
  sort -u "$3" >"$work/got"
  if diff "$work/want" "$work/got" >"$work/difference"; then
    echo "ok: $1 ($(wc -l <"$work/want"))"
  else
    echo "FAILED: $1 (names.txt has what is marked <)"
    cat "$work/difference"
    status=1
  fi
}

# Of generation $1, what is exported: the name in a program.
Served() { awk -v generation="$1" '$1 ~ /^[dt]/ && index($2, generation) && $3 ~ /^exported/ { print $1 }' "$names"; }

awk '$1 ~ /^[dt]/ && $3 ~ /^exported/ { print $1; if ($NF ~ /^dnnl2_/) print $NF }' "$names" >"$work/exported"
nm -g --defined-only "$archive" | awk '$2 == "T" { print $3 }' | grep -E '^(dnnl2?|tandem_primitive_attr)_' >"$work/symbols"
Claim "the library exports what the table says" "$work/exported" "$work/symbols"

awk '$1 ~ /^[dt]/ && ($3 !~ /^(exported|absent)/ || ($3 ~ /^absent/ && NF < 5) || $2 !~ /^(23|2-|-3)$/)' "$names" >"$work/unclear"
: >"$work/nothing"
Claim "every line has its generations and its state, an absent name its reason" "$work/nothing" "$work/unclear"

# A C program of each generation refers to each name it knows, and the linker finds it.
for generation in 2 3; do
  Served $generation >"$work/served"
  {
    echo '#include "dnnl.h"'
    echo '#include "dnnl_debug.h"'
    echo '#include "dnnl_threadpool.h"'
    echo 'typedef void (*Function)(void);'
    echo 'extern Function functions[];'
    echo 'Function functions[] = {'
    sed 's/.*/(Function)&,/' "$work/served"
    echo '};'
  } >"$work/served.c"
  gcc -std=c99 -Wall -Wextra -Wpedantic -Wno-cast-function-type -Werror -DDNNL_VERSION_MAJOR=$generation -Iapi/include \
    -c -o "$work/served.o" "$work/served.c" || status=1
  nm -u "$work/served.o" | awk '{ print $2 }' >"$work/linked"
  sed 's/^dnnl2_/dnnl_/' "$work/linked" >"$work/referred"
  Claim "a C program of generation $generation knows its functions" "$work/served" "$work/referred"
  grep -vxFf "$work/symbols" "$work/linked" >"$work/missing" || true
  Claim "the library has what it links" "$work/nothing" "$work/missing"
done

# The names that oneDNN 2.6 declares.
system=/usr/include/oneapi/dnnl
if grep -q '^#define DNNL_VERSION_MAJOR 2$' $system/dnnl_version.h 2>/dev/null; then
  cat $system/dnnl.h $system/dnnl_debug.h $system/dnnl_threadpool.h | tr '\n' ' ' | grep -oE 'DNNL_API +\*{0,1}dnnl_\w+ *\(' | grep -o 'dnnl_\w*' >"$work/declared"
  awk '$1 ~ /^dnnl/ && $2 ~ /2/ { print $1 }' "$names" >"$work/generation2"
  Claim "the table has every name of oneDNN 2" "$work/generation2" "$work/declared"
else
  echo "SKIPPED: no oneDNN 2 to compare the table's names with"
fi
exit $status
