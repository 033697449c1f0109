#!/bin/sh
# The pages of check, bench and trace: one file each that loads nothing; in a browser, light and dark, at 400 px, without a
# complaint of the console or of an accessibility checker. `./tandem test --pages` installs both.
set -u
. conformance/cli/expect.sh
dir=$TEST_TMPDIR/pages
pages=
mkdir -p "$dir"
cp conformance/cli/look.html "$dir/"

# Holds NAME WORD...: the page is there, has the words, and names nothing that would be loaded.
Holds() {
  name=$1
  shift
  pages=$pages${pages:+,}$name
  for word in "$@"; do
    grep -q -e "$word" "$dir/$name" || Fail "$name: no $word"
  done
  # Names of namespaces are no addresses that are loaded.
  ! sed 's,http://www.w3.org/2000/svg,,g' "$dir/$name" | grep -n '<script\|http\|src=\|@import\|url([^#]' ||
    Fail "$name: it loads something"
  ! grep -n '[= >]nan[< ]\|undefined' "$dir/$name" || Fail "$name: a number is missing"
}

# Trace NAME ARGUMENT...
Trace() {
  name=$1
  shift
  "$tandem" trace --html="$dir/$name" "$@" 2>"$TEST_TMPDIR/err" || Fail "trace $*: $(cat "$TEST_TMPDIR/err")"
  Holds "$name" '<h2>The cell' 'class=cell' 'accepted interval of dst\|accepted interval of diff' 'StoreState'
  [ "$(grep -o "<math>" "$dir/$name" | wc -l)" -ge 12 ] || Fail "$name: too few formulas"
  for target in $(sed -n 's/.*<a href="#\([^"]*\)".*/\1/p' "$dir/$name"); do
    grep -q "id=\"$target\"" "$dir/$name" || Fail "$name: no $target, to which it links"
  done
}

# What a browser says of all pages. Look light|dark CHROMIUM_OPTION
Look() {
  log=$TEST_TMPDIR/browser.log
  timeout 240 chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files "$2" \
    --user-data-dir="$TEST_TMPDIR/profile" --enable-logging=stderr --v=0 --virtual-time-budget=100000 \
    --dump-dom "file://$dir/look.html?scheme=$1&axe=$axe&pages=$pages" >"$TEST_TMPDIR/dom" 2>"$log"
  sed -n '/.*data-found="/,/"/{s/.*data-found="//;s/".*//;/./p;}' "$TEST_TMPDIR/dom" >"$TEST_TMPDIR/found"
  [ "$(cat "$TEST_TMPDIR/found")" = "$(echo "$pages" | tr ',' '\n' | wc -l) pages" ] || {
    Fail "in a $1 browser: $(cat "$TEST_TMPDIR/found")"
    [ -s "$TEST_TMPDIR/found" ] || tail -n 5 "$log"
  }
  ! grep 'CONSOLE' "$log" || Fail "in a $1 browser: the console complains"
}

# A report with all that a report can have: an F, heat maps, a link, refusals; and one of nothing but what is right.
"$tandem" check --report="$dir/wrong" --impl=mutant:PeepholeOldC,conformance/sandbox/broken_plugin.so --alg=VANILLA_LSTM \
  --with-peephole=true l1t12mb2sic40 --prop=BWD_DW 'l2t3mb2sic5n"a <name>"' >"$TEST_TMPDIR/out" 2>&1
TANDEM_BROKEN=refuse "$tandem" check --report="$dir/refused" --impl=reference,conformance/sandbox/broken_plugin.so --cases=8 \
  >"$TEST_TMPDIR/out" 2>&1
Holds wrong/index.html 'class="alarm">does not conform' 'Where dst_layer fails' 'Histogram of' 'href="trace-' '<caption>'
Holds refused/index.html 'Not supported, as declared' 'grade-A'
"$tandem" bench --html="$dir/bench.html" --time=0.001 --rounds=1 --threads=1 --impl=optimized,reference \
  l1t2mb2sic5 --alg=VANILLA_GRU l1t4mb8sic32 >"$TEST_TMPDIR/out" 2>&1 || Fail "bench: $(cat "$TEST_TMPDIR/out")"
Holds bench.html '<circle' 'aria-label="Roofline: 4 points"' 'class="bar p1"'

Trace trace.html
Trace backward.html --impl=mutant:PeepholeOldC --alg=VANILLA_LSTM --with-peephole=true --prop=BWD_DW --step=1 --unit=1 \
  l1t3mb2sic4
# The second row of the minibatch has a part in each weight's gradient: its numbers, and what the tensor held, are shown.
Trace by_hand.html --alg=VANILLA_GRU --prop=BWD_DW --step=1 l1t3mb2sic3
for words in 'the tensor held before' 'all units and rows' 'h of <a href="#forward-l0-d0-t0">' 'polyline.*q-u' '1: reference' \
  '<th scope=col>|dh|' 'dU_o (diff_weights_iter, gate o): row = unit, column = input' 'dh. comes from <a href="#backward' \
  'all units and rows</summary>.*, all units and rows</summary>' '<a href="#diff_dst_layer' 'id="diff_src_layer"' \
  'not vanish.*--loss=last' '<tr id="GRU.B7">' 'num.StoreState(<span class="q-r">r</span> . <span class="q-h">h_prev</span>)'; do
  grep -q -e "$words" "$dir/by_hand.html" || Fail "by_hand.html: no $words"
done
! grep -q 'LayerOutputSum\|RoundOperand\|StoreCellState' "$dir/by_hand.html" || Fail "by_hand.html: rounding of other problems"
grep -q 'class="out"' "$dir/backward.html" || Fail "no output of the mutant lies outside"
Trace int8.html --alg=VANILLA_GRU --cfg=u8u8u8u8 --direction=sum l2t3mb2sic4
Trace attention.html --alg=LBR_AUGRU --cfg=bf16 --prop=BWD_DW l1t2mb2sic3

# Bazel sets HOME to a folder of its own.
axe=${XDG_CACHE_HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)/.cache}/tandem/axe/node_modules/axe-core/axe.min.js
[ -r "$axe" ] || {
  axe=
  echo "LEFT OUT: axe-core is not installed: no accessibility checker looks at the pages; ./tandem test --pages installs it"
}
export HOME="$TEST_TMPDIR"
if command -v chromium >/dev/null 2>&1; then
  Look light --blink-settings=preferredColorScheme=1
  Look dark --blink-settings=preferredColorScheme=0
else
  echo "LEFT OUT: chromium is not installed: the pages are read, not shown; ./tandem test --pages installs it"
fi
echo "$(echo "$pages" | tr ',' '\n' | wc -l) pages, $failed failed"
[ $failed = 0 ]
