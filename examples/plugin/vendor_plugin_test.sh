#!/bin/sh
# The example conforms. The same source with an arc tangent for tanh does not, and the judge says where. A c that stays in f32
# from step to step conforms only if the plugin declares it.
set -eu
tandem=conformance/cli/tandem
Check() {
  plugin=$1
  shift
  "$tandem" check --impl="examples/plugin/$plugin" --report="$TEST_TMPDIR/report" "$@"
}
# Says FILE WORDS: the output of a check has these words.
Says() {
  grep -q "$2" "$TEST_TMPDIR/$1" || {
    cat "$TEST_TMPDIR/$1"
    exit 1
  }
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
Says good "72 of 72 problems pass"
# shellcheck disable=SC2086
if Check wrong_plugin.so --direction=left2right $shape >"$TEST_TMPDIR/wrong"; then
  echo "FAILED: an arc tangent conforms"
  exit 1
fi
Says wrong "FAIL teacher_forced dst_layer first at t=0"

lstm="--alg=VANILLA_LSTM --cfg=bf16 --gain=0.6 l1t12mb3sic16slc9"
# shellcheck disable=SC2086
Check lstm_bf16_plugin.so --absent=none,src_iter+src_iter_c+bias,dst_iter+dst_iter_c $lstm >"$TEST_TMPDIR/wide" || {
  cat "$TEST_TMPDIR/wide"
  exit 1
}
Says wide "3 of 3 problems pass"
# A problem of one step may start from fewer or more channels than it stores.
Check lstm_bf16_plugin.so --alg=VANILLA_LSTM --cfg=bf16 l1t1mb2sic3slc5dhc9dic9 l1t1mb2sic40slc5dhc9dic9 \
  >"$TEST_TMPDIR/channels" || {
  cat "$TEST_TMPDIR/channels"
  exit 1
}
Says channels "2 of 2 problems pass"
# shellcheck disable=SC2086
if Check lstm_bf16_undeclared_plugin.so $lstm >"$TEST_TMPDIR/undeclared"; then
  echo "FAILED: a c that is never rounded conforms without wide_cell_state"
  exit 1
fi
Says undeclared "FAIL.*dst_"
echo "4 plugins judged"
