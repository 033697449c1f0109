#!/bin/sh
# A verdict is made from its reports, and the page of all libraries from the verdicts. Argument: the program `tandem`.
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
page=$out/README.md
data=$(echo "$out"/data/*.json)
Claim "the page names every run" test "$(grep -o '`--[^`]*`' "$page" | wc -l)" = 3
Claim "the verdict has the profiles" grep -q '"inference f32"' "$data"
Claim "a group that fails has grade F" python3 -c "
import json
assert any(row[:3] == ['lstm', 'forward_inference', 'f32'] and row[-1] == 'F' for row in json.load(open('$data'))['groups'])"
Claim "what is not explained is listed with its replay line" grep -q 'not explained: FAIL.*`./tandem check' "$page"
Claim "the plot is XML with a curve for a group" python3 -c "
import glob, xml.dom.minidom
document = xml.dom.minidom.parse(glob.glob('$out/*.svg')[0])
assert document.getElementsByTagName('polyline')[0].getAttribute('points').count(',') > 5"
echo "by hand" >"${data%json}notes"
Page --reuse
Claim "what is written by hand is on the page and stays" grep -q '^by hand$' "$page"
Claim "--reuse runs nothing" test ! -s "$TEST_TMPDIR/said"
cp -r docs/verdicts "$TEST_TMPDIR/verdicts"
chmod -R u+w "$TEST_TMPDIR/verdicts"
python3 tools/verdict_page.py --out="$TEST_TMPDIR/verdicts"
Claim "docs/verdicts/README.md is made from its data" diff docs/verdicts/README.md "$TEST_TMPDIR/verdicts/README.md"
exit $((failures > 0))
