#!/bin/sh
# The example conforms; the same source with an arc tangent for tanh does not, and the judge says where.
set -eu
tandem=conformance/cli/tandem
Check() {
  plugin=$1
  shift
  "$tandem" check --impl="examples/plugin/$plugin" --report="$TEST_TMPDIR/report" "$@"
}
shape="--activation=TANH --gain=0.6 l1t5mb3sic17slc9"

lines=$(wc -l <examples/plugin/vendor_plugin.c)
[ "$lines" -lt 120 ] || {
  echo "FAILED: the example has $lines lines; under 120 are promised"
  exit 1
}
Check vendor_plugin.so --activation=RELU,TANH,LOGISTIC --direction=left2right,right2left \
  --tag=tnc:ldigo:tnc,ntc:ldgoi:ntc --pad=0,3 --absent=none,bias+src_iter,dst_iter \
  l1t5mb3sic17slc9 >"$TEST_TMPDIR/good"
grep -q "72 of 72 problems pass" "$TEST_TMPDIR/good" || {
  cat "$TEST_TMPDIR/good"
  exit 1
}
# shellcheck disable=SC2086
if Check wrong_plugin.so --direction=left2right $shape >"$TEST_TMPDIR/wrong"; then
  echo "FAILED: an arc tangent conforms"
  exit 1
fi
grep -q "FAIL teacher_forced dst_layer first at t=0" "$TEST_TMPDIR/wrong" || {
  cat "$TEST_TMPDIR/wrong"
  exit 1
}
echo "2 plugins judged"
