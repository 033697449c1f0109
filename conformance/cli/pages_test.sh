#!/bin/sh
# The pages of check and trace are one file each that loads nothing. A browser shows them light and dark, at 400 px, without a
# complaint of the console or of an accessibility checker. `./tandem test --pages` installs both.
set -u
. conformance/cli/expect.sh
dir=$TEST_TMPDIR/pages
pages=
mkdir -p "$dir"
cp conformance/cli/look.html conformance/cli/look_trace.html "$dir/"

# Holds NAME WORD... expects that the page is there, has the words, and names nothing that would be loaded.
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

# Trace NAME ARGUMENT... writes the page in one file. look_trace.html will compare its texts with the JSON of the same trace.
Trace() {
  name=$1
  shift
  pages=$pages${pages:+,}$name
  printf 'EXPECTED["%s"] = ' "$name" >>"$dir/expected.js"
  "$tandem" trace --html="$dir/$name" --json=- --rows=9 --units=9 "$@" 2>"$TEST_TMPDIR/err" >>"$dir/expected.js" ||
    Fail "trace $*: $(cat "$TEST_TMPDIR/err")"
  # A tree in which the site was built has the module, for which the browser's virtual time does not wait.
  sed -i 's/^globalThis.LESSON_MODULE = .*//' "$dir/$name"
  ! sed 's,http://www.w3.org/2000/svg,,g' "$dir/$name" | grep -n '<script .\|http\|src=\|@import\|url([^#]' ||
    Fail "$name: it loads something"
}

# InBrowser PAGE CHROMIUM_OPTION stores Chromium's page and messages in files, and the page's data-found in `found`.
InBrowser() {
  timeout 240 chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files "$2" \
    --user-data-dir="$TEST_TMPDIR/profile" --enable-logging=stderr --v=0 --virtual-time-budget=100000 \
    --dump-dom "file://$dir/$1" >"$TEST_TMPDIR/dom" 2>"$TEST_TMPDIR/browser.log"
  found=$(sed -n '/.*data-found="/,/"/{s/.*data-found="//;s/".*//;/./p;}' "$TEST_TMPDIR/dom")
  ! grep 'CONSOLE' "$TEST_TMPDIR/browser.log" || Fail "$1: the console complains"
  [ -n "$found" ] || tail -n 5 "$TEST_TMPDIR/browser.log"
}

# Look light|dark CHROMIUM_OPTION: a browser shows all pages and has no complaint.
Look() {
  InBrowser "look.html?scheme=$1&axe=$axe&pages=$pages" "$2"
  [ "$found" = "$(echo "$pages" | tr ',' '\n' | wc -l) pages" ] || Fail "in a $1 browser: $found"
}

# One report has everything that a report can have: an F, heat maps, a link, refusals. The other has only correct problems.
"$tandem" check --report="$dir/wrong" --impl=mutant:PeepholeOldC,conformance/sandbox/broken_plugin.so --alg=VANILLA_LSTM \
  --with-peephole=true l1t12mb2sic40 --prop=BWD_DW 'l2t3mb2sic5n"a <name>"' >"$TEST_TMPDIR/out" 2>&1
TANDEM_BROKEN=refuse "$tandem" check --report="$dir/refused" --impl=reference,conformance/sandbox/broken_plugin.so --cases=8 \
  >"$TEST_TMPDIR/out" 2>&1
Holds wrong/index.html 'class="alarm">does not conform' 'class="card"' 'class="replay"' \
  'Where dst_layer fails' 'Histogram of' 'href="trace-' '<caption>'
Holds refused/index.html 'Nothing was judged' 'Not supported, as declared' 'grade-A'

echo 'globalThis.EXPECTED = {};' >"$dir/expected.js"
Trace trace.html
Trace backward.html --impl=mutant:PeepholeOldC --alg=VANILLA_LSTM --with-peephole=true --prop=BWD_DW --step=1 --unit=1 \
  l1t3mb2sic4
# The second row of the minibatch has a part in each weight's gradient. Its numbers and the tensor's earlier contents are shown.
Trace by_hand.html --alg=VANILLA_GRU --prop=BWD_DW --step=1 l1t3mb2sic3
! grep -q 'LayerOutputSum\|RoundOperand\|StoreCellState' "$dir/by_hand.html" || Fail "by_hand.html: rounding of other problems"
grep -q 'StoreState' "$dir/by_hand.html" || Fail "by_hand.html: no rounding points"
Trace int8.html --alg=VANILLA_GRU --cfg=u8u8u8u8 --direction=sum l2t3mb2sic4
Trace attention.html --alg=LBR_AUGRU --cfg=bf16 --prop=BWD_DW l1t2mb2sic3
Trace lengths.html --alg=VANILLA_LSTM --with-projection=true --lengths=random --direction=concat l1t3mb3sic2slc2dhc3dic2

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
  InBrowser look_trace.html --blink-settings=preferredColorScheme=1
  [ "$found" = "enough numbers" ] || Fail "a trace and its page differ: $found"
else
  echo "LEFT OUT: chromium is not installed: the pages are read, not shown; ./tandem test --pages installs it"
fi
echo "$(echo "$pages" | tr ',' '\n' | wc -l) pages, $failed failed"
[ $failed = 0 ]
