#!/bin/sh
# pages_test.sh TANDEM shows pages in Chromium, from files, without the modules. A reader changes the page of scales and a page
# of `tandem trace`. The others say what they wait for. It looks at light and dark, with the accessibility checker.
set -eu
. tools/own_environment.sh
. web/site/look.sh
HasBrowser || exit 0
site=$TEST_TMPDIR/site
mkdir -p "$site"
cp web/site/*.css web/lesson/tests/pages.* web/lesson/tests/walks.js "$site"
echo "// not built" >"$TEST_TMPDIR/module.js"
/usr/bin/python3 -B web/lesson/tests/frames.py "$site" "$TEST_TMPDIR/module.js"
"$1" trace --html="$site/live/traced.html" --alg=VANILLA_LSTM --prop=BWD_DW l1t4mb1sic3 >/dev/null
"$1" trace --html="$site/live/relu.html" --alg=VANILLA_RNN --activation=RELU --cfg=bf16 --prop=BWD_DW l1t4mb1sic3 >/dev/null
# A tree in which the site was built has the module, for which the browser's virtual time does not wait.
sed -i 's/^globalThis.LESSON_MODULE = .*//' "$site/live/traced.html" "$site/live/relu.html"
failed=0
Browse "file://$site/pages.html" light || failed=1
grep -q ", 0 failed" "$TEST_TMPDIR/found" || failed=1
pages=live/int8.html,live/gates.html,live/train.html,live/traced.html
Look "$site" conformance/cli/look.html light $pages || failed=1
Look "$site" conformance/cli/look.html dark $pages || failed=1
[ $failed = 0 ]
