#!/bin/sh
# The site of the guides: every link of a page leads to a page, nothing is asked of another host, the first page is small, and a
# browser and an accessibility checker have no complaint.
set -eu
. tools/own_environment.sh
. tools/tree.sh
. web/site/look.sh
site=$TEST_TMPDIR/site
/usr/bin/python3 -B web/site/site.py --root="$root" --out="$site"
failed=0
Fail() {
  echo "FAILED: $*"
  failed=1
}
/usr/bin/python3 -B web/site/check.py "$site" || failed=1
bytes=$(cat "$site/index.html" "$site/site.css" "$site/search.js" | wc -c)
[ "$bytes" -lt 100000 ] || Fail "the first page has $bytes bytes"
Look "$site" conformance/cli/look.html light \
  index.html,docs/index.html,docs/book/cells.html,docs/equations.html,docs/performance.html,docs/exercises/index.html || Fail "light"
Look "$site" conformance/cli/look.html dark index.html,docs/book/backward.html,docs/verdicts/method.html || Fail "dark"
[ $failed = 0 ]
