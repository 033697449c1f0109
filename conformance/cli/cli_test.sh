#!/bin/sh
# The program's words, exit codes and messages, as a user types them.
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
printf -- '--skip-nonlinear=true sic3\n' >"$TEST_TMPDIR/knobs"
gru="--alg=VANILLA_GRU --cfg=bf16 l1t1mb2sic32"
Check 4 "explained as gru-bf16-bias: 1 problems" --impl=onednn $gru
Check 4 "known departures that no problem of this run showed: signed-activations odd-channels" --impl=onednn $gru
Check 4 "NOT all conform, but as is known" --impl=onednn $gru
Check 1 "1 complaints" --impl=onednn --known=none $gru
Check 1 "1 complaints" --impl=onednn,"$broken" $gru
Check 2 "cannot read known departures \"nowhere\"" --impl=onednn --known=nowhere $gru
Check 3 "knobs:1: not understood: --skip-nonlinear=true" --impl=reference --batch="$TEST_TMPDIR/knobs"
# oneDNN's reorder of int8 weights wants a scratchpad too, and crashes without one.
Check 0 "1 of 1 problems pass" --impl=onednn --alg=VANILLA_GRU --cfg=u8u8u8u8 --attr-scratchpad=user l1t1mb1sic2

# A plugin that answers 1 everywhere fails, and its replay line says the same again.
Check 1 "FAIL" --impl="$broken" $small
replay=$(sed -n 's/^ *replay: \.\/tandem check //p' "$out" | head -1)
eval "Check 1 FAIL $replay"
TANDEM_BROKEN=crash Check 1 "CRASH" --impl="$broken" $small
TANDEM_BROKEN=crash-when-described Check 1 "reference: 1 of 1 problems pass" --impl="$broken",reference $small
TANDEM_BROKEN=crash-when-described Check 1 "CRASH: loading $broken and asking it for its description: Aborted" \
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
Expect 0 "AVX" list
Expect 0 "[LSTM.4]" trace --rows=1 $small
Expect 2 "exactly one problem" trace
echo "$cases cases, $failed failed"
[ $failed = 0 ]
