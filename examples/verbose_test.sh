#!/bin/sh
# The test holds ONEDNN_VERBOSE to the lines that must be there, and each line to the columns that the template line names. $1
# is lstm_inference: two reorders or one, and one LSTM.
set -eu
. tools/own_environment.sh
program=$1
out=$TEST_TMPDIR/out
status=0

# Lines VARIABLE=VALUE... keeps the program's output under these variables, without the lines about the library.
Lines() { env "$@" "$program" 2>"$TEST_TMPDIR/err" >"$out" || true; }

# Expect COUNT PATTERN WHAT compares the number of lines with the pattern.
Expect() {
  count=$(grep -cE "$2" "$out" || true)
  [ "$count" = "$1" ] || {
    echo "FAILED: $3: $count lines instead of $1 match $2"
    cat "$out"
    status=1
  }
}

# Every line about an operation has the template's columns, the last one a time.
Columns() {
  awk -F, '
    /,info,template:/ { sub(/.*template:/, ""); columns = split($0, name, ",") }
    /,primitive,(exec|create:cache_(hit|miss)),/ {
      ++lines
      if (NF - 3 != columns) { print "FAILED: " NF - 3 " columns, not " columns ": " $0; bad = 1 }
      if ($NF !~ /^[0-9.e+-]+$/) { print "FAILED: no time: " $0; bad = 1 }
    }
    END { exit bad || lines == 0 || columns == 0 }' "$out" || status=1
}

Lines LC_ALL=C
Expect 0 onednn_verbose "nothing is asked for"
Lines ONEDNN_VERBOSE=0
Expect 0 onednn_verbose "level 0"
for variable in ONEDNN_VERBOSE DNNL_VERBOSE TANDEM_VERBOSE; do
  Lines $variable=1
  Expect 1 'v1,info,Tandem for oneDNN v3' "$variable=1: what the library is"
  Expect 1 'v1,primitive,info,template:operation,engine,' "$variable=1: the template"
  Expect 1 ',exec,cpu,rnn,[^,]+,forward_inference,src_layer:f32::blocked:abc::f0 wei_layer:f32:a:[^ ]* wei_iter:f32:a:[^,]*,,alg:vanilla_lstm direction:unidirectional_left2right activation:undef flags:,l1t8mb1sic4slc4dhc4dic4,' \
    "$variable=1: the LSTM"
  Expect 0 create "$variable=1: no creation"
  Columns
done
Lines ONEDNN_VERBOSE=2
Expect 1 ',create:cache_miss,cpu,rnn,' "level 2: creation"
Expect 1 ',exec,cpu,rnn,' "level 2: execution"
Columns
Lines ONEDNN_VERBOSE=profile_create
Expect 0 ',exec,' "profile_create"
Expect 1 ',create:cache_miss,cpu,reorder,[^,]*,undef,src:f32::blocked:abcde::f0 dst:f32::[^,]*,,,1x1x4x4x4,' "profile_create: the reorder"
Columns
Lines ONEDNN_VERBOSE=profile_exec,filter=reorder
Expect 0 ',exec,cpu,rnn,' "filter=reorder"
Expect 1 ',exec,cpu,reorder,' "filter=reorder"
Lines ONEDNN_VERBOSE=1 ONEDNN_VERBOSE_TIMESTAMP=1
Expect 1 'template:timestamp,operation' "a timestamp"
Expect 1 'v1,[0-9.]+,primitive,exec,cpu,rnn,' "a timestamp"
Lines ONEDNN_VERBOSE=dispatch TANDEM_IMPL=reference
Expect 1 ',create:dispatch,rnn,cpu,rnn,optimized,forward_inference,.*,l1t8mb1sic4slc4dhc4dic4,is excluded by TANDEM_IMPL=reference$' \
  "why an implementation does not serve"
Lines ONEDNN_VERBOSE=error TANDEM_IMPL=none
Expect 1 ',primitive,create:check,rnn,TANDEM_IMPL: is "none"' "why a creation failed"
Lines ONEDNN_VERBOSE='profile,filter=['
Expect 1 ',info,filter=\[ is no regular expression: lines of all primitives follow$' "a filter that is no regular expression"
Expect 1 ',exec,cpu,rnn,' "all lines then"
exit $status
