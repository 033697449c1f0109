#!/bin/sh
# as_cpu.sh with stand-ins for the list of targets and for the test that it runs.
set -eu
dir=$TEST_TMPDIR
failures=0
printf '#!/bin/sh\necho "ran with $TANDEM_TARGET $ONEDNN_MAX_CPU_ISA $*"\n' >"$dir/program"
printf '#!/bin/sh\ncat "%s/available"\n' "$dir" >"$dir/targets"
chmod +x "$dir/program" "$dir/targets"

# Claim CPU AVAILABLE_TARGETS EXPECTED_LAST_LINE
Claim() {
  printf '%s\n' $2 >"$dir/available"
  got=$(tools/as_cpu.sh "$1" "$dir/targets" "$dir/program" one two | tail -n 1) || true
  if [ "$got" != "$3" ]; then
    echo "FAILED: as $1 with the targets $2: got '$got', want '$3'"
    failures=$((failures + 1))
  fi
}

Claim avx2 "AVX3_SPR AVX2 SSE4 SSE2" "ran with AVX2 AVX2 one two"
Claim sse4 "AVX3_SPR AVX2 SSE4 SSE2" "ran with SSE4 SSE41 one two"
Claim sse4 "AVX2 SSE2" "ran with SSE2 SSE41 one two"
Claim avx2 "SSE4 SSE2" "SKIPPED: of AVX2, this build has nothing that this machine can run"
Claim amx "SSE2" "ran with AMX_EMULATED ALL one two"
Claim avx9 "SSE2" "FAILED: as_cpu.sh knows avx2, sse4 and amx, not avx9"
exit $((failures > 0))
