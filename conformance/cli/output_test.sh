#!/bin/sh
# The program prints for a terminal, for a pipe, as JSON, and a line for each problem. It runs again what failed.
set -u
. conformance/cli/expect.sh
broken=conformance/sandbox/broken_plugin.so
small="--alg=VANILLA_LSTM l1t2mb2sic5"

Check() {
  code=$1
  text=$2
  shift 2
  Expect "$code" "$text" check --report="$TEST_TMPDIR/report" "$@"
}

# A terminal has colours, a line of progress and tables of 80 characters; NO_COLOR and a pipe have no colours.
escape=$(printf '\033')
# OnTerminal ARGUMENT...: script makes a terminal of unknown size.
OnTerminal() {
  TERM=xterm script -qec "$tandem $*" /dev/null </dev/null >"$out" 2>&1
}
# Shows COMMAND PATTERN and Hides COMMAND PATTERN look for the pattern in the output of COMMAND.
Shows() {
  cases=$((cases + 1))
  grep -q -e "$2" "$out" || Fail "$1 on a terminal: no $2 in:"
}
Hides() {
  cases=$((cases + 1))
  ! grep -e "$2" "$out" || Fail "$1: has $2"
}
wrong="check --report=$TEST_TMPDIR/report --impl=mutant:SwapGatesIF,reference $small"
OnTerminal "$wrong"
Shows check "$escape\[1;31mNOT all conform$escape\[0m"
Shows check "$escape\[32mnothing is wrong"
Shows check "reference \[#*\] 1 of 1 problems, 0 complaints, .*left"
Hides check "^lstm .\{77\}"
NO_COLOR=1 OnTerminal "$wrong"
Shows "check with NO_COLOR" "^NOT all conform"
Hides "check with NO_COLOR" "$escape\[[0-9]"
# shellcheck disable=SC2086
"$tandem" $wrong >"$out" 2>&1
Hides "check in a pipe" "$escape"
# shellcheck disable=SC2086
NO_COLOR=1 "$tandem" $wrong --color=always >"$out" 2>&1
Shows "check --color=always in a pipe" "$escape\[1;31mNOT all conform$escape\[0m"
OnTerminal "$wrong --color=never"
Hides "check --color=never" "$escape\[[0-9]"
Check 2 "--color=blue is none of auto, always, never" --color=blue $small
OnTerminal mutants --curve=0 --group="'forward f32'" --mutation=SwapGatesIF
Shows mutants "mutants \[\.*\] 0 of 1 hunts"
OnTerminal bench --time=0.001 --rounds=1 --threads=1 --impl=optimized,reference "$small"
Shows bench "verifying \[#*\.*\] 0 of 2 problems"
Shows bench "timing \[\.*\] 0 of 1 problems"
Hides bench "^  optimized .\{69\}"
OnTerminal mutants --list
Shows mutants "SwapGatesIF"
Hides "mutants --list" "^.\{82\}"
OnTerminal list
Shows list "lstm peephole backward .*or"
Hides list "^.\{82\}"
OnTerminal help problem
Hides "help problem" "^.\{82\}"

# The report as JSON, and nothing else, on standard output; or beside the others.
# shellcheck disable=SC2086
"$tandem" check --report="$TEST_TMPDIR/report" --impl=reference --json=- $small >"$TEST_TMPDIR/json" 2>"$out" || Fail "check --json=-"
cmp "$TEST_TMPDIR/json" "$TEST_TMPDIR/report/report.json" || Fail "--json=- is not report.json"
Shows "check --json=-, standard error" "^all conform"
Check 0 "all conform" --impl=reference --json="$TEST_TMPDIR/other.json" $small
cmp "$TEST_TMPDIR/other.json" "$TEST_TMPDIR/report/report.json" || Fail "--json=FILE is not report.json"
Check 2 "--json=/nowhere/json: cannot write there: " --json=/nowhere/json $small
# shellcheck disable=SC2086
"$tandem" check --report="$TEST_TMPDIR/report" --impl=reference --json=- $small 2>"$out" >/dev/full
[ $? = 2 ] || Fail "check --json=- on a full disk does not end with 2"
Shows "check --json=- on a full disk" "^tandem: --json=-: standard output cannot be written: "
for part in 1 2; do
  Expect 0 "part $part of 2" check --report="$TEST_TMPDIR/part$part" --impl=reference --cases=40 --shard=$part/2
done
"$tandem" merge --report="$TEST_TMPDIR/whole" --json=- "$TEST_TMPDIR/part1" "$TEST_TMPDIR/part2" >"$TEST_TMPDIR/json" 2>"$out" ||
  Fail "merge --json=-"
cmp "$TEST_TMPDIR/json" "$TEST_TMPDIR/whole/report.json" || Fail "merge --json=- is not report.json"

match=-E Check 0 "^PASS +[0-9.]+ s  --alg=VANILLA_LSTM l1t2mb2sic5" -v --impl=reference $small
TANDEM_BROKEN=refuse match=-E Check 1 "^NOT_SUPPORTED .*sic5.*: it does not feel like it" --verbose --impl="$broken" $small

# --rerun-failed runs the failures of the report, and then those that still fail.
Check 1 "reference: 2 of 2 problems pass" --impl="$broken",reference $small l1t2mb2sic6
Check 1 "broken: 0 of 2 problems pass" --rerun-failed
Hides "check --rerun-failed" "^reference"
TANDEM_MUTANT=SwapGatesIF Check 1 "1 of 2 problems pass" --impl=conformance/faulty/mutant_plugin.so --threads=2 \
  --alg=VANILLA_LSTM,VANILLA_GRU l1t2mb2sic5
TANDEM_MUTANT=SwapGatesIF Check 1 "@threads=2: 0 of 1 problems pass" --rerun-failed
Check 0 "@threads=2: 1 of 1 problems pass" --rerun-failed
Check 0 "nothing failed in" --rerun-failed
Check 2 "--impl excludes --rerun-failed" --rerun-failed --impl=reference
Check 2 "--rerun-failed chooses the problems: give it no other ones" --rerun-failed sic3
Expect 2 "cannot read $TEST_TMPDIR/no_report" check --report="$TEST_TMPDIR/no_report" --rerun-failed

Total
