#!/bin/sh
# A trace page is one file that loads nothing, and a browser shows it at 400 px without a complaint.
set -u
tandem=conformance/cli/tandem
page=$TEST_TMPDIR/page.html
failed=0
Fail() {
  echo "FAILED: $*"
  failed=1
}

# Measures the page in a frame of 400 px: a script in the page's own place would have to be in the page.
cat >"$TEST_TMPDIR/measure.html" <<'MEASURE'
<!DOCTYPE html><title>measure</title><body><iframe src="page.html" width="400" height="800" style="border:0"></iframe>
<script>
function luminance(color) {
  const parts = color.match(/[\d.]+/g).slice(0, 3).map(x => x / 255).map(x => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
onload = () => {
  const page = document.querySelector('iframe').contentDocument, found = [];
  const say = what => found.push(what);
  if (page.documentElement.scrollWidth > 400) say('it is ' + page.documentElement.scrollWidth + ' px wide');
  for (const image of page.querySelectorAll('svg[role=img]')) {
    if (!image.getAttribute('aria-label') && !image.getAttribute('aria-labelledby')) say('a picture without a name');
  }
  const background = luminance(getComputedStyle(page.body).backgroundColor);
  for (const element of page.querySelectorAll('p,th,td,h1,h2,h3,code,b,strong,figcaption,small')) {
    const style = getComputedStyle(element), text = luminance(style.color);
    const contrast = (Math.max(text, background) + 0.05) / (Math.min(text, background) + 0.05);
    if (contrast < 4.5) say(element.tagName + ' has a contrast of ' + contrast);
    if (parseFloat(style.fontSize) < 12) say(element.tagName + ' has letters of ' + style.fontSize);
  }
  if (page.querySelectorAll('math').length < 20) say('too few formulas');
  if (page.querySelectorAll('main,h1,html[lang],head > title').length !== 4) say('no main, h1, language or title');
  document.body.dataset.found = found.length ? found.join('; ') : 'nothing';
};
</script>
MEASURE

Browse() {
  log=$TEST_TMPDIR/browser.log
  timeout 120 chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files \
    --user-data-dir="$TEST_TMPDIR/profile" --enable-logging=stderr --v=0 --virtual-time-budget=5000 \
    --dump-dom "file://$TEST_TMPDIR/measure.html" >"$TEST_TMPDIR/dom" 2>"$log"
  found=$(sed -n 's/.*data-found="\([^"]*\)".*/\1/p' "$TEST_TMPDIR/dom")
  [ "$found" = nothing ] || Fail "$*: in the browser: ${found:-it did not answer}"
  ! grep 'CONSOLE' "$log" || Fail "$*: the browser complains"
}

# Page PROBLEM...: writes a page and looks at it.
Page() {
  "$tandem" trace --html="$page" "$@" 2>"$TEST_TMPDIR/err" || Fail "trace $*: $(cat "$TEST_TMPDIR/err")"
  for word in '<h2>The cell' 'class=cell><svg' '<math>' 'accepted interval of dst\|accepted interval of diff' 'StoreState'; do
    grep -q "$word" "$page" || Fail "trace $*: no $word"
  done
  # Names of namespaces are no addresses that are loaded.
  ! sed 's,http://www.w3.org/2000/svg,,g' "$page" | grep -n '<script\|http\|src=\|@import\|url([^#]' || Fail "trace $*: it loads something"
  ! grep -n '[= >]nan\|undefined' "$page" || Fail "trace $*: a number is missing"
  [ "$browser" = no ] || Browse "$@"
}

browser=yes
command -v chromium >/dev/null 2>&1 || {
  browser=no
  echo "LEFT OUT: chromium is not installed: the page is read, not shown"
}
export HOME="$TEST_TMPDIR"
Page
Page --impl=mutant:PeepholeOldC --alg=VANILLA_LSTM --with-peephole=true --prop=BWD_DW --step=1 --unit=1 l1t3mb2sic4
grep -q 'class="out"' "$page" || Fail "no output of the mutant lies outside"
Page --alg=VANILLA_GRU --cfg=u8u8u8u8 --direction=sum l2t3mb2sic4
Page --alg=LBR_AUGRU --cfg=bf16 --prop=BWD_DW l1t2mb2sic3
exit $failed
