# ./tandem and the test read this file, after tools/prepare.sh and tools/package/install.sh. It makes npm's package.
# shellcheck shell=sh disable=SC2154

# Npm SOURCE MODULE puts the package with this tandem.wasm into $output and its name into $written.
Npm() {
  umask 022
  command -v npm >/dev/null 2>&1 || Fail "npm is not installed: apt-get install npm"
  stage=$(mktemp -d) || Fail "npm: no temporary directory could be made"
  if cp "$1"/web/package/* "$1/LICENSE" "$1/third_party/NOTICE" "$stage" && cp "$2" "$stage/tandem.wasm" &&
    chmod -R u+w "$stage" && sed "s/VERSION/$tandem_version/" "$1/web/package/package.json" >"$stage/package.json" &&
    mkdir -p "$output" && npm pack --silent --offline --cache "$stage/cache" --pack-destination "$output" "$stage" >"$stage/log" 2>&1; then
    written=$(tail -n 1 "$stage/log")
    rm -rf "$stage"
  else
    cat "$stage/log" >&2
    rm -rf "$stage"
    Fail "npm: the package could not be made"
  fi
}
