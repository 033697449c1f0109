#!/bin/sh
# Tandem's version is tandem_version in tools/package/install.sh. Texts that name it, and sonames, agree with it.
set -eu
. tools/tree.sh
failures=0
Wrong() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
version=$(sed -n 's/^tandem_version=//p' tools/package/install.sh)
major=${version%%.*}
echo "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' || Wrong "tandem_version=$version is not MAJOR.MINOR.PATCH"
newest=$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)
[ "$newest" = "$version" ] || Wrong "the newest number of CHANGELOG.md is $newest, not $version"

# Guides and scripts have these names of released files.
SourceFiles '\.(md|sh|py|yml|in|html|js)$|^tandem$' | grep -v '^CHANGELOG.md$' |
  xargs grep -noE '(lib)?tandem(-dev|_rnn|-rnn)?[-_][0-9]+\.[0-9]+\.[0-9]+' /dev/null >"$TEST_TMPDIR/names" || :
[ "$(wc -l <"$TEST_TMPDIR/names")" -ge 5 ] || Wrong "these names are too few to be all: $(cat "$TEST_TMPDIR/names")"
other=$(grep -v "[-_]$version\$" "$TEST_TMPDIR/names") || :
[ -z "$other" ] || Wrong "these names have another version than $version: $other"

# MAJOR is in the sonames and in the versions of the symbols.
SourceFiles '^BUILD$|^tools/package/[a-z_]*\.map$|^python/tandem_rnn/_abi\.py$' |
  xargs grep -noE 'libtandem[a-z_%]*\.so\.[0-9]+|^TANDEM_[A-Z_]*[0-9]+' /dev/null >"$TEST_TMPDIR/majors" || :
[ "$(wc -l <"$TEST_TMPDIR/majors")" -ge 6 ] || Wrong "these are too few to be all sonames: $(cat "$TEST_TMPDIR/majors")"
other=$(grep -v "[._]$major\$" "$TEST_TMPDIR/majors") || :
[ -z "$other" ] || Wrong "these are not of MAJOR $major: $other"
exit $((failures > 0))
