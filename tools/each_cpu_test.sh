#!/bin/sh
# as_cpu.sh and each_cpu.sh run with stand-ins for the list of targets and for the test that they run.
set -eu
dir=$TEST_TMPDIR
failures=0
cat >"$dir/program" <<'EOF'
#!/bin/sh
echo "ran with ${TANDEM_TARGET:-no target} ${ONEDNN_MAX_CPU_ISA:-} $*"
EOF
cat >"$dir/fails" <<'EOF'
#!/bin/sh
[ -z "$(ls "$TEST_TMPDIR")" ] || echo "the folder has files of another run"
[ -z "${TEST_TOTAL_SHARDS:-}" ] || echo "the program is divided"
touch "$TEST_TMPDIR/file"
echo "LEFT OUT: ]]> <failure  $(printf '\1\377')"
[ "${TANDEM_TARGET:-}" != AVX2 ] || exit 3
EOF
printf '#!/bin/sh\ncat "%s/available"\n' "$dir" >"$dir/targets"
chmod +x "$dir/program" "$dir/fails" "$dir/targets"

# Equal WHAT GOT WANTED compares the last two.
Equal() {
  [ "$2" = "$3" ] && return
  echo "FAILED: $1: got '$2', want '$3'"
  failures=$((failures + 1))
}

# Claim CPU AVAILABLE_TARGETS EXPECTED_LAST_LINE runs as_cpu.sh.
Claim() {
  printf '%s\n' $2 >"$dir/available"
  got=$(tools/as_cpu.sh "$1" "$dir/targets" "$dir/program" one two | tail -n 1) || true
  Equal "as $1 with the targets $2" "$got" "$3"
}

Claim avx2 "AVX3_SPR AVX2 SSE4 SSE2" "ran with AVX2 AVX2 one two"
Claim sse4 "AVX3_SPR AVX2 SSE4 SSE2" "ran with SSE4 SSE41 one two"
Claim sse4 "AVX2 SSE2" "ran with SSE2 SSE41 one two"
Claim avx2 "SSE4 SSE2" "SKIPPED: of AVX2, this build has nothing that this machine can run"
Claim avx9 "SSE2" "FAILED: as_cpu.sh knows avx2 and sse4, not avx9"

# Each AVAILABLE_TARGETS PROGRAM [VARIABLE=VALUE...] runs it as on all three, into $dir/out and $dir/test.xml.
Each() {
  printf '%s\n' $1 >"$dir/available"
  program=$2
  shift 2
  rm -rf "$dir/tmp"
  mkdir "$dir/tmp"
  code=0
  env -u EACH_CPU -u TEST_TOTAL_SHARDS -u TEST_SHARD_INDEX -u TEST_SHARD_STATUS_FILE TEST_TMPDIR="$dir/tmp" \
    XML_OUTPUT_FILE="$dir/test.xml" "$@" tools/each_cpu.sh "$dir/targets" "$dir/$program" one \
    >"$dir/out" 2>&1 || code=$?
}

# Counted CODE STATUS EXPECTED_TOTALS compares the totals of ./tandem test.
Counted() {
  Equal "the exit code of $program" "$code" "$1"
  echo "{\"id\":{\"testResult\":{\"label\":\"//a\"}},\"testResult\":{\"testActionOutput\":[{\"name\":\"test.xml\",\
\"uri\":\"file://$dir/test.xml\"}],\"status\":\"$2\"}}" >"$dir/events"
  python3 -B tools/count_cases.py "$dir/events" 0 >"$dir/counted" || true
  Equal "the cases of $program" "$(tail -n 1 "$dir/counted")" "$3"
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$dir/test.xml" || {
    echo "FAILED: test.xml is no XML"
    failures=$((failures + 1))
  }
}

Each "AVX3_SPR AVX2 SSE4" program
Counted 0 PASSED "3 passed, 0 failed, 0 skipped"
Equal "what ran" "$(grep -c '^ran with \(no target  one\|AVX2 AVX2 one\|SSE4 SSE41 one\)$' "$dir/out")" 3
Each "AVX3_SPR SSE2" program
Counted 0 PASSED "2 passed, 0 failed, 1 skipped"
Equal "the skip" "$(grep SKIPPED "$dir/counted")" \
  "  SKIPPED  //a avx2: of AVX2, this build has nothing that this machine can run"
Each "AVX2 SSE4" fails TEST_TOTAL_SHARDS=1 TEST_SHARD_INDEX=0
Counted 1 FAILED "2 passed, 1 failed, 0 skipped"
Equal "the last line" "$(tail -n 1 "$dir/out")" "FAILED: as avx2: exited with 3"
Equal "what a run finds" "$(grep -c '^the' "$dir/out")" 0
Each "AVX2 SSE4" program TEST_TOTAL_SHARDS=2 TEST_SHARD_INDEX=1 TEST_SHARD_STATUS_FILE="$dir/sharded"
Counted 0 PASSED "1 passed, 0 failed, 0 skipped"
Equal "the second shard" "$(grep '^ran' "$dir/out")" "ran with AVX2 AVX2 one"
[ -e "$dir/sharded" ] || Equal "the sign that the test is divided" none "a file"
Each "AVX2 SSE4" program EACH_CPU=this
Counted 0 PASSED "1 passed, 0 failed, 0 skipped"
exit $((failures > 0))
