#!/bin/sh
# student_test.sh MODULE REFERENCE_JS TANDEM LIBRARY shows the live pages in Chromium, from files. A student's acts give the
# numbers of `tandem trace`. An accessibility checker has no complaint, light and dark, at 400 px.
set -eu
. tools/own_environment.sh
runfiles=$(pwd -P)
. tools/tree.sh
site=$TEST_TMPDIR/site
/usr/bin/python3 -B web/site/site.py --root="$root" --output="$site" --module="$runfiles/$2" --library="$runfiles/$4"
/usr/bin/python3 -B web/site/check.py "$site" "$root"
node web/lesson/tests/trainer.mjs "$runfiles/$4"
node web/lesson/tests/expected.mjs "$runfiles/$1" "$runfiles/$3" "$TEST_TMPDIR"
command -v chromium >/dev/null 2>&1 || {
  echo "FAILED: chromium is not installed: ./tandem test --pages installs it"
  exit 1
}
axe=${XDG_CACHE_HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)/.cache}/tandem/axe/node_modules/axe-core/axe.min.js
cp web/lesson/tests/student.* web/lesson/tests/claims.js web/lesson/tests/walks.js web/lesson/tests/details.js "$TEST_TMPDIR/expected.js" "$site"
[ ! -r "$axe" ] || cp "$axe" "$site/axe.js"
status=0
# See CHROMIUM_OPTION [QUERY] runs the student.
See() {
  HOME=$TEST_TMPDIR node web/tests/in_browser.mjs "$TEST_TMPDIR/profile" "file://$site/student.html${2:-}" \
    --allow-file-access-from-files "$1" || status=1
}
See --blink-settings=preferredColorScheme=1
See --blink-settings=preferredColorScheme=0 "?only=look"
exit $status
