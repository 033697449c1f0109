#!/bin/sh
# Every exercise: what is given at the start is not right, the solution is. What the solutions say of the mistakes is what
# `diagnose` says.
set -eu
export TANDEM="$PWD/conformance/cli/tandem" XDG_CACHE_HOME="$TEST_TMPDIR/cache"
cd docs/exercises
failures=0
shards=${TEST_TOTAL_SHARDS:-1} shard=${TEST_SHARD_INDEX:-0}
[ -z "${TEST_SHARD_STATUS_FILE:-}" ] || : >"$TEST_SHARD_STATUS_FILE"
# The judge must not see these variables: it would judge a part of its list only.
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE

# Mine NUMBER: whether this shard judges the part with the number.
Mine() { [ $(($1 % shards)) = "$shard" ]; }

# Expect CODE EXERCISE FILE
Expect() {
  code=$1
  shift
  got=0
  sh check.sh "$@" --report="$TEST_TMPDIR/report" >"$TEST_TMPDIR/out" 2>&1 || got=$?
  [ $got = "$code" ] && echo "ok: $* ends with $got" && return
  echo "FAILED: $* ends with $got, not $code"
  cat "$TEST_TMPDIR/out"
  failures=$((failures + 1))
}

# Says WORDS: the last output has them.
Says() {
  grep -q -e "$1" "$TEST_TMPDIR/out" && return
  echo "FAILED: the verdict does not say: $1"
  cat "$TEST_TMPDIR/out"
  failures=$((failures + 1))
}

if /usr/bin/env python3 -c 'import numpy' 2>/dev/null; then
  part=0
  for exercise in numpy_cell gradient quantize train; do
    part=$((part + 1))
    Mine $part || continue
    Expect 1 $exercise ${exercise}_start.py
    Expect 0 $exercise ${exercise}_solution.py
  done
elif Mine 1; then
  echo "LEFT OUT: numpy is not installed, so the exercises in Python were not judged"
fi

if Mine 4; then
  Expect 1 c_cell c_cell_start.c
  Expect 0 c_cell c_cell_solution.c
  Expect 2 c_cell c_cell.h

  # A mistake: one complaint about the smallest problem, a line that runs it again, a page; the second time also its cause.
  sed 's/forget \* c_prev\[o\] + in/forget * c_prev[o] - in/' c_cell_solution.c >"$TEST_TMPDIR/minus.c"
  Expect 1 c_cell "$TEST_TMPDIR/minus.c"
  Says "again: check.sh c_cell $TEST_TMPDIR/minus.c --alg=VANILLA_LSTM l1t1mb1sic1slc1dhc1dic1$"
  Says "its numbers: file://$TEST_TMPDIR/report/trace-"
  [ "$(grep -c '^  FAIL' "$TEST_TMPDIR/out")" = 1 ] || Says "a single complaint"
  ! grep -q diagnose "$TEST_TMPDIR/out" || Says "nothing of diagnose after the first failure"
  Expect 1 c_cell "$TEST_TMPDIR/minus.c" --alg=VANILLA_LSTM l1t1mb1sic1slc1dhc1dic1
  Says "diagnose, which knows"
  # shellcheck disable=SC2046  # words
  "$TANDEM" check --impl="$XDG_CACHE_HOME/tandem/exercises/c_cell/cell.so" --alg=VANILLA_LSTM l1t1mb1sic1 \
    --report="$TEST_TMPDIR/report" >"$TEST_TMPDIR/out" 2>&1 || true
  Says "does not conform"

  # Past the end of h, on purpose.
  sed 's/^    h\[o\] = /    h[o + 1] = h[o] = /' c_cell_solution.c >"$TEST_TMPDIR/past.c"
  Expect 1 c_cell "$TEST_TMPDIR/past.c"
  Says "CRASH: run(): Segmentation fault: it wrote past the end of dst_layer"
  Expect 2 no_such_exercise c_cell.h
fi

if Mine 5; then
  Expect 1 find_the_bug find_the_bug_start.txt
  Expect 0 find_the_bug find_the_bug_solution.txt
  tasks=0
  while read -r number id sentence; do
    tasks=$((tasks + 1))
    sed -n "/^$number /,/^$((number + 1)) /p" "$TEST_TMPDIR/out" >"$TEST_TMPDIR/task"
    grep -qF "100.00 %  $sentence" "$TEST_TMPDIR/task" || {
      echo "FAILED: diagnose does not say of exercise:$number: $sentence"
      failures=$((failures + 1))
    }
    grep -q "^| \[$id\] |" ../book/*.md || {
      echo "FAILED: docs/book has no [$id]"
      failures=$((failures + 1))
    }
  done <find_the_bug_solution.txt
  [ $tasks = "$(wc -l <find_the_bug_tasks.txt)" ] || failures=$((failures + 1))
fi
exit $((failures > 0))
