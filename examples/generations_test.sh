#!/bin/sh
# One source makes three programs: for Tandem in either generation of the API, and for the system's oneDNN 2. They are $1, $2
# and $3; $4 is the part of them that runs, $5 says how many values it prints. Further words are arguments with which Tandem's
# two programs run, too. They agree with each other and, if a word is followed by "=", with the arguments behind it. oneDNN
# runs with the first of them, those behind "=": the others have states in one buffer for src_iter and dst_iter, which oneDNN
# 2.6 takes with AVX-512 and does not take without it (values off by up to 0.6).
#
# Tandem's numbers are equal digit for digit. oneDNN sums in another order: a
# pre-activation of 13 terms whose absolute values sum to less than 7 is off by
# less than 13 * 7 * 2^-24 on either side, 1.1e-5 together; a step of an LSTM
# passes on at most half of it (the slopes of its functions are at most 1/4 and
# 1, its gates below 1), and at most 15 steps and layers lie between the first
# input and the last output: less than 1e-4.
set -eu
. tools/own_environment.sh
three=$1 two=$2 onednn=$3 name=$4 count=$5
shift 5

Same() {
  cmp "$1" "$2" && [ "$(wc -l <"$1")" = "$count" ] || {
    echo "FAILED: $3"
    exit 1
  }
}
# $1 has arguments for which the two generations agree. $2, if it is given, has arguments that give the same.
Agree() {
  # The words are to be split.
  "$three" "$name" $1 >"$TEST_TMPDIR/three"
  "$two" "$name" $1 >"$TEST_TMPDIR/two"
  Same "$TEST_TMPDIR/three" "$TEST_TMPDIR/two" "generations differ: $1"
  [ -z "${2-}" ] && return
  "$three" "$name" $2 >"$TEST_TMPDIR/other"
  Same "$TEST_TMPDIR/three" "$TEST_TMPDIR/other" "$1 and $2 differ"
}

for pair in "$@"; do
  case $pair in
    *=*) Agree "${pair%%=*}" "${pair#*=}" ;;
    *) Agree "$pair" ;;
  esac
done
first=${1-}
"$three" "$name" ${first%%=*} >"$TEST_TMPDIR/three"
"$onednn" "$name" ${first#*=} >"$TEST_TMPDIR/onednn"
paste "$TEST_TMPDIR/three" "$TEST_TMPDIR/onednn" | awk -v count="$count" '
  { difference = $1 - $2; if (difference < 0) difference = -difference }
  difference > largest { largest = difference }
  !(NF == 2 && difference < 1e-4) { print "FAILED: line " NR ": " $0; bad = 1 }
  END { print NR " values, largest difference " largest; exit bad || NR != count }'
