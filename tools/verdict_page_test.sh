#!/bin/sh
# The page of a library is made from its reports, and keeps what is written by hand. Argument: the program `tandem`.
set -eu
tandem=$PWD/$1
out=$TEST_TMPDIR/out
failures=0
mkdir -p "$out"

# Claim TEXT COMMAND...
Claim() {
  text=$1
  shift
  if "$@"; then
    echo "ok: $text"
  else
    echo "FAILED: $text"
    failures=$((failures + 1))
  fi
}

Page() {
  python3 tools/verdict_page.py --impl=mutant:SwapGatesIF --cases=12 --seeds=3,4 --reports="$TEST_TMPDIR/reports" \
    --out="$out" --tandem="$tandem" "$@" >"$TEST_TMPDIR/said" 2>&1 || cat "$TEST_TMPDIR/said"
}

Page
page=$(echo "$out"/*.md)
Claim "the page names every run" test "$(grep -c '^| `./tandem check' "$page")" = 3
Claim "the profiles are a table" grep -q '^| inference f32 | ' "$page"
Claim "a group that fails has grade F" grep -q '^| lstm | forward_inference | f32 | .* | F |$' "$page"
Claim "what is not explained is listed with its replay line" grep -q '^\* not explained: FAIL.*`./tandem check' "$page"
Claim "the plot is XML with a curve for a group" python3 -c "
import glob, xml.dom.minidom
document = xml.dom.minidom.parse(glob.glob('$out/*.svg')[0])
assert document.getElementsByTagName('polyline')[0].getAttribute('points').count(',') > 5"
sed 's/^<!-- notes -->/&by hand/' "$page" >"$page.new"
mv "$page.new" "$page"
Page --reuse
Claim "what is written by hand stays" grep -q '^<!-- notes -->by hand' "$page"
Claim "--reuse runs nothing" test ! -s "$TEST_TMPDIR/said"
exit $((failures > 0))
