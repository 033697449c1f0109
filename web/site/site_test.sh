#!/bin/sh
# The test makes the site of the guides. Every link of a page leads to a page, nothing is asked of another host, the pages have
# an order, the reference has every public name, and the first page is small, with a cell that follows its weights. A browser
# and an accessibility checker have no complaint, and the search finds first what a reader expects.
set -eu
. tools/own_environment.sh
. tools/tree.sh
. web/site/look.sh
site=$TEST_TMPDIR/site
# No module is run here; its tests are in web/lesson/tests.
echo "// a module" >"$TEST_TMPDIR/module.js"
/usr/bin/python3 -B web/site/site.py --root="$root" --output="$site" --module="$TEST_TMPDIR/module.js"
failed=0
Fail() {
  echo "FAILED: $*"
  failed=1
}
/usr/bin/python3 -B web/site/check.py "$site" "$root" || failed=1
bytes=$(cat "$site/index.html" "$site"/*.css "$site/search.js" "$site/home.js" | wc -c)
[ "$bytes" -lt 100000 ] || Fail "the first page has $bytes bytes"
guides=index.html,docs/index.html,docs/book/introduction.html,docs/equations.html,docs/performance.html,docs/exercises/index.html
Look "$site" conformance/cli/look.html light $guides,api_reference/index.html,api_reference/cpp_memory.html || Fail "light"
Look "$site" conformance/cli/look.html dark \
  index.html,docs/book/backward.html,docs/verdicts/method.html,api_reference/python_tandem_rnn.html || Fail "dark"
LookFor "$site" web/site || Fail "search"
[ $failed = 0 ]
