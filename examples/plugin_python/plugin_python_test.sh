#!/bin/sh
# The example conforms and refuses problems that it does not serve. The same source with another activation does not conform.
set -eu
tandem=conformance/cli/tandem
source=examples/plugin_python/lstm.py
# A library with threads of its own would wait for them on a busy machine.
export OPENBLAS_NUM_THREADS=1
lines=$(grep -cv '^ *$' $source)
[ "$lines" -lt 75 ] || {
  echo "FAILED: the example has $lines lines; under 75 are promised"
  exit 1
}
python3 -c 'import numpy' 2>/dev/null || {
  echo "SKIPPED: numpy is not installed, the example was not run"
  exit 0
}
# Check CODE TEXT SOURCE ARGUMENT... expects that the judge ends with CODE (any: whatever it is) and says TEXT.
Check() {
  code=$1
  text=$2
  command="pipe:python3 $3"
  shift 3
  got=0
  "$tandem" check --impl="$command" --report="$TEST_TMPDIR/report" "$@" >"$TEST_TMPDIR/out" 2>&1 || got=$?
  [ "$code" != any ] || code=$got
  if [ "$got" != "$code" ] || ! grep -q -e "$text" "$TEST_TMPDIR/out"; then
    echo "FAILED: exit code $got, want $code; want \"$text\" in:"
    cat "$TEST_TMPDIR/out"
    exit 1
  fi
}

Check 0 "96 of 96 problems pass" $source --alg=VANILLA_LSTM --direction=left2right,right2left,concat,sum \
  --tag=tnc:ldigo:tnc,ntc:ldgoi:ntc --pad=0,3 --absent=none,bias+src_iter+src_iter_c,dst_iter+dst_iter_c \
  l1t5mb3sic17slc9 l3t4mb2sic8
for refused in "--alg=VANILLA_GRU" "--alg=VANILLA_LSTM --prop=BWD_DW" "--alg=VANILLA_LSTM --cfg=bf16"; do
  # shellcheck disable=SC2086
  Check any " 1 refused" $source $refused l1t2mb2sic5
done
sed 's/np.tanh(c)/np.arctan(c)/' $source >"$TEST_TMPDIR/wrong.py"
Check 1 "FAIL teacher_forced dst_layer first at t=0" "$TEST_TMPDIR/wrong.py" --alg=VANILLA_LSTM l1t5mb3sic17slc9
"$tandem" bench --impl="pipe:python3 $source" --time=0.01 --rounds=1 --threads=1 --alg=VANILLA_LSTM l1t2mb2sic5 \
  >"$TEST_TMPDIR/out"
grep -qE "^  pipe:python3 .* 1 thr +min +[0-9.]+ us +median +[0-9.]+ us" "$TEST_TMPDIR/out" || {
  cat "$TEST_TMPDIR/out"
  exit 1
}
echo "2 programs judged, 1 timed"
