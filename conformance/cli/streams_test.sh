#!/bin/sh
# The outputs and states of streams' steps conform, and have the same bits as one execution of all steps. A problem that has no
# next step, such as one from right to left, is refused.
set -u
. conformance/cli/expect.sh
seed=66
count=150

# Steps LEAST ARGUMENT... runs random problems, of which at least LEAST must be judged.
Steps() {
  least=$1
  shift
  Conforms streams "problems pass" --same-bits=TANDEM_STREAMS=at_once --cases="$count" --seed="$seed" "$@"
  judged=$(sed -n "s/^streams[^:]*: \([0-9]*\) of $count problems pass, .*/\1/p" "$out")
  [ "${judged:-0}" -ge "$least" ] || Fail "TANDEM_IMPL=$TANDEM_IMPL $*: ${judged:-0} problems were judged, want $least in:"
}

TANDEM_IMPL=optimized
export TANDEM_IMPL
best=$(tools/highway_targets | head -n 1)
Steps 120 --target="$best"
if [ "$best" != AVX2 ] && tools/highway_targets | grep -qx AVX2; then Steps 120 --target=AVX2; fi
TANDEM_IMPL=reference
Steps 120
Total
