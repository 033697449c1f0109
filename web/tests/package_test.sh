#!/bin/sh
# package_test.sh MODULE makes the package and installs it from its file. Its checks pass in node and in Chromium; nothing is
# downloaded. (node runs the module: TANDEM_EMULATOR is not needed.)
set -eu
. tools/own_environment.sh
. tools/prepare.sh
. tools/package/install.sh
. tools/package/npm.sh
export HOME="$TEST_TMPDIR"
output=$TEST_TMPDIR/packages
app=$TEST_TMPDIR/app
mkdir -p "$app"
Npm . "$1"
bytes=$(gzip -9 <"$1" | wc -c)
echo "$written: the module has $(wc -c <"$1") bytes, $bytes with gzip"
[ "$bytes" -le 375000 ] || {
  echo "FAILED: more than 375000 bytes"
  exit 1
}
cp -rL web/tests/*.mjs web/tests/*.html web/tests/*.ts api/tests/network/golden "$app"
cd "$app"
echo '{"type": "module"}' >package.json
npm install --silent --offline --ignore-scripts --no-audit --no-fund --cache "$TEST_TMPDIR/cache" "$output/$written"
node in_node.mjs
if command -v tsc >/dev/null 2>&1; then
  # The types are checked with the declarations of browsers, and without.
  for libraries in es2022,dom es2022; do
    tsc --noEmit --strict --target es2022 --lib $libraries --module nodenext --moduleResolution nodenext types.ts
  done
  echo "types: checked"
else
  echo "LEFT OUT: tsc is not installed: index.d.ts is not checked"
fi
if command -v chromium >/dev/null 2>&1; then
  node in_browser.mjs "$TEST_TMPDIR/profile" checks.html
else
  echo "LEFT OUT: chromium is not installed: the package runs in node only; ./tandem test --pages installs it"
fi
