#!/bin/sh
# each_cpu.sh TARGETS PROGRAM [ARGUMENT...] runs a test once as it is and once as each of the lesser machines of as_cpu.sh would
# run it. Each run is a test case with the CPU's name, and the last lines name the CPUs that failed. EACH_CPU=this leaves the
# lesser machines out.
set -eu
cpus=${EACH_CPU:-this avx2 sse4}
targets=$1
shift
xml=${XML_OUTPUT_FILE:-/dev/null}
folder=$TEST_TMPDIR
shards=${TEST_TOTAL_SHARDS:-1} shard=${TEST_SHARD_INDEX:-0}
[ -z "${TEST_SHARD_STATUS_FILE:-}" ] || : >"$TEST_SHARD_STATUS_FILE"
# This script writes the cases: the program is not divided, and does not write its own.
unset XML_OUTPUT_FILE TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE

# RunAs CPU PROGRAM [ARGUMENT...] runs the program as on that CPU.
RunAs() {
  cpu=$1
  shift
  if [ "$cpu" = this ]; then
    # On another architecture, TANDEM_EMULATOR is there.
    ${TANDEM_EMULATOR:+tools/cross/emulate.sh} "$@"
  elif [ -n "${TANDEM_EMULATOR:-}" ]; then
    echo "SKIPPED: the lesser machines are of x86"
  else
    tools/as_cpu.sh "$cpu" "$targets" "$@"
  fi
}

# WriteCase CPU CODE SECONDS FILE writes a case for count_cases.py.
WriteCase() {
  echo "  <testcase name=\"$1\" status=\"run\" time=\"$3\">"
  [ "$2" = 0 ] || echo "    <error message=\"as $1: exited with $2\"></error>"
  # Breaks bytes that XML does not allow (control characters, non-ASCII, the section's end) and tags that are counted.
  printf '    <system-out><![CDATA[\n'
  LC_ALL=C tr -cd '\11\12\40-\176' <"$4" | sed 's/]]>/]] >/g; s/<\(testcase\|failure\|error\) /< \1 /g'
  printf ']]></system-out>\n  </testcase>\n'
}

failures=0
number=0
cases=$folder/each_cpu.cases
: >"$cases"
for cpu in $cpus; do
  number=$((number + 1))
  [ $(((number - 1) % shards)) = "$shard" ] || continue
  echo "--- as $cpu"
  mkdir "$folder/as_$cpu"
  begin=$(date +%s)
  {
    code=0
    TEST_TMPDIR=$folder/as_$cpu RunAs "$cpu" "$@" 2>&1 || code=$?
    echo $code >"$folder/each_cpu.code"
  } | tee "$folder/each_cpu.output"
  code=$(cat "$folder/each_cpu.code")
  WriteCase "$cpu" "$code" $(($(date +%s) - begin)) "$folder/each_cpu.output" >>"$cases"
  [ "$code" = 0 ] || failed="${failed:-}FAILED: as $cpu: exited with $code
"
  [ "$code" = 0 ] || failures=$((failures + 1))
done
{
  echo '<?xml version="1.0" encoding="UTF-8"?>'
  echo "<testsuites><testsuite name=\"$1\" errors=\"$failures\">"
  cat "$cases"
  echo '</testsuite></testsuites>'
} >"$xml"
printf %s "${failed:-}"
exit $((failures > 0))
