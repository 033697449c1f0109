#!/bin/sh
# The program's options, exit codes and messages, as a user meets them.
set -u
tandem=conformance/cli/tandem
broken=conformance/host/broken_plugin.so
cases=0
failed=0
out=$TEST_TMPDIR/out

# Expect CODE TEXT ARGUMENT...: the program ends with CODE and says TEXT.
Expect() {
  code=$1
  text=$2
  shift 2
  cases=$((cases + 1))
  "$tandem" "$@" >"$out" 2>&1
  got=$?
  if [ $got != "$code" ] || ! grep -qF -e "$text" "$out"; then
    echo "FAILED: tandem $*: exit code $got, want $code; want \"$text\" in:"
    cat "$out"
    failed=$((failed + 1))
  fi
}

Check() {
  code=$1
  text=$2
  shift 2
  Expect "$code" "$text" check --report="$TEST_TMPDIR/report" "$@"
}

# Serves IMPLEMENTATION PROBLEM...: whether it does, which depends on the CPU for a peer. Says so where it does not.
Serves() {
  implementation=$1
  shift
  "$tandem" check --report="$TEST_TMPDIR/report" --impl="$implementation" "$@" >"$out" 2>&1
  grep -q " 0 refused" "$out" && return 0
  echo "LEFT OUT: on this CPU, $implementation does not serve $*"
  return 1
}

small="--alg=VANILLA_LSTM l1t2mb2sic5"

Expect 2 "subcommand" </dev/null
Expect 2 "A subcommand is required" nonsense
Check 2 "unknown option --nonsense=1" --nonsense=1
Check 2 "no implementation \"vendor\"; valid are reference, optimized, onednn" --impl=vendor $small
Check 2 "none of smoke, quick, full, soak" --tier=huge
Check 2 "options but no problem" --alg=LBR_GRU
Check 2 "is not a problem" l1t2q3
Check 2 "cannot read batch file \"nowhere\"" --batch=nowhere
printf 'sic3\n--alg=NOPE\n' >"$TEST_TMPDIR/bad"
Check 2 "bad:2: --alg=NOPE is none of" --batch="$TEST_TMPDIR/bad"
Check 2 "not a valid problem: " --impl=reference --alg=VANILLA_GRU l1t2mb2sic5slc5dhc7

Check 0 "all conform" --impl=reference $small
Check 0 "all conform" --impl=reference --cases=3 --seed=5
Check 0 "all conform" --impl=optimized --cases=40 --seed=5
printf -- '--skip-nonlinear=true sic3\n' >"$TEST_TMPDIR/knobs"

# Known departures: of a plugin that answers 1 everywhere, on any CPU.
known=$TEST_TMPDIR/known
printf 'implementation broken 1\nones FAIL finding=none sic=5\nunmet FAIL sic=7\nold FAIL sic=5 cpu=sse2\n' >"$known"
Check 1 "1 complaints" --impl="$broken" $small
Check 4 "explained as ones: 1 problems" --impl="$broken" --known="$known" $small
Check 4 "known departures that no problem of this run showed: unmet" --impl="$broken" --known="$known" $small
Check 4 "NOT all conform, but every departure is a known one" --impl="$broken" --known="$known" $small
Check 1 "1 complaints" --impl="$broken" --known="$known" $small l1t2mb2sic6
Check 0 "all conform" --impl=reference --known="$known" $small
Check 2 "cannot read known departures \"nowhere\"" --impl="$broken" --known=nowhere $small

# Known departures of a peer. Where it does not serve bf16, or has the instructions that make it right, there is none.
gru="--alg=VANILLA_GRU --cfg=bf16 l1t1mb2sic32"
if Serves onednn $gru; then
  Check 4 "explained as gru-bf16-bias: 1 problems" --impl=onednn $gru
  Check 1 "1 complaints" --impl=onednn --known=none $gru
fi
pairs="--alg=VANILLA_LSTM --cfg=u8u8u8u8 --scaling-proj=per_oc --absent=bias --reading=onednn --data-scale=127 \
  --zero-point=28 --seed=70914 l1t1mb1sic6"
if Serves onednn $pairs; then
  if grep -q "^all conform" "$out"; then
    Expect 0 "conforms" diagnose --impl=onednn $pairs
  else
    Check 4 "explained as pairs-saturate: 1 problems" --impl=onednn $pairs
    Expect 1 "100.00 %  pairs of products saturate at 16 bits" diagnose --impl=onednn $pairs
  fi
fi
Check 3 "knobs:1: not understood: --skip-nonlinear=true" --impl=reference --batch="$TEST_TMPDIR/knobs"
# oneDNN's reorder of int8 weights needs a scratchpad too, and crashes without one.
int8="--alg=VANILLA_GRU --cfg=u8u8u8u8 --attr-scratchpad=user l1t1mb1sic2"
if Serves onednn $int8; then Check 0 "1 of 1 problems pass" --impl=onednn $int8; fi

# A plugin that answers 1 everywhere fails, and its replay line fails again.
Check 1 "FAIL" --impl="$broken" $small
replay=$(sed -n 's/^ *replay: \.\/tandem check //p' "$out" | head -1)
eval "Check 1 FAIL $replay"
TANDEM_BROKEN=crash Check 1 "CRASH" --impl="$broken" $small
TANDEM_BROKEN=crash-when-described Check 1 "reference: 1 of 1 problems pass" --impl="$broken",reference $small
TANDEM_BROKEN=crash-when-described Check 1 "CRASH: loading and describing $broken: Aborted" \
  --impl="$broken" $small
TANDEM_BROKEN=hang Check 1 "TIMEOUT" --impl="$broken" --timeout=1 $small
TANDEM_BROKEN=refuse Check 1 "it does not feel like it" --impl="$broken" $small

# One injected bug, by name, in the program and as a vendor's library.
mutant=conformance/faulty/mutant_plugin.so
Check 0 "1 of 1 problems pass" --impl=mutant:NoBug $small
Check 1 "FAIL" --impl=mutant:SwapGatesIF $small
Check 0 "1 of 1 problems pass" --impl="$mutant" $small
TANDEM_MUTANT=SwapGatesIF Check 1 "FAIL" --impl="$mutant" $small
Check 1 "CRASH" --impl=mutant:OffsetIn32Bits --wide-offsets=true $small
Check 0 "2 of 2 problems pass" --impl=reference --wide-offsets=true $small --prop=BWD_DW l1t3mb2sic5
Check 2 "there is no \"mutant:Nonsense\"; ./tandem mutants --list prints the names" --impl=mutant:Nonsense $small
Expect 0 "M09 SwapGatesIF" mutants --list
Expect 0 "1 of 1 caught" mutants --curve=0 --group="forward f32" --mutation=SwapGatesIF
Expect 1 "matches LSTM with gate order f,i,c~,o" diagnose --impl=mutant:SwapGatesIF $small

Expect 0 "lstm backward" list
Expect 0 "SSE2" list
Expect 0 "[LSTM.4]" trace --rows=1 $small
Expect 2 "exactly one problem" trace
echo "$cases cases, $failed failed"
[ $failed = 0 ]
