#!/bin/sh
# as_cpu.sh CPU TARGETS PROGRAM [ARGUMENT...] runs a test as a machine with other instructions would run it. TARGETS is
# //tools:highway_targets. TANDEM_TARGET sets Tandem's target, ONEDNN_MAX_CPU_ISA that of the system's oneDNN.
set -eu
cpu=$1
available=$("$2")
program=$3
shift 3
case $cpu in
  avx2)
    targets=AVX2
    isa=AVX2
    ;;
  sse4)
    # The configurations of .bazelrc that build few targets have SSE2 in its place.
    targets="SSE4 SSE2"
    isa=SSE41
    ;;
  *)
    echo "FAILED: as_cpu.sh knows avx2 and sse4, not $cpu"
    exit 1
    ;;
esac
for target in $targets; do
  echo "$available" | grep -qx "$target" || continue
  echo "TANDEM_TARGET=$target ONEDNN_MAX_CPU_ISA=$isa $program $*"
  export AS_CPU="$cpu" TANDEM_TARGET="$target" ONEDNN_MAX_CPU_ISA="$isa"
  exec "$program" "$@"
done
echo "SKIPPED: of $targets, this build has nothing that this machine can run"
