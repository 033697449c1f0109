#!/bin/sh
# Each claim feeds the counter one Bazel event file and compares the last line.
set -eu
dir=$TEST_TMPDIR
failures=0

# Claim NAME BAZEL_STATUS EXPECTED_LAST_LINE EXPECTED_EXIT counts $dir/events.
Claim() {
  exit_code=0
  python3 -B tools/count_cases.py "$dir/events" "$2" >"$dir/out" || exit_code=$?
  last=$(tail -n 1 "$dir/out")
  if [ "$last" = "$3" ] && [ $exit_code = "$4" ]; then
    echo "ok: $1"
  else
    echo "FAILED: $1: got '$last' (exit $exit_code), want '$3' (exit $4)"
    failures=$((failures + 1))
  fi
}

Completed() {
  echo "{\"id\":{\"targetCompleted\":{\"label\":\"$1\"}},\"children\":[{\"testResult\":{}}],\"completed\":{\"success\":true}}"
}

# Result LABEL STATUS XML_FILE writes an event.
Result() {
  echo "{\"id\":{\"testResult\":{\"label\":\"$1\"}},\"testResult\":{\"testActionOutput\":[{\"name\":\"test.xml\",\"uri\":\"file://$dir/$3\"}],\"status\":\"$2\"}}"
}

cat >"$dir/mixed.xml" <<'EOF'
<testsuites>
    <testcase name="Passes" status="run" result="completed" classname="S" />
    <testcase name="Skips" status="run" result="skipped" classname="S">
      <skipped message="s.cc:4&#x0A;no AVX2"><![CDATA[s.cc:4]]></skipped>
    </testcase>
    <testcase name="DISABLED_Old" status="notrun" result="suppressed" classname="S" />
    <testcase name="Fails" status="run" result="completed" classname="S">
      <failure message="x" type=""><![CDATA[x]]></failure>
    </testcase>
    <testcase name="AlsoPasses" status="run" result="completed" classname="S" />
</testsuites>
EOF
cat >"$dir/green.xml" <<'EOF'
    <testcase name="A" status="run" result="completed" classname="S" />
    <testcase name="B" status="run" result="completed" classname="S" />
EOF
cat >"$dir/plain_skip.xml" <<'EOF'
    <testcase name="p" status="run" duration="0" time="0"></testcase>
      <![CDATA[exec pager
SKIPPED: no cmake]]>
EOF

{ Completed //a; Result //a FAILED mixed.xml; } >"$dir/events"
Claim "every GoogleTest case is counted by its own outcome" 3 "2 passed, 1 failed, 2 skipped" 1
grep -q 'SKIPPED  //a S.Skips: s.cc:4 no AVX2' "$dir/out" || {
  echo "FAILED: the reason of a skip is not printed"
  failures=$((failures + 1))
}

{ Completed //a; Result //a PASSED green.xml; } >"$dir/events"
Claim "a green program counts its cases" 0 "2 passed, 0 failed, 0 skipped" 0

{ Completed //a; Result //a FAILED green.xml; } >"$dir/events"
Claim "a program that fails after its last case is a failure" 3 "2 passed, 1 failed, 0 skipped" 1

{ Completed //p; Result //p PASSED plain_skip.xml; } >"$dir/events"
Claim "a plain test that prints SKIPPED is no pass" 0 "0 passed, 0 failed, 1 skipped" 0

cat >"$dir/part.xml" <<'EOF'
    <testcase name="p" status="run" duration="0" time="0"></testcase>
      <![CDATA[exec p
LEFT OUT: no bf16 here]]>
EOF
{ Completed //p; Result //p PASSED part.xml; } >"$dir/events"
Claim "a plain test that leaves a part out passes" 0 "1 passed, 0 failed, 0 skipped" 0
grep -q 'LEFT OUT //p: no bf16 here' "$dir/out" || {
  echo "FAILED: what a test leaves out is not printed"
  failures=$((failures + 1))
}

{ Completed //a; Result //a PASSED green.xml; Completed //b; } >"$dir/events"
Claim "a test without a result is a failure" 0 "2 passed, 1 failed, 0 skipped" 1

echo '{"id":{"targetCompleted":{"label":"//c"}},"completed":{"failureDetail":{}}}' >"$dir/events"
Claim "a target that does not build is a failure" 1 "0 passed, 1 failed, 0 skipped" 1

: >"$dir/events"
Claim "Bazel's own failure is a failure" 37 "0 passed, 1 failed, 0 skipped" 1

exit $((failures > 0))
