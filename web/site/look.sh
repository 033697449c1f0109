# Tests read this file. A browser shows the pages of a site, light and dark, at 400 px; axe-core looks at them; and the search
# is tried. `./tandem test --pages` installs both. It needs TEST_TMPDIR.
# shellcheck shell=sh

# Browse ADDRESS light|dark writes the page's data-found to TEST_TMPDIR/found and prints it. Bazel sets an own HOME.
Browse() {
  [ "$2" = dark ] && scheme=0 || scheme=1
  HOME=$TEST_TMPDIR timeout 240 chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files \
    --blink-settings=preferredColorScheme=$scheme --user-data-dir="$TEST_TMPDIR/profile" --enable-logging=stderr --v=0 \
    --virtual-time-budget=100000 --dump-dom "$1" >"$TEST_TMPDIR/dom" 2>"$TEST_TMPDIR/browser.log"
  sed -n '/.*data-found="/,/"/{s/.*data-found="//;s/".*//;/./p;}' "$TEST_TMPDIR/dom" >"$TEST_TMPDIR/found"
  cat "$TEST_TMPDIR/found"
  ! grep CONSOLE "$TEST_TMPDIR/browser.log"
}

HasBrowser() {
  command -v chromium >/dev/null 2>&1 && return
  echo "LEFT OUT: chromium is not installed: the pages are read, not shown; ./tandem test --pages installs it"
  return 1
}

# Look SITE LOOK_HTML light|dark PAGE,PAGE returns 0 if nothing is wrong.
Look() {
  HasBrowser || return 0
  axe=${XDG_CACHE_HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)/.cache}/tandem/axe/node_modules/axe-core/axe.min.js
  [ -r "$axe" ] || {
    axe=
    echo "LEFT OUT: axe-core is not installed: no accessibility checker looks at the pages; ./tandem test --pages installs it"
  }
  cp "$2" "$1/look.html"
  Browse "file://$1/look.html?scheme=$3&own=file://$1/&axe=$axe&pages=$4" "$3" || return 1
  rm "$1/look.html"
  [ "$(cat "$TEST_TMPDIR/found")" = "$(echo "$4" | tr ',' '\n' | wc -l) pages" ]
}

# LookFor SITE FOLDER returns 0 if the search of the site finds the addresses of search_test.js of the folder.
LookFor() {
  HasBrowser || return 0
  cp "$2/search_test.html" "$2/search_test.js" "$1/"
  Browse "file://$1/search_test.html" light || return 1
  rm "$1/search_test.html" "$1/search_test.js"
  [ "$(grep -v "^LEFT OUT: " "$TEST_TMPDIR/found")" = "$(grep -c '^  \[' "$2/search_test.js") queries" ]
}
