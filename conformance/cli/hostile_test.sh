#!/bin/sh
# Files, names and environments in this test mean harm. Nothing is written or run outside the given folders, no escape sequence
# reaches a terminal, and a dropped connection loses no report.
set -u
. conformance/cli/expect.sh
report=$TEST_TMPDIR/report
small="--alg=VANILLA_LSTM l1t2mb2sic5"
escape=$(printf '\033')

# NoEscape WHAT: the last output has no control character of a terminal.
NoEscape() {
  cases=$((cases + 1))
  LC_ALL=C grep -q "$escape" "$out" && Fail "$1: an escape character is printed"
}

# The name of a case is a part of a file's name.
vectors=$TEST_TMPDIR/vectors
Expect 0 "1 case is in" vectors export --dir="$vectors" $small
name=$(basename "$vectors"/*.safetensors .safetensors)
for evil in ../victim /tmp/victim -r .hidden ''; do
  sed "s,$name,$evil," "$vectors/vectors.json" >"$TEST_TMPDIR/vectors.json"
  mkdir -p "$TEST_TMPDIR/evil"
  mv "$TEST_TMPDIR/vectors.json" "$TEST_TMPDIR/evil/vectors.json"
  cp "$vectors/$name.safetensors" "$TEST_TMPDIR/victim.safetensors"
  Expect 2 "cannot be that of a file" vectors answer --impl=reference --dir="$TEST_TMPDIR/evil" --outputs="$TEST_TMPDIR/outputs"
  Expect 2 "cannot be that of a file" vectors verify --dir="$TEST_TMPDIR/evil" --outputs="$TEST_TMPDIR/outputs"
  cmp -s "$vectors/$name.safetensors" "$TEST_TMPDIR/victim.safetensors" || Fail "a case named $evil is written outside"
done

# The program looks for the worker beside itself, not in a folder above nor in one that the environment names.
planted=$TEST_TMPDIR/planted
mkdir -p "$planted/bin" "$planted/conformance/sandbox/worker" "$planted/tandem/conformance/sandbox/worker"
for folder in "$planted" "$planted/tandem"; do
  printf '#!/bin/sh\necho >"%s"\n' "$planted/was_run" >"$folder/conformance/sandbox/worker/tandem_worker"
  chmod +x "$folder/conformance/sandbox/worker/tandem_worker"
done
cp "$tandem" "$planted/bin/tandem"
TEST_SRCDIR=$planted "$planted/bin/tandem" check --report="$report" --impl=reference $small >"$out" 2>&1
# The program does not look for a worker in the current folder either.
(cd "$planted" && bin/tandem check --report="$report" --impl=reference $small >"$out" 2>&1)
cases=$((cases + 1))
[ ! -e "$planted/was_run" ] || Fail "a worker that somebody planted was run"

# A test's own files come before the folder beside the program, which may be that of an older build.
srcdir=$TEST_TMPDIR/srcdir
program=$srcdir/tandem/bin/tandem
mkdir -p "$srcdir/tandem/bin" "$program.runfiles/tandem/tools/package" "$srcdir/tandem/tools/package"
cp "$tandem" "$program"
echo "an older page" >"$program.runfiles/tandem/tools/package/tandem.1"
echo "this test's page" >"$srcdir/tandem/tools/package/tandem.1"
cases=$((cases + 1))
TEST_SRCDIR=$srcdir "$program" help man >"$out" 2>&1
grep -q "this test's page" "$out" || Fail "a test reads the files of an older build"

# Escape sequences come from the command line, batch files, safetensors and reports.
Expect 2 '\x1b[31m' check --report="$report" --impl="$escape[31mred" $small
NoEscape "--impl"
Expect 2 '\x1b' check --report="$report" --impl=reference "--$escape[2J=3" sic3
NoEscape "an option"
echo "--${escape}[2J=1 l1t2mb2sic5" >"$TEST_TMPDIR/batch"
Expect 3 '\x1b[2J' check --report="$report" --impl=reference --batch="$TEST_TMPDIR/batch"
NoEscape "a batch file"
printf '\177ELF\001\000\000 l1\n' >"$TEST_TMPDIR/binary"
Expect 2 '\x7fELF\x01\x00\x00" is no' check --report="$report" --impl=reference --batch="$TEST_TMPDIR/binary"
for gib in foo 0 -1 1x ''; do
  TANDEM_WORKER_GIB=$gib Expect 2 "TANDEM_WORKER_GIB: \"$gib\" is no number above 0" check --report="$report" --impl=reference $small
done
Expect 0 "all conform" check --report="$report" --impl=reference $small
mkdir -p "$TEST_TMPDIR/red"
sed "s/\"implementation\": \"reference\"/\"implementation\": \"\\\\u001b[31mred\"/" "$report/report.json" >"$TEST_TMPDIR/red/report.json"
"$tandem" merge --report="$TEST_TMPDIR/merged" "$TEST_TMPDIR/red" >"$out" 2>&1
grep -qF '\x1b[31mred' "$out" || Fail "merge does not name the implementation"
NoEscape "merge"

# The commands of --install take no package without its hash.
if command -v node >"$out"; then
  for implementation in tfjs onnxruntime; do
    XDG_CACHE_HOME=$TEST_TMPDIR/none Expect 2 "install it with: mkdir -p" check --report="$report" --impl=$implementation $small
    grep -qF "npm ci --ignore-scripts --prefix '$TEST_TMPDIR/none/tandem/npm/" "$out" || Fail "$implementation is installed without hashes"
  done
else
  echo "LEFT OUT: node is not installed"
fi

# Variables with values that mean nothing lead to these exit codes.
TANDEM_TUNING=barrier=soon Expect 2 "TANDEM_TUNING: 'barrier=soon' is no number" check --report="$report" --impl=optimized $small
TANDEM_DIVISION=two Expect 2 "TANDEM_DIVISION" check --report="$report" --impl=optimized $small
TANDEM_IMPL=reference Expect 1 "nothing was timed" bench --impl=optimized --no-check --threads=1 --time=0.001 --rounds=1 $small

# A connection is dropped: SIGHUP ends the run with its reports, and an output that nobody reads does not end it.
rm -rf "$report"
"$tandem" check --report="$report" --impl=reference --tier=full >"$out" 2>&1 &
process=$!
Await Catches $process 1
Await HasGrandchild $process
kill -HUP $process
wait $process
got=$?
cases=$((cases + 1))
[ $got = 129 ] && grep -q SIGHUP "$report/report.json" || Fail "SIGHUP: exit code $got, want 129 and a report"
rm -rf "$report"
cases=$((cases + 1))
"$tandem" check --report="$report" --impl=reference --cases=50 2>&1 | :
[ -e "$report/report.json" ] || Fail "without a reader of its output a run has no report"

Total
