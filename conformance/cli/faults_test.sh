#!/bin/sh
# Memory, disk, threads or time run out in this test. The program says so, and its files are whole or marked.
set -u
. conformance/cli/expect.sh
report=$TEST_TMPDIR/report
small="--alg=VANILLA_LSTM l1t2mb2sic5"

Sanitized() { grep -qa "__[at]san_init" "$tandem"; }
# The broken plugin makes this file when it begins to hang.
mark=$TEST_TMPDIR/hangs

# A problem that is too large is refused before memory is touched, whatever its size.
for large in l1t100000000mb100000sic1000 l1t1mb1sic1000000 l1000000t1mb1sic100000; do
  Expect 2 "of memory, but" check --memory=10G --report="$report" --impl=reference $large
done
Expect 2 "of memory, but" check --report="$report" l1t100000000mb100000sic1000
Expect 2 "no address space has" check --report="$report" --impl=reference l1t1000000000mb1000000000sic1
Expect 2 "are allowed by --memory" check --memory=1M --report="$report" --impl=reference l1t10mb10sic1000
Expect 0 "all conform" check --memory=2G --report="$report" --impl=reference $small
Expect 0 "[LSTM.4]" trace --memory=1G $small
Expect 2 "of memory, but" trace l1t1000000mb100000sic1000
Expect 2 "of memory, but" diagnose l1t1000000mb100000sic1000
Expect 2 "of memory, but" bench l1t1000000mb100000sic1000
for word in 4X G -1 nan 1GB; do
  Expect 2 "a number of bytes is expected" check --memory="$word" --report="$report" --impl=reference $small
done
Expect 2 "--memory has no value" check --memory= --report="$report" --impl=reference $small

# More threads are asked for than are of use.
Expect 0 "--jobs=100000: 64 is the most that can be used" check --jobs=100000 --report="$report" --impl=reference $small

# The disk is full: /dev/full refuses every byte.
Full() {
  cases=$((cases + 1))
  "$tandem" "$@" >/dev/full 2>"$out"
  got=$?
  [ $got = 2 ] && grep -q "standard output cannot be written: No space left" "$out" || Fail "tandem $* >/dev/full: $got"
}
Full check --report="$report" --impl=reference $small
Full list
Full trace $small
Full diagnose --impl=reference $small
Full bench --impl=reference --threads=1 --time=0.001 --rounds=1 $small
Full mutants --list
Full mutants --curve=0 --group="forward f32" --mutation=SwapGatesIF
Full merge --report="$report" "$report/report.json"
Full vectors export --dir="$TEST_TMPDIR/vectors"
Full --help
Full check --help

# Reports are whole. A folder in which one cannot be made keeps what it had.
cp "$report/report.json" "$TEST_TMPDIR/before.json"
rm "$report/junit.xml" && mkdir "$report/junit.xml"
Expect 2 "cannot write $report/junit.xml" check --report="$report" --impl=reference $small l1t3mb2sic5
ls "$report" | grep -q part && Fail "a part of a report is left"
Expect 2 "--report=/dev/full: cannot write there: " check --report=/dev/full --impl=reference $small
# Each file may have 512 bytes. The memory that is shared with workers is a file, too.
Limited() {
  cases=$((cases + 1))
  text=$1
  shift
  (
    ulimit -f 1
    "$tandem" "$@" >"$out" 2>&1
  )
  got=$?
  [ $got = 2 ] && grep -q "$text: File too large" "$out" || Fail "tandem $* with ulimit -f 1: exit code $got"
}
Limited "cannot write $TEST_TMPDIR/limited.json" trace --json="$TEST_TMPDIR/limited.json" $small
ls "$TEST_TMPDIR" | grep -q limited && Fail "a part of a cut off file is left"
Limited "cannot share [0-9]* bytes with a worker" check --report="$TEST_TMPDIR/limited" --impl=reference $small

# With little address space the program gives a sentence or the result. OpenMP does not end it when threads are missing.
if Sanitized; then
  echo "LEFT OUT: a sanitizer needs address space and stacks of its own"
else
  for kilobytes in 20000 30000 60000 120000; do
    for command in "check --report=$TEST_TMPDIR/limits --impl=reference" "bench --impl=optimized --threads=1 --time=0.001 --rounds=1"; do
      cases=$((cases + 1))
      # shellcheck disable=SC2086  # words
      (ulimit -v $kilobytes && "$tandem" $command $small) >"$out" 2>&1
      got=$?
      # An implementation that says out_of_memory is not timed, and is no success.
      [ $got = 0 ] || { [ $got = 1 ] && grep -q "() failed: out of memory\|() failed: there is no memory" "$out"; } ||
        { [ $got = 2 ] && grep -q "memory\|share\|threads" "$out"; } || Fail "tandem $command with ulimit -v $kilobytes: $got"
      ! grep -q bad_alloc "$out" || Fail "with ulimit -v $kilobytes the program speaks C++"
    done
  done
  cases=$((cases + 1))
  # shellcheck disable=SC2086
  (ulimit -v 400000 && "$tandem" bench --impl=optimized --threads=1000 --no-check --time=0.001 --rounds=1 $small) >"$out" 2>&1
  got=$?
  [ $got = 2 ] && grep -q "the system gives no 1000 threads" "$out" || Fail "bench with 1000 threads: exit code $got"
  # The program says which stack it needs, and works with that.
  for command in "check --report=$TEST_TMPDIR/limits --cases=20" "trace $small" "diagnose --impl=reference $small" list; do
    cases=$((cases + 1))
    # shellcheck disable=SC2086
    (ulimit -s 1024 && "$tandem" $command) >"$out" 2>&1
    got=$?
    [ $got = 0 ] || Fail "tandem $command with ulimit -s 1024: exit code $got"
    # shellcheck disable=SC2086
    (ulimit -s 256 && "$tandem" $command) >"$out" 2>&1
    got=$?
    [ $got = 2 ] && grep -q "tandem needs 1024: type ulimit -s 1024" "$out" || Fail "tandem $command with ulimit -s 256: exit code $got"
  done
fi

# The caller has closed the standard streams. No file of the program takes their places.
cases=$((cases + 1))
sh -c 'exec "$@" <&- >&- 2>&-' sh "$tandem" check --report="$TEST_TMPDIR/closed" --impl=reference --cases=100000000 &
process=$!
Await Catches $process 2
Await HasChild $process
for stream in 0 1 2; do
  file=$(readlink /proc/$process/fd/$stream)
  [ "$file" = /dev/null ] || Fail "stream $stream, which was closed, is $file"
done
kill -INT $process
wait $process
got=$?
[ $got = 2 ] || Fail "a closed standard output: exit code $got"

# A pipe stays a pipe, and the file that a link leads to is written.
mkfifo "$TEST_TMPDIR/pipe"
cat "$TEST_TMPDIR/pipe" >"$TEST_TMPDIR/piped.json" &
Expect 0 "wrote $TEST_TMPDIR/pipe" trace --json="$TEST_TMPDIR/pipe" $small
wait $!
[ -p "$TEST_TMPDIR/pipe" ] || Fail "a pipe was replaced"
ln -s linked.json "$TEST_TMPDIR/link"
: >"$TEST_TMPDIR/linked.json"
Expect 0 "wrote $TEST_TMPDIR/link" trace --json="$TEST_TMPDIR/link" $small
[ -L "$TEST_TMPDIR/link" ] || Fail "a link was replaced"
cmp "$TEST_TMPDIR/piped.json" "$TEST_TMPDIR/linked.json" || Fail "a pipe and a link got different texts"
[ -s "$TEST_TMPDIR/linked.json" ] || Fail "a link led to no text"

# These files promise more than they have.
mkdir -p "$TEST_TMPDIR/answers"
name=$(ls "$TEST_TMPDIR/vectors" | sed -n 's/\.safetensors$//p' | head -1)
printf '\377\377\377\377\377\377\377\177{}' >"$TEST_TMPDIR/answers/$name.safetensors"
Expect 1 "its header is cut off" vectors verify --dir="$TEST_TMPDIR/vectors" --outputs="$TEST_TMPDIR/answers"
ln -sf /dev/zero "$TEST_TMPDIR/answers/$name.safetensors"
Expect 1 "it is not a file" vectors verify --dir="$TEST_TMPDIR/vectors" --outputs="$TEST_TMPDIR/answers"
Expect 2 "cannot read /dev/zero" merge /dev/zero
tr '\n' ' ' <"$TEST_TMPDIR/before.json" |
  sed 's/"shard": \[ *0, *1 *\]/"shard": [0, 9000000000000000000]/' >"$TEST_TMPDIR/many.json"
Expect 2 "part 2 of 9000000000000000000 is missing" merge --report="$TEST_TMPDIR/merged" "$TEST_TMPDIR/many.json"

# An interrupted run leaves the report of what it had.
Interrupt() {
  signal=$1
  code=$2
  cases=$((cases + 1))
  rm -rf "$TEST_TMPDIR/interrupted"
  "$tandem" check --report="$TEST_TMPDIR/interrupted" --jobs=1 --impl=reference --cases=100000000 >"$out" 2>&1 &
  process=$!
  Await Catches $process 2
  Await HasGrandchild $process
  kill -"$signal" $process
  wait $process
  got=$?
  [ $got = "$code" ] || Fail "after $signal: exit code $got, want $code"
  grep -q "INCOMPLETE, interrupted by SIG$signal" "$out" || Fail "the headline does not tell of $signal"
  grep -q "INTERRUPTED, the rest was not run: .*reports are in" "$out" || Fail "the last line does not tell of $signal"
  grep -q "\"interrupted_by\": \"SIG$signal\"" "$TEST_TMPDIR/interrupted/report.json" || Fail "report.json"
  grep -q '"conforms": false' "$TEST_TMPDIR/interrupted/report.json" || Fail "report.json conforms"
  grep -q "<span class=\"alarm\">incomplete</span>" "$TEST_TMPDIR/interrupted/index.html" || Fail "index.html"
  grep -q '<error message="TIMEOUT: interrupted by SIG' "$TEST_TMPDIR/interrupted/junit.xml" || Fail "junit.xml"
}
Interrupt INT 130
Interrupt TERM 143

# A plugin that hangs in run(), or while it is loaded, is not waited for, and its processes end.
for mood in hang hang-when-described; do
  cases=$((cases + 1))
  rm -f "$mark"
  TANDEM_BROKEN=$mood TANDEM_BROKEN_MARK=$mark "$tandem" check --report="$TEST_TMPDIR/hanging" --impl=conformance/sandbox/broken_plugin.so \
    --timeout=100000 $small >"$out" 2>&1 &
  process=$!
  Await [ -e "$mark" ]
  workers=$(Children $process)
  [ -n "$workers" ] || Fail "in the mood $mood there is no worker"
  kill -TERM $process
  wait $process
  got=$?
  [ $got = 143 ] || Fail "in the mood $mood: exit code $got"
  grep -q '"interrupted_by": "SIGTERM"' "$TEST_TMPDIR/hanging/report.json" || Fail "in the mood $mood there is no report"
  for worker in $workers; do
    [ ! -e "/proc/$worker" ] || Fail "in the mood $mood a worker is left"
  done
done

# Commands that write no report end at once, with all that they have started.
Ends() {
  signal=$1
  code=$2
  mood=$3
  shift 3
  cases=$((cases + 1))
  rm -f "$mark"
  TANDEM_BROKEN=$mood TANDEM_BROKEN_MARK=$mark "$tandem" "$@" >"$out" 2>&1 &
  process=$!
  if [ -n "$mood" ]; then Await [ -e "$mark" ]; else Await HasDescendant $process sleep; fi
  workers=$(Descendants $process)
  kill -"$signal" $process
  wait $process
  got=$?
  [ $got = "$code" ] || Fail "tandem $*, after $signal: exit code $got, want $code"
  for worker in $workers; do
    HasEnded "$worker" || Fail "tandem $*, after $signal: a worker is left"
  done
}
for command in bench diagnose; do
  Ends INT 130 hang $command --impl=conformance/sandbox/broken_plugin.so $small
  Ends TERM 143 hang-when-described $command --impl=conformance/sandbox/broken_plugin.so $small
  Ends TERM 143 '' $command --impl="pipe:trap '' INT TERM HUP; sleep 1000; true" $small
done
Ends INT 130 hang-when-described list --impl=conformance/sandbox/broken_plugin.so
Ends TERM 143 hang-when-described list --impl=conformance/sandbox/broken_plugin.so

# One command behind pipe: is no implementation, another ends when it is given a problem.
usage="pipe:echo usage: rnn FILE; exit 2"
for command in "check --report=$report" bench "bench --no-check" list diagnose; do
  case $command in list) problem= ;; *) problem=$small ;; esac
  # shellcheck disable=SC2086  # words
  Expect 2 'before it described itself; its stdout begins with "usage: rnn FILE"' $command --impl="$usage" $problem
done
ends='pipe:read -r line; case $line in *describe*) echo "{\"name\": \"ends\"}" ;; *) echo "{\"status\": \"ok\"}" ;; esac'
Expect 1 "run() ended the process" check --report="$TEST_TMPDIR/piped" --impl="$ends" $small
Expect 1 "run() ended the process" bench --impl="$ends" --threads=1 $small
Expect 1 "the command ended with exit status 0" bench --no-check --impl="$ends" --threads=1 --time=0.001 --rounds=1 $small

"$tandem" merge --report="$TEST_TMPDIR/merged" "$TEST_TMPDIR/interrupted/report.json" >"$out"
grep -q "INCOMPLETE, interrupted by SIGTERM" "$out" || Fail "a merged report does not tell that a part is incomplete"

Total
