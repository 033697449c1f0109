#!/bin/sh
# Judges a solution of an exercise (docs/exercises/README.md):
#   docs/exercises/check.sh numpy_cell|c_cell|find_the_bug|gradient|quantize|train FILE [OPTION OF CHECK...] [PROBLEM]
# Exit code 0: it is right. 1: it is not. 2: it could not be judged.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tandem=${TANDEM:-$root/tandem}

Fail() {
  echo "check.sh: $*" >&2
  exit 2
}

[ $# -ge 2 ] || Fail "usage: docs/exercises/check.sh EXERCISE FILE"
exercise=$1
[ -f "$2" ] || Fail "there is no file $2"
given=$2
file=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
shift 2
# Options of check, without blanks in them, and whether a problem is among them.
options=$*
asked=
for word in "$@"; do
  case $word in -*) ;; *) asked=yes ;; esac
done

# Prints the command that starts Python, with numpy and the modules that the exercises share.
Python() {
  for python in python3 /usr/bin/python3; do
    $python -c 'import numpy' 2>/dev/null || continue
    echo "PYTHONPATH='$root/conformance/plugins:$here' OPENBLAS_NUM_THREADS=1 $python -B"
    return
  done
  Fail "numpy is missing; install python3-numpy"
}

# What is kept from one call to the next: the library that a replay line names, the last report, how often it failed.
work=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/tandem/exercises/$exercise
mkdir -p "$work" || Fail "$work cannot be written"
failures=$work/failures

# One complaint, how to run its problem again, and the page with its numbers. From the second failure on also what
# `diagnose` finds. Explain IMPLEMENTATION
Explain() {
  complaint=$(grep -m 1 '^  [A-Z][A-Z]*[ :]' "$work/out") || {
    cat "$work/out"
    return
  }
  quoted=$(printf '%s' "$1" | sed "s/'/'\\\\''/g")
  replay=$(sed -n 's/^    replay: //p' "$work/out" | head -n 1)
  problem=${replay##*"$quoted"}
  problem=${problem#\'}
  problem=${problem# }
  echo "not right yet. Of the problems that were tried, the smallest one that fails:"
  echo "$complaint"
  echo "  again: $0 $exercise $given $problem"
  page=$(find "$report" -name 'trace-*-1.html' -newer "$work/start" | head -n 1)
  [ -z "$page" ] || echo "  its numbers: file://$page"
  echo "  the same in the terminal: ./tandem trace $problem"
  echo x >>"$failures"
  [ "$(wc -l <"$failures")" -ge 2 ] || return 0
  echo "  diagnose, which knows many mistakes, says:"
  # shellcheck disable=SC2086  # words without blanks
  "$tandem" diagnose --impl="$1" $problem 2>&1 | sed 's/^/    /'
}

# Check IMPLEMENTATION PROBLEM...: asks about each word list in turn, the smallest problem first, until one fails. A problem
# in the call takes their place.
Check() {
  implementation=$1
  shift
  for problem in "$@"; do
    [ -z "$asked" ] || problem=
    : >"$work/start"
    status=0
    # shellcheck disable=SC2086  # words without blanks
    "$tandem" check --impl="$implementation" $options $problem >"$work/out" 2>&1 || status=$?
    [ $status = 0 ] || {
      [ $status = 1 ] && Explain "$implementation" || cat "$work/out"
      return $status
    }
    [ -z "$asked" ] || break
  done
  rm -f "$failures"
  echo "right: every problem passes"
}

# CheckPipe PROBLEM...: the cell in $file, behind the pipe.
CheckPipe() {
  command="$(Python) '$here/plumbing.py' $exercise '$file'"
  Check "pipe:$command" "$@"
}

# The id in the answers must be that of the mistake. `diagnose` then says what it is.
CheckAnswers() {
  wrong=0
  while read -r number problem; do
    right=$(sed -n "s/^$number \([A-Z0-9.]*\).*/\1/p" "$here/find_the_bug_solution.txt")
    answer=$(sed -n "s/^$number  *\([A-Z0-9.?]*\).*/\1/p" "$file")
    if [ "$answer" = "$right" ]; then
      echo "$number [$answer] is right:"
      # shellcheck disable=SC2086  # words without blanks
      "$tandem" diagnose --impl="exercise:$number" $problem | sed 's/^/    /'
    else
      echo "$number [$answer] is not the equation that is computed wrongly: ./tandem check --impl=exercise:$number $problem"
      wrong=1
    fi
  done <"$here/find_the_bug_tasks.txt"
  return $wrong
}

case " $options" in
  *" --report="*) report=${options##*--report=} && report=${report%% *} ;;
  *) report=$work/report && options="--report=$report $options" ;;
esac
case $exercise in
  numpy_cell)
    CheckPipe "--alg=VANILLA_GRU l1t1mb1sic1" "--alg=VANILLA_GRU l1t2mb2sic2slc3" \
      "--alg=VANILLA_GRU --absent=none,bias+src_iter,dst_iter l1t5mb3sic16slc9"
    ;;
  c_cell)
    cc -std=c11 -O2 -shared -fPIC -I"$root" -o "$work/cell.so" "$here/c_cell_plugin.c" "$file" -lm ||
      Fail "$file does not compile"
    Check "$work/cell.so" "--alg=VANILLA_LSTM l1t1mb1sic1" "--alg=VANILLA_LSTM l1t2mb2sic2slc3" \
      "--alg=VANILLA_LSTM --absent=none,bias+src_iter+src_iter_c,dst_iter+dst_iter_c l1t5mb3sic16slc9"
    ;;
  find_the_bug) CheckAnswers ;;
  gradient)
    rnn="--prop=BWD_DW --activation=TANH"
    CheckPipe "$rnn l1t1mb1sic1" "$rnn l1t2mb2sic2slc3" \
      "$rnn --flags=,O --absent=none,bias+src_iter,dst_iter l1t4mb3sic8slc5"
    ;;
  quantize)
    status=0
    lstm="--alg=VANILLA_LSTM --cfg=u8u8u8u8"
    CheckPipe "$lstm l1t1mb1sic1" "$lstm --scaling=common,per_oc l1t4mb3sic16" || status=$?
    eval "$(Python) '$here/quantize_check.py' '$file'" || status=$?
    exit $status
    ;;
  train) eval "$(Python) '$here/train_check.py' '$file'" ;;
  *) Fail "there is no exercise $exercise; they are numpy_cell, c_cell, find_the_bug, gradient, quantize and train" ;;
esac
