# Sourced by tests: what a browser says of the pages of a site, light and dark, at 400 px, and what axe-core says.
# `./tandem test --pages` installs both. Needs TEST_TMPDIR.
# shellcheck shell=sh

# Look SITE LOOK_HTML light|dark PAGE,PAGE: 0 if nothing is wrong. Bazel sets HOME to a folder of its own.
Look() {
  command -v chromium >/dev/null 2>&1 || {
    echo "LEFT OUT: chromium is not installed: the pages are read, not shown; ./tandem test --pages installs it"
    return 0
  }
  axe=${XDG_CACHE_HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)/.cache}/tandem/axe/node_modules/axe-core/axe.min.js
  [ -r "$axe" ] || {
    axe=
    echo "LEFT OUT: axe-core is not installed: no accessibility checker looks at the pages; ./tandem test --pages installs it"
  }
  cp "$2" "$1/look.html"
  [ "$3" = dark ] && scheme=0 || scheme=1
  HOME=$TEST_TMPDIR timeout 240 chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files \
    --blink-settings=preferredColorScheme=$scheme --user-data-dir="$TEST_TMPDIR/profile" --enable-logging=stderr --v=0 \
    --virtual-time-budget=100000 --dump-dom "file://$1/look.html?scheme=$3&own=file://$1/&axe=$axe&pages=$4" \
    >"$TEST_TMPDIR/dom" 2>"$TEST_TMPDIR/browser.log"
  rm "$1/look.html"
  sed -n '/.*data-found="/,/"/{s/.*data-found="//;s/".*//;/./p;}' "$TEST_TMPDIR/dom" >"$TEST_TMPDIR/found"
  cat "$TEST_TMPDIR/found"
  ! grep CONSOLE "$TEST_TMPDIR/browser.log" || return 1
  [ "$(cat "$TEST_TMPDIR/found")" = "$(echo "$4" | tr ',' '\n' | wc -l) pages" ]
}
