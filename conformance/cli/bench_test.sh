#!/bin/sh
# The test holds `tandem bench` to what it does and refuses. No figure is judged, because machines differ.
set -u
. conformance/cli/expect.sh
match=-E

Bench() {
  code=$1
  text=$2
  shift 2
  Expect "$code" "$text" bench --time=0.001 --rounds=1 --threads=1 "$@"
}

small="--alg=VANILLA_LSTM l1t2mb2sic5"
Bench 0 "^  optimized +1 thr +min +[0-9.]+ us +median +[0-9.]+ us .*ratio +1.00$" --impl=optimized $small
Bench 0 "^  onednn +1 thr .* ratio +[0-9.]+( disturbed)?$" $small
Bench 0 "^against onednn: geometric mean [0-9.]+, worst [0-9.]+, 1 problems(, 1 of them disturbed)?; at the bound it would be [0-9.]+$" $small
# The ratio of several rounds has an interval.
Expect 0 "^  reference +1 thr .* ratio +[0-9.]+ \([0-9.]+ to [0-9.]+\)( disturbed)?$" bench --time=0.003 --rounds=3 --threads=1 \
  --impl=optimized,reference $small
Bench 0 "^  reference +1 thr .*GFLOP/s" --impl=optimized,reference --alg=VANILLA_GRU --prop=BWD_DW l1t2mb2sic5
Bench 0 '^problem,implementation,threads,min_us,median_us,gflops,peak_share.*,ratio_low,ratio_high,disturbed$' --csv --impl=optimized $small
Bench 0 "^  live cells 50.0 %: operations are counted of these$" --impl=reference --lengths=ones $small
Bench 0 '^"--alg=VANILLA_LSTM --lengths=ones [^"]*",reference,1,.*,0.5000,1.0000,1.0000,0$' --csv --impl=reference --lengths=ones $small
Bench 0 '^"--alg=VANILLA_LSTM l1t2mb2sic5[^"]*",optimized,1,[0-9.]+,[0-9.]+,' --csv --impl=optimized $small
Bench 0 '^"--alg=VANILLA_LSTM l1t2mb2sic5[^"]*n""a, b""",optimized,1,' --csv --impl=optimized \
  --alg=VANILLA_LSTM 'l1t2mb2sic5n"a, b"'
Bench 0 "% of bound \((arithmetic|weights)\)" --impl=optimized $small
Bench 0 "^measured on 1 thread: f32 [0-9.]+ GFLOP/s, bf16 [0-9.]+ GFLOP/s, u8 x s8 [0-9.]+ GOP/s" --impl=optimized $small
# A problem that a peer does not serve has a row that says so.
Bench 0 "^  onednn +1 thr +(min|not timed: )" --alg=VANILLA_GRU --absent=bias l1t2mb2sic5

# oneDNN 2.6 refuses f16 on any CPU. Without a figure of the first implementation there is no ratio.
Bench 0 "^  optimized +1 thr .* ratio +-?nan$" --impl=onednn,optimized --alg=VANILLA_GRU --cfg=f16f32 l1t2mb2sic5

# An implementation with wrong results is not timed.
Bench 1 "FAIL: --alg=VANILLA_LSTM" --impl=conformance/sandbox/broken_timed_plugin.so $small
Bench 1 "^not timed: the results are wrong" --impl=conformance/sandbox/broken_timed_plugin.so $small
Bench 2 "exports no tandem_get_timing" --no-check --impl=conformance/sandbox/broken_plugin.so $small
# A peer with wrong results is timed, but one that crashes in its worker process is never loaded into this one.
Bench 0 "^  [^ ]*broken_timed_plugin.so +1 thr " --impl=reference,conformance/sandbox/broken_timed_plugin.so $small
TANDEM_BROKEN=crash
export TANDEM_BROKEN
Bench 1 "^not timed: the results are wrong" --impl=reference,conformance/sandbox/broken_timed_plugin.so $small
unset TANDEM_BROKEN
Bench 2 "no implementation \"vendor\"" --impl=vendor $small
Bench 2 "options but no problem" --alg=LBR_GRU
Bench 2 "threads" --threads=0 $small

# Single calls are timed, those of streams first.
Bench 0 "^  streams +[0-9]+ ns a call  p50 [0-9]+  p99.9 [0-9]+  p99.99 [0-9]+  [0-9.]+ M rows a second  1.00 x" --stream \
  --impl=streams,reference --alg=VANILLA_LSTM l1t1mb2sic5
Bench 0 "^  streams +not timed: streams serve left2right only" --stream --impl=streams,reference --direction=concat \
  --alg=VANILLA_LSTM l1t1mb1sic5
Bench 2 "no implementation \"vendor\"" --stream --impl=vendor

# Without a problem, the table of networks is read before the implementation's name: this error says that it can be read.
Bench 2 "no implementation \"vendor\"" --impl=vendor

# One number is tuned in a moment. The result depends on the machine, but there must be one.
rm -f "$TEST_TMPDIR/tuning"
Expect 0 "^chunk_rows .* 512: [0-9.]+; (stays|becomes [0-9]+, again [0-9.]+)$" tune --number=chunk_rows --time=0.001 --rounds=1 \
  --output="$TEST_TMPDIR/tuning"
grep -qE '^target=[A-Z0-9_]+(,chunk_rows=[0-9]+)?$' "$TEST_TMPDIR/tuning" || Fail "no numbers in the file"
TANDEM_TUNING="$(cat "$TEST_TMPDIR/tuning")" Bench 0 "^  optimized +1 thr " --impl=optimized $small
TANDEM_TUNING=chunk_rows=0 Expect 2 "TANDEM_TUNING: 'chunk_rows=0' is not from 1 to 65536" tune --number=chunk_rows
Expect 2 "the numbers are chunk_rows, resident_l2" tune --number=rows
Expect 2 "cannot write" tune --output=/nonexistent/tuning

Total
