#!/bin/sh
# The test runs the program's options, exit codes and messages as a user meets them.
set -u
. conformance/cli/expect.sh
broken=conformance/sandbox/broken_plugin.so

Check() {
  code=$1
  text=$2
  shift 2
  Expect "$code" "$text" check --report="$TEST_TMPDIR/report" "$@"
}

# Serves IMPLEMENTATION PROBLEM... succeeds if it serves the problem, and else says so. For a peer that depends on the CPU.
Serves() {
  implementation=$1
  shift
  "$tandem" check --report="$TEST_TMPDIR/report" --impl="$implementation" "$@" >"$out" 2>&1
  grep -q " 0 refused" "$out" && return 0
  echo "LEFT OUT: on this CPU, $implementation does not serve $*"
  return 1
}

small="--alg=VANILLA_LSTM l1t2mb2sic5"

# A comma separates implementations, unless it belongs to a path.
mkdir -p "$TEST_TMPDIR/a,b"
cp "$broken" "$TEST_TMPDIR/a,b/c,d.so"
Check 1 "reference: 1 of 1 problems pass" "--impl=$TEST_TMPDIR/a,b/c,d.so,reference" $small
Check 1 "broken: 0 of 1 problems pass" "--impl=reference,$TEST_TMPDIR/a,b/c,d.so" $small

# Says ARGUMENT... SENTENCE: the program must say the sentence in one line of less than 400 characters, with exit code 2.
Says() {
  for sentence in "$@"; do :; done
  words=$#
  for argument in "$@"; do
    shift
    words=$((words - 1))
    [ $words = 0 ] || set -- "$@" "$argument"
  done
  Expect 2 "$sentence" "$@"
  [ "$(head -n 1 "$out" | wc -c)" -lt 400 ] || Fail "tandem $*: a line of $(head -n 1 "$out" | wc -c) characters"
}

Says "./tandem needs a command: bench, check" </dev/null
Says nonsense './tandem has no command "nonsense"; there are bench, check'
Says chekc "did you mean check?"
Says --cases=3 './tandem has no command "--cases=3"; there are'
Expect 0 "  diagnose " help
# Each command gives its help in both ways.
for command in $("$tandem" help | sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p') "vectors export"; do
  # shellcheck disable=SC2086  # two words
  "$tandem" $command --help >"$TEST_TMPDIR/asked"
  # shellcheck disable=SC2086
  Expect 0 "Usage: tandem $command" help $command
  cmp -s "$out" "$TEST_TMPDIR/asked" || Fail "help $command is not $command --help"
done
Says help nonsense './tandem help has no topic "nonsense"; the topics are problem, man, bash, bench, check'
Says help chekc "did you mean check? The topics are"
Says help vectors exprot 'has no command "exprot"; did you mean export? There are'

# A plugin that gives no valid answer is judged, and so is the next one.
for mood in no-plugin other-abi no-run no-description no-name; do
  TANDEM_BROKEN=$mood Check 1 "left no valid answer" --impl=$broken --impl=reference $small
  grep -q "^reference: .*1 of 1" "$out" || Fail "after a plugin in the mood $mood the next one is not judged"
done

# If no known mistake explains the outputs, diagnose names none, and says on what the failure depends.
half="--alg=VANILLA_RNN --activation=LOGISTIC --data=zero l1t2mb2sic5"
TANDEM_BROKEN_VALUE=0.5 Expect 0 "conforms" diagnose --impl=$broken $half
TANDEM_BROKEN_VALUE=0.5 TANDEM_BROKEN=wrong-in-batch Expect 1 "it conforms with one row" diagnose --impl=$broken $half
! grep -q " %  " "$out" || Fail "a neighbour is named"
Expect 1 "it fails, too, with one thread; with three threads; with one step; with one row; with channels in multiples of 16" \
  diagnose --impl=$broken $half

# These lines are about departures that are known after a run, and about changes between two runs.
one="--alg=VANILLA_RNN --activation=TANH l1t2mb2sic5"
Expect 1 "NOT all conform" check --report="$TEST_TMPDIR/bad" --impl=mutant:BiasIgnored --write-known="$TEST_TMPDIR/known" $one
Expect 4 "every departure is a known one" check --report="$TEST_TMPDIR/report" --impl=mutant:BiasIgnored --known="$TEST_TMPDIR/known" $one
Expect 0 "0 mended, 1 explained" compare "$TEST_TMPDIR/bad" "$TEST_TMPDIR/report"
Expect 1 "NOT all conform" check --report="$TEST_TMPDIR/report" --impl=mutant:BiasIgnored --known="$TEST_TMPDIR/known" \
  --alg=VANILLA_RNN --activation=TANH l1t2mb2sic6
Expect 2 "--write-known is about one implementation" check --report="$TEST_TMPDIR/report" --write-known="$TEST_TMPDIR/known" $one
Expect 2 "--write-known=/nowhere/known" check --report="$TEST_TMPDIR/report" --impl=reference --write-known=/nowhere/known $one
Expect 0 "0 regressions, 0 mended" compare "$TEST_TMPDIR/bad" "$TEST_TMPDIR/bad/report.json"
Expect 0 "all conform" check --report="$TEST_TMPDIR/good" --impl=mutant:NoBug $one
mkdir -p "$TEST_TMPDIR/mended"
sed 's/"implementation": "NoBug"/"implementation": "BiasIgnored"/' "$TEST_TMPDIR/good/report.json" >"$TEST_TMPDIR/mended/report.json"
Expect 0 "1 mended" compare "$TEST_TMPDIR/bad" "$TEST_TMPDIR/mended"
Expect 1 "PASS -> FAIL" compare "$TEST_TMPDIR/mended" "$TEST_TMPDIR/bad"
Expect 2 "have no implementation in common" compare "$TEST_TMPDIR/good" "$TEST_TMPDIR/bad"
Expect 2 "REPORT" compare "$TEST_TMPDIR/good"
Expect 2 "cannot read no_old; cannot read no_new" compare no_old no_new
Expect 2 "cannot read no_old; cannot read no_new" merge --report="$TEST_TMPDIR/whole" no_old "$TEST_TMPDIR/good" no_new
Expect 2 "nothing/report.json" compare "$TEST_TMPDIR/good" "$TEST_TMPDIR/nothing/report.json"

# compose: makes layers and directions out of a plugin that has one of each.
Conforms compose:reference "112 of 128 problems pass" --alg=VANILLA_RNN,VANILLA_LSTM,VANILLA_GRU,LBR_GRU \
  --direction=left2right,right2left,concat,sum --cfg=f32,bf16 --absent=none,bias l1t3mb2sic5 l3t4mb2sic4
Expect 2 "needs the path of a plugin" check --impl=compose:vendor $small
match=-E Expect 0 "reference cells .*: 1 of 1 groups|conforms to .*1 of 1 groups" check --report="$TEST_TMPDIR/report" --impl=reference --cases=0 \
  --profile=cells-lstm-inference-f32

Expect 0 "optimized@threads=4 nothing is wrong" check --report="$TEST_TMPDIR/report" --impl=optimized --threads=1,4 $small
grep -q '"replay": ".*--threads=4 ' "$TEST_TMPDIR/report/report.json" || Fail "report.json: no line with --threads=4"
Expect 1 "--threads=2 " check --report="$TEST_TMPDIR/report" --impl=mutant:BiasIgnored --threads=2 $one
Expect 2 '--threads: "0" is not a whole number from 1' check --threads=0 $small
match=-E Expect 0 '^tandem [0-9]+[.][0-9]+[.][0-9]+$' --version
Says vectors exprot 'has no command "exprot"; did you mean export?'
Says check --nonsense=1 "there is no option --nonsense=1"
Says check --imlp=reference sic3 "there is no option --imlp=reference; did you mean --impl?"
Says check --scailng=common sic3 "did you mean --scaling?"
Says check --cases=1e400 '--cases: "1e400" is not a whole number from 0 to 1000000000000'
Says check --cases=-1 '--cases: "-1" is not a whole number'
Says check --cases=99999999999999999999999 "is not a whole number from"
Says check --jobs=1.5 '--jobs: "1.5" is not a whole number from 0'
Says check --cases "--cases has no value: type --cases=VALUE; ./tandem check --help lists the options"
Says check --time=5 --time=6 sic3 "--time is given more than once; ./tandem check --help lists the options"
Says check --cases=5 --cases "--cases has no value: type --cases=VALUE"
Says bench --memory=1G --memory=2G sic3 "--memory is given more than once"
Says check --report= --impl=reference sic3 "--report has no value: type --report=VALUE, or leave --report out"
Says check --seed=1e400 sic3 "--seed=1e400 is not a whole number below 2^64"
Says check --data-scale=1e400 sic3 "--data-scale=1e400 is not a positive number, or 0 for the default"
Says check --mb=1.5 sic3 "whole numbers are expected, such as --mb=4 or --mb=1,4"
Says check sic0 "must be given and positive, as in l1t3mb2sic8"
Says check sic-3 "a number of digits must follow sic, such as sic8"
Says check "l1 t3 mb2 sic8" "a problem is one word such as l1t3mb2sic8, after its options such as --alg=VANILLA_LSTM"
Says check LSTM "a problem is one word such as"
Says check l99999999999999999999sic3 "l is more than 2^40"
Says check --batch "--batch has no value: type --batch=FILE"
Says check --profile=lstm-infrence-f32 "did you mean lstm-inference-f32? The profiles are"
Says check --profile=nonsense "--profile=nonsense is no profile; the profiles are"
Says check --shard=0/0 "type --shard=1/4 for the first of four parts"
for command in check list "bench --no-check"; do
  Says $command --impl=, sic3 "--impl names no implementation: type --impl=reference, for example"
done
Says check --impl=pipe: sic3 'type --impl="pipe:COMMAND"'
Says check --impl="pipe:echo no module >&2; exit 1" sic3 'before it described itself; it printed: "no module"'
Says check --impl=pipe:/nonexistent/program,1 sic3 "cannot start implementation pipe:/nonexistent/program,1: "
Says check --impl=reference,/nonexistent/plugin.so sic3 "cannot load implementation /nonexistent/plugin.so: "
Says check --known=/tmp --impl=reference sic3 "known departures: cannot read /tmp"
Says check --report=/dev/null/x --impl=reference sic3 "--report=/dev/null/x: cannot write there: "
Says mutants --mutation=Foo "--mutation=Foo is in no name; ./tandem mutants --list prints the names"
Says mutants --mutation=SwapGateIF "did you mean SwapGatesIF?"
Says mutants --group=Foo "the groups are forward f32, "
Says mutants --cases=0 '--cases: "0" is not a whole number from 1'
Says mutants sic3 "./tandem mutants does not take sic3"
Says list foo "./tandem list does not take foo; ./tandem list --help lists the options"
Says merge "./tandem merge needs REPORT: the report.json of each part, or the directory it is in"
Says merge /etc/passwd "/etc/passwd: this is no report.json of ./tandem check: it is not JSON from byte 1 on"
Says vectors verify "./tandem vectors verify needs --outputs: "
Says bench --threads=99999 sic3 '--threads: "99999" is not a whole number from 1 to 1024'
Says tune --number=chunk_rows --output=/dev/null/x "--output=/dev/null/x: cannot write there: "
Says trace --row=5 l1t1mb2sic2 "--row=5 is none of this problem's: type --row=0 to --row=1"
Says trace --step=x "is not a whole number from 0"
Check 2 "no implementation \"vendor\"; valid are reference, optimized, streams, onednn" --impl=vendor $small
Check 2 "none of smoke, quick, full, soak" --tier=huge
Check 2 "options but no problem" --alg=LBR_GRU
Check 2 "/dev/zero:1: a line of more than 100000 characters" --batch=/dev/zero
Check 2 "is not a problem" l1t2q3
Check 2 "cannot read batch file \"nowhere\"" --batch=nowhere
printf 'sic3\n--alg=NOPE\n' >"$TEST_TMPDIR/wrong_batch"
Check 2 "wrong_batch:2: --alg=NOPE is none of" --batch="$TEST_TMPDIR/wrong_batch"
Check 2 "not a valid problem: " --impl=reference --alg=VANILLA_GRU l1t2mb2sic5slc5dhc7

# Options after the last problem and values that mean nothing are errors.
Check 2 "--alg=VANILLA_LSTM comes after the last problem" --impl=reference l1t3mb2sic8 --alg=VANILLA_LSTM
Check 2 "--target=ZZ: TANDEM_TARGET: 'ZZ' is not among this machine's targets" --impl=optimized --target=ZZ $small
TANDEM_TARGET=ZZ Check 2 "TANDEM_TARGET: 'ZZ' is not among" --impl=reference $small
TANDEM_IMPL=zzz Check 2 'TANDEM_IMPL: is "zzz"' --impl=optimized $small
TANDEM_READING=zzz Check 2 "TANDEM_READING" --impl=optimized $small
for number in nan inf -1 0 2x 1e308; do Check 2 "is not a number of seconds above 0" --impl=reference --timeout=$number $small; done
for number in nan 1e308; do Check 2 "is not a number of seconds from 0 to 1e7" --impl=reference --time=$number $small; done
Says bench --time=1e308 sic3 '--time: "1e308" is not a number of seconds above 0 and at most 1e7'
# The first problem is judged even if the time is up.
Check 0 "1 of 1 problems pass" --impl=reference --jobs=1 --time=0.0001 $small $small
Check 2 "is not I/N with 1 <= I <= N" --impl=reference --shard=3/2 $small
Check 2 "--profile=nonsense is no profile" --impl=reference --profile=nonsense
Check 2 "give it no other ones" --impl=reference --profile=inference-f32 $small
# A profile of one group has a hundred random problems besides required ones and the tier's; with --tier as many as the tier.
match=-E Check 5 "only [0-9]+ of 1[0-9][0-9] problems were run: the time was up" --impl=reference --jobs=1 --time=0.0001 \
  --profile=gru-inference-f32
match=-E Check 5 "only [0-9]+ of 20[0-9][0-9] problems were run: the time was up" --impl=reference --jobs=1 --time=0.0001 \
  --profile=gru-inference-f32 --tier=quick

Check 0 "all conform" --impl=reference $small
Check 0 "all conform" --impl=reference --cases=3 --seed=5
Check 0 "all conform" --impl=optimized --cases=40 --seed=5
# Random problems leave these types out, because the description of a plugin does not tell whether it has them.
Check 0 "all conform" --impl=reference,optimized --alg=VANILLA_LSTM,LBR_GRU --cfg=f32w8,bf16w8,f32w8dyn l1t2mb3sic9
printf -- '--skip-nonlinear=true sic3\n' >"$TEST_TMPDIR/knobs"

# The known departures are those of a plugin that answers 1 everywhere, on any CPU.
known=$TEST_TMPDIR/known
printf 'implementation broken 1\nones FAIL finding=none sic=5\nunmet FAIL sic=7\nold FAIL sic=5 cpu=sse2\n' >"$known"
Check 1 "1 complaint;" --impl="$broken" $small
Check 4 "explained as ones: 1 problem, the first" --impl="$broken" --known="$known" $small
Check 4 "known departures that no problem of this run showed: unmet" --impl="$broken" --known="$known" $small
Check 4 "NOT all conform, but every departure is a known one" --impl="$broken" --known="$known" $small
Check 1 "1 complaint;" --impl="$broken" --known="$known" $small l1t2mb2sic6
Check 0 "all conform" --impl=reference --known="$known" $small
Check 2 "known departures: cannot read nowhere" --impl="$broken" --known=nowhere $small

# A peer has known departures. There is none if it does not serve bf16, or has the instructions that make it right.
gru="--alg=VANILLA_GRU --cfg=bf16 l1t1mb2sic32"
if Serves onednn $gru; then
  Check 4 "explained as gru-bf16-bias: 1 problem, the first" --impl=onednn $gru
  Check 1 "1 complaint;" --impl=onednn --known=none $gru
fi
pairs="--alg=VANILLA_LSTM --cfg=u8u8u8u8 --scaling-proj=per_oc --absent=bias --reading=onednn --data-scale=127 \
  --zero-point=28 --seed=70914 l1t1mb1sic6"
if Serves onednn $pairs; then
  if grep -q "^all conform" "$out"; then
    Expect 0 "conforms" diagnose --impl=onednn $pairs
  else
    Check 4 "explained as pairs-saturate: 1 problem, the first" --impl=onednn $pairs
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

# A profile demands its groups. A plugin that refuses everything conforms to no profile.
Check 0 "reference conforms to gru inference f32: 1 of 1 groups" --impl=reference --profile=gru-inference-f32 --cases=5
Check 1 "gru inference f32: 0 of 1 groups (1 wrong)" --impl="$broken" --profile=gru-inference-f32 --cases=0
TANDEM_BROKEN=refuse Check 5 "conforms to no profile" --impl="$broken" --profile=gru-inference-f32 --cases=0
TANDEM_BROKEN=refuse Check 1 "nothing was judged" --impl="$broken" $small
Check 5 "nothing is wrong, but NOT everything was judged" --impl=mutant:NoBug $small \
  --alg=VANILLA_LSTM --attr-fpmath=bf16 --gain=4 l1t8mb2sic20

# The first complaint ends the run. A complaint is told when it is found, and its replay line names the target.
Check 1 "only 1 of 2 problems were run: the first complaint ended the run" --impl="$broken" --fail-fast $small l1t2mb2sic6
"$tandem" check --report="$TEST_TMPDIR/report" --impl="$broken" $small 2>&1 >/dev/null | grep -q "replay:" ||
  Fail "a complaint is not told when it is found"
lowest=$("$tandem" list | sed -n 's/^targets of optimized.*[ ,]\([A-Z0-9_]*\)$/\1/p')
TANDEM_BROKEN= Check 1 "replay: ./tandem check --impl=$broken --target=$lowest " --impl="$broken" --target="$lowest" $small

for part in 1 2; do
  Expect 0 "part $part of 2" check --report="$TEST_TMPDIR/part$part" --impl=reference --cases=70 --shard=$part/2
done
Expect 0 "reference: 70 of 70 problems pass" merge --report="$TEST_TMPDIR/whole" \
  "$TEST_TMPDIR/part1/report.json" "$TEST_TMPDIR/part2"
Expect 2 "part 2 of 2 is missing" merge --report="$TEST_TMPDIR/whole" "$TEST_TMPDIR/part1/report.json"
Expect 2 "cannot read nowhere" merge --report="$TEST_TMPDIR/whole" nowhere
Expect 2 "cannot read $TEST_TMPDIR/report.json" merge --report="$TEST_TMPDIR/whole" "$TEST_TMPDIR"

# One known mistake is found by its name in the program, and as a vendor's library.
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
Expect 0 "lstm projection forward_training" list
Expect 0 "SSE2" list
Expect 0 "[LSTM.4]" trace --rows=1 $small
Expect 0 "(h_{t,l}, c_{t,l}) = (0, 0)" trace --data=zero $small
Expect 0 "n=0 unit=4  (h_{t,l}, c_{t,l}) = (none, 0)" trace --data=zero --with-projection=true --units=5 --alg=VANILLA_LSTM \
  l1t2mb2sic3slc5dhc5dic3
# A complaint links to a page with its equations.
Check 1 "FAIL" --impl=mutant:PeepholeOldC --alg=VANILLA_LSTM --with-peephole=true l1t3mb2sic4
page=$(sed -n 's/.*href="\(trace-[^"]*\)".*/\1/p' "$TEST_TMPDIR/report/index.html" | head -n 1)
grep -q '"name":"mutant:PeepholeOldC","outputs":' "$TEST_TMPDIR/report/${page:-no link}" ||
  Fail "the report links to no page that has the mutant's outputs"
Check 1 "FAIL" --impl=mutant:InputForgetIgnored --alg=VANILLA_LSTM --attr-rnn-input-forget=true l1t2mb2sic4
[ -z "$(find "$TEST_TMPDIR/report" -name "trace-InputForgetIgnored-*")" ] || Fail "a page has equations of other gates"
Check 1 "FAIL" --impl=mutant:NormMeanKept --alg=VANILLA_LSTM --norm=parts l1t2mb2sic4
[ -z "$(find "$TEST_TMPDIR/report" -name "trace-NormMeanKept-*")" ] || Fail "a page has equations without norms"
touch "$TEST_TMPDIR/report/${page%-*}-5.html"
Check 0 "all conform" --impl=mutant:PeepholeOldC $small
[ -z "$(find "$TEST_TMPDIR/report" -name "${page%-*}-*")" ] || Fail "pages of an earlier run stay in the report's directory"
Expect 0 "channels of src_iter" help problem
Expect 2 "--seed=x is not a whole number" trace --seed=x l1t1mb1sic2
Expect 2 "--gain=0 is not within" trace --gain=0 l1t1mb1sic2
Expect 0 "note: --with-peephole is for LSTM" trace --alg GRU --with-peephole true l1t1mb1sic2
Expect 0 "activation tanh" trace
Expect 0 "h = tanh(a)" trace
Expect 0 "[LSTM.B2]  dc += dh" trace --prop=BWD_DW $small
Expect 0 "[INT8.1]" trace --cfg=u8u8u8u8 --alg=VANILLA_GRU --step=0 --unit=0 l1t1mb1sic2
Expect 0 "data=tame has usual ones" trace --cfg=u8u8u8u8 --alg=VANILLA_GRU --step=0 --unit=0 l1t1mb1sic2
Expect 0 '"steps": [' trace --json=- $small
Expect 0 "= σ(0 + 0 + 0) = σ(0) = 0.5" trace --data=zero --unit=0 --alg=VANILLA_LSTM l1t1mb1sic2
Expect 2 "cannot" trace --data=no_such.safetensors $small
# A safetensors file has 8 bytes with the length of its header (72), the header, and here two numbers 0.5.
printf '\110\0\0\0\0\0\0\0%-72s\0\0\0\077\0\0\0\077' \
  '{"src_layer":{"dtype":"F32","shape":[1,1,2],"data_offsets":[0,8]}}' >"$TEST_TMPDIR/x.safetensors"
Expect 0 "x  n=0  0.5 0.5" trace --data="$TEST_TMPDIR/x.safetensors" --alg=VANILLA_GRU l1t1mb1sic2
Expect 2 "src_layer is [1, 1, 2], but the problem's is [1, 1, 3]" \
  trace --data="$TEST_TMPDIR/x.safetensors" --alg=VANILLA_GRU l1t1mb1sic3
Expect 2 "type --unit=0 to --unit=4" trace --unit=99 $small
Expect 2 "exactly one problem" trace $small $small
Expect 2 "has the equations of the specification's gates" trace --html="$TEST_TMPDIR/no.html" --attr-rnn-clip=1 $small
Expect 0 "[GATE.B1]  Δ_o = da^_o" trace --prop=BWD_DW --attr-rnn-clip=0.5 --alg=VANILLA_LSTM l1t2mb1sic2
Expect 0 "[GATE.B2]  di = dc" trace --prop=BWD_DW --attr-rnn-input-forget=true --alg=VANILLA_LSTM l1t2mb1sic2
Expect 0 "o = (a_o if a_o > 0, else alpha_candidate" trace --alg=VANILLA_GRU --attr-rnn-activations=logistic+relu:0+tanh l1t1mb1sic2
Expect 0 "dh_{t,l} = 0 + " trace --prop=BWD_DW --loss=last l1t2mb1sic2
Expect 2 "--loss=last is for backward" trace --loss=last $small
Expect 0 "gradients of weights" trace --prop=BWD_DW --lengths=random l1t3mb3sic2
Expect 2 "has no lines for masks" trace --html="$TEST_TMPDIR/no.html" --masks=mask_iter l1t3mb3sic2
Expect 2 "has no lines for norms" trace --html="$TEST_TMPDIR/no.html" --norm=sum l1t3mb3sic2
Expect 0 "[NORM.B4]  dv_i = (dv^_i - mean(dv^_i)" trace --norm=sum --alg=VANILLA_LSTM --prop=BWD_DW l1t3mb3sic2
Expect 0 "[NORM.1]  z'_i = v'_i - mean([[[v'_i; v'_f]; v'_c~]; v'_o])" trace --norm=parts:row --alg=VANILLA_LSTM l1t3mb3sic2
Expect 0 "[MASK.B2]  dh' = mask_iter" trace --masks=mask_iter --prop=BWD_DW l1t3mb3sic2
Expect 0 "[MASK.4]  c = zoneout_iter_c" trace --masks=zoneout_iter_c --alg=VANILLA_LSTM l1t3mb3sic2
Total
