#!/bin/sh
# Runs the launcher with stand-ins for dpkg-query, apt-get, id and bazel, which
# record how they are called, so that no claim depends on this machine's state.
set -eu
dir=$TEST_TMPDIR
bin=$dir/bin
failures=0
mkdir -p "$bin" "$dir/home/.cache/tandem/distdir"
export HOME="$dir/home" PATH="$bin:$PATH"
unset XDG_CACHE_HOME
echo archive >"$HOME/.cache/tandem/distdir/1.2.0.tar.gz"

# StandIn NAME BODY makes a stand-in.
StandIn() {
  printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n%s\n' "$1" "$dir" "$2" >"$bin/$1"
  chmod +x "$bin/$1"
}

# Run ARGUMENT... fills out, err, calls and exit_code.
Run() {
  : >"$dir/calls"
  exit_code=0
  ./tandem "$@" >"$dir/out" 2>"$dir/err" </dev/null || exit_code=$?
}

# Claim TEXT COMMAND...: the command must succeed.
Claim() {
  text=$1
  shift
  if "$@"; then
    echo "ok: $text"
  else
    echo "FAILED: $text (exit code of the launcher: $exit_code)"
    cat "$dir/out" "$dir/err" "$dir/calls"
    failures=$((failures + 1))
  fi
}

# Installed LIST... prints the output of dpkg-query if the lists' packages are installed.
Installed() { sed -e 's/#.*//' -e '/^$/d' -e 's/^/ii  /' "$@"; }
Installed tools/packages.txt tools/*.packages >"$dir/all_installed"
Installed tools/packages.txt >"$dir/build_installed"
grep -v -e libcli11-dev -e cmake "$dir/all_installed" >"$dir/two_missing"
StandIn bazel 'exit 0'
StandIn apt-get 'exit 0'
StandIn id 'echo 0'
StandIn dpkg-query "cat '$dir/all_installed'"

Run frobnicate
Claim "an unknown command exits with 2" test $exit_code = 2
# Has FILE WORD...: each word stands in the file.
Has() {
  file=$1
  shift
  for word in "$@"; do
    grep -qw -e "$word" "$file" || { echo "no $word"; return 1; }
  done
}
# These are the commands that the script runs, and those of the program.
commands=$(sed -n -e '/^case \$word in/,/^esac/s/^  \([a-z][a-z |-]*\))$/\1/p' \
  -e '/^IsOfProgram/,/^}/s/^    \([a-z][a-z |]*\)) ;;$/\1/p' tandem | tr '|' ' ' | sed -e 's/--*[a-z]*//g' -e 's/version//')
Claim "the script has commands" test "$(echo "$commands" | wc -w)" -ge 18
# shellcheck disable=SC2086  # one word per command
Claim "an unknown command lists every command" Has "$dir/err" $commands
Claim "an unknown command installs and builds nothing" test ! -s "$dir/calls"
Run
Claim "no command at all exits with 2" test $exit_code = 2
Run help
Claim "help exits with 0" test $exit_code = 0
Claim "help names the commands" grep -q "merge REPORT.*parts" "$dir/out"
Claim "help fits on a terminal" sh -c "! grep -q .\\{81\\} '$dir/out'"
Run help nonsense
Claim "help with an unknown command exits with 2" test $exit_code = 2
# shellcheck disable=SC2086
Claim "help with an unknown command lists every command" Has "$dir/err" $commands
Claim "help with an unknown command builds nothing" test ! -s "$dir/calls"
for words in "help site" "site --help" "site --output=there -h"; do
  # shellcheck disable=SC2086
  Run $words
  Claim "$words is the site's part of the help" sh -c "grep -q '^  site --output=DIR' '$dir/out' && ! grep -q npm '$dir/out'"
  Claim "$words exits with 0 and builds nothing" sh -c "test $exit_code = 0 && test ! -s '$dir/calls'"
done
Run help test
Claim "help test has both forms of test" sh -c "grep -q -e --pages '$dir/out' && grep -q -e 'test --all' '$dir/out'"

StandIn bazel 'exit 9'
for topic in problem man bash check vectors; do
  Run help $topic
  Claim "help $topic asks the program" grep -q '^bazel build .*//conformance/cli:tandem' "$dir/calls"
done
StandIn bazel 'exit 0'

Run install
Claim "install without a prefix exits with 2" test $exit_code = 2
Run install --prefx=there
Claim "install names the argument it does not know" grep -q -- '--prefx=there' "$dir/err"
Run install --prefix=there --reading=mine
Claim "install lists the readings" grep -q "reading=mine.*spec and onednn" "$dir/err"
StandIn bazel 'exit 9'
Run install --prefix=there --reading=onednn
Claim "install builds the reading that was asked for" grep -q '^bazel build .*//:onednn/package' "$dir/calls"
Run install --prefix=there
Claim "install builds the reading spec by default" grep -q '^bazel build .*//:package' "$dir/calls"
Run package --outptu=there
Claim "package names the argument it does not know" grep -q -- '--outptu=there.*--output=DIR' "$dir/err"
Claim "package builds nothing then" test ! -s "$dir/calls"
Run package --output=there
Claim "package builds the library and the judge" grep -q '^bazel build .*//:package //:judge' "$dir/calls"
Run wheel --outptu=there
Claim "wheel names the argument it does not know" grep -q -- '--outptu=there.*--output=DIR' "$dir/err"
Run wheel --quick --outptu=there
Claim "and so does a quick wheel" grep -q -- '--outptu=there.*--output=DIR' "$dir/err"
Run npm --outptu=there
Claim "npm names the argument it does not know" grep -q -- '--outptu=there.*--output=DIR' "$dir/err"
Run site --outptu=there
Claim "site names the option that it needs" grep -q -- '--output=DIR' "$dir/err"
Claim "site builds nothing then" test ! -s "$dir/calls"
Run release
Claim "release names the option that it needs" grep -q -- '--output=DIR' "$dir/err"
Run release --arch=aarch64 --output=there
Claim "release is for all processors" grep -q 'files of all processors' "$dir/err"
Claim "release builds nothing then" test ! -s "$dir/calls"
Run wheel --arch=aarch64 --output=there
Claim "wheel builds for another processor" grep -q '^bazel build .*--config=aarch64.*//:libtandem.so' "$dir/calls"
Run wheel --output=there
Claim "wheel builds the library and the judge's program" grep -q '^bazel build .*//:libtandem.so //conformance/cli:tandem$' "$dir/calls"
Run wheel --output=there --quick
Claim "a quick wheel asks for the processor's targets first" grep -q '^bazel build .*//tools:highway_targets$' "$dir/calls"
Claim "and builds no program of the judge" sh -c "! grep conformance '$dir/calls'"
StandIn bazel 'exit 0'
Run --version
Claim "--version prints the version" grep -qx 'tandem [0-9]*\.[0-9]*\.[0-9]*' "$dir/out"
Claim "--version installs and builds nothing" test ! -s "$dir/calls"
: >"$dir/file"
XDG_CACHE_HOME="$dir/file" Run test
Claim "a cache that cannot be written is one sentence with its remedy" \
  grep -qx "tandem: $dir/file/tandem cannot be written; set XDG_CACHE_HOME to a directory that can" "$dir/err"
Claim "a cache that cannot be written exits with 2" test $exit_code = 2
Run fuzz no_such_target
Claim "an unknown fuzz target exits with 2" test $exit_code = 2

Run test
Claim "a prepared machine calls no apt-get" sh -c "! grep -q ^apt-get '$dir/calls'"
Claim "test runs every target, but for those that only CI runs" \
  grep -q '^bazel test .*--build_tests_only --test_tag_filters=-extra //\.\.\. *$' "$dir/calls"
Run test --test_tag_filters=extra
Claim "another filter counts more than the launcher's" \
  grep -q -e '--test_tag_filters=-extra --test_tag_filters=extra //\.\.\. *$' "$dir/calls"
Run test --config=asan //api:one
Claim "options and targets reach Bazel" grep -q -e '--config=asan //api:one *$' "$dir/calls"
Claim "a test that is named runs, whatever its tag" sh -c "! grep -q test_tag_filters '$dir/calls'"
TANDEM_OUTPUT_USER_ROOT=/elsewhere Run test
Claim "the output root is a startup option" \
  grep -q '^bazel --output_user_root=/elsewhere test' "$dir/calls"
StandIn bazel 'exit 37'
Run test
Claim "Bazel's exit code is the launcher's" test $exit_code = 37
Claim "the last line counts even then" \
  test "$(tail -n 1 "$dir/out")" = "0 passed, 1 failed, 0 skipped"

# The adapter has no library until npm has run.
StandIn node "[ -e '$dir/installed' ] || { echo 'x is missing; install it with: npm install --prefix there x' >&2; exit 2; }"
StandIn npm "touch '$dir/installed'"
StandIn bazel 'exit 9'
Run check --impl=tfjs l1t1mb1sic4
Claim "without --install nothing is installed" sh -c "! grep -q ^npm '$dir/calls'"
Run check --install --impl=optimized,tfjs l1t1mb1sic4
Claim "--install runs the adapter's command" grep -qx 'npm install --prefix there x' "$dir/calls"
Claim "--install says what it does" grep -qx 'tandem: tfjs: npm install --prefix there x' "$dir/err"
Claim "--install goes on with the build" grep -q '^bazel build' "$dir/calls"
Run bench --impl tfjs --install
Claim "--install does not install twice" sh -c "! grep -q ^npm '$dir/calls'"
Claim "--install says that the library is there" grep -qx 'tandem: tfjs is installed' "$dir/err"
rm "$dir/installed"
StandIn npm 'echo no network >&2; exit 1'
Run check --install --impl=tfjs
Claim "a failed --install exits with 2" test $exit_code = 2
Claim "a failed --install quotes the reason" grep -q 'no network' "$dir/err"
Claim "after a failed --install nothing is built" sh -c "! grep -q ^bazel '$dir/calls'"

# The tests of pages need these. node and npm are stand-ins still; with one for chromium, none is installed.
StandIn bazel 'exit 9'
StandIn chromium 'exit 0'
axe=$HOME/.cache/tandem/axe/node_modules/axe-core
StandIn npm "mkdir -p '$axe' && echo x >'$axe/axe.min.js'"
Run test //x:y
Claim "without --pages nothing is installed" sh -c "! grep -q ^npm '$dir/calls'"
Run test --pages //x:y
Claim "--pages installs the checker" grep -q '^npm ci --ignore-scripts .*/axe$' "$dir/calls"
Run test --windows //x:y
Claim "--windows is no option of Bazel" sh -c "grep '^bazel test .*//x:y' '$dir/calls' | grep -vq -e --windows"
# Pinned LOCK: each package that npm would install there has a hash.
Pinned() {
  [ "$(grep -c '"version": ' "$1")" -ge 1 ] &&
    [ "$(grep -c '"version": ' "$1")" = "$(grep -c '"integrity": "sha512-' "$1")" ]
}
Claim "each package that it installs has a hash" Pinned "$HOME/.cache/tandem/axe/package-lock.json"
for lock in conformance/plugins/npm/*/package-lock.json; do
  Claim "each package of $lock has a hash" Pinned "$lock"
done
Claim "--pages is no option of Bazel" sh -c "grep '^bazel test .*//x:y' '$dir/calls' | grep -vq -e --pages"
Run test --pages //x:y
Claim "--pages does not install twice" sh -c "! grep -q ^npm '$dir/calls'"
StandIn dpkg-query 'exit 0'
: >"$dir/installed"
StandIn npm 'echo x >ricky0123-vad-web-0.0.24.tgz'
Run test --speech //x:y
Claim "--speech gets a model" grep -q '^npm pack .*vad-web@0' "$dir/calls"
Claim "a model with another hash exits with 2" test $exit_code = 2

# One stage ends with Bazel's error. The stage with the wrong model ends before Bazel.
StandIn dpkg 'case $1 in --print-architecture) echo amd64 ;; esac'
StandIn bazel 'case $* in *=s390x*) exit 3 ;; esac'
Run test --all
Claim "test --all is a failure if a stage is" test $exit_code = 1
Claim "its last line counts what failed in all stages" test "$(tail -n 1 "$dir/out")" = "0 passed, 2 failed, 0 skipped"
Claim "a stage that ended without its totals has its name" \
  grep -q '^FAILED: "PyTorch, .*" ended without its totals$' "$dir/out"
Claim "the stage that failed has its totals, and its time" \
  grep -qx 's390x.*: 0 passed, 1 failed, 0 skipped; [0-9]* s' "$dir/out"
for word in filters=-extra, --nobuild_tests_only config=new_problems foreign_environment filters=browser aarch64 s390x; do
  Claim "a stage of test --all has $word" grep -q -e "^bazel test .*$word" "$dir/calls"
done
Run test --all --config=asan
Claim "test --all takes no other argument" grep -q "test --all runs every stage" "$dir/err"
Claim "and runs nothing then" test ! -s "$dir/calls"
Run test --all --arch=s390x
Claim "nor another architecture" test $exit_code = 2

StandIn bazel 'exit 0'
Run check --arch=vax
Claim "an unknown architecture exits with 2" test $exit_code = 2
Claim "an unknown architecture lists the known ones" grep -q "arch=vax is unknown; there are: aarch64 i686 riscv64 s390x wasm32\$" "$dir/err"
Claim "an unknown architecture builds nothing" sh -c "! grep -q ^bazel '$dir/calls'"
Run check --arch=problems
Claim "another file beside the lists of packages is no architecture" test $exit_code = 2
Run check --arch=wasm32
Claim "WebAssembly runs tests only" grep -q "arch=wasm32 is there for test only" "$dir/err"
Run test --arch=aarch64 //api:one
Claim "another architecture is a configuration" grep -q '^bazel test .*--config=aarch64 .*//api:one' "$dir/calls"
Claim "its packages are installed, in an architecture that dpkg learns first" \
  sh -c "tr '\n' ' ' <'$dir/calls' | grep -q 'dpkg --add-architecture arm64 .*install .*qemu-user .*libgtest-dev:arm64'"
Run list --arch=i686
Claim "i686 needs a compiler and libraries, and no emulator" \
  sh -c "grep -q 'install .*g++-i686-linux-gnu .*libgtest-dev:i386' '$dir/calls' && ! grep -q qemu '$dir/calls'"
Run list --arch=riscv64
Claim "riscv64, which Debian 12 has no packages of, is no architecture for dpkg" \
  sh -c "grep -q 'install .*g++-riscv64-linux-gnu qemu-user$' '$dir/calls' && ! grep -q add-architecture '$dir/calls'"
# In another tree the emulator says where it would look for libraries.
mkdir -p "$dir/tree/tools/cross"
cp tandem "$dir/tree"
cp tools/prepare.sh tools/packages.txt "$dir/tree/tools"
cp tools/cross/riscv64.packages "$dir/tree/tools/cross"
printf '#!/bin/sh\necho "libraries in $QEMU_LD_PREFIX"\n' >"$dir/tree/tools/cross/emulate.sh"
chmod +x "$dir/tree/tools/cross/emulate.sh"
"$dir/tree/tandem" list --arch=riscv64 >"$dir/out" 2>"$dir/err" </dev/null || exit_code=$?
Claim "programs for riscv64 have the libraries of its compiler" grep -qx "libraries in /usr/riscv64-linux-gnu" "$dir/out"
Run list --arch=s390x
Claim "s390x is built with its configuration" grep -q '^bazel build .*--config=s390x' "$dir/calls"
{ cat "$dir/all_installed"; echo 'ii  libgtest-dev:arm64'; sed -n 's/^[a-z].*/ii  &/p' tools/cross/aarch64.packages; } >"$dir/cross"
StandIn dpkg-query "sed 's/^ii  libgmock-dev\$/&:amd64/' '$dir/cross'"
Run test --arch=aarch64 //api:one
Claim "this machine's own packages may be listed with its architecture" sh -c "! grep -q ^apt-get '$dir/calls'"

StandIn dpkg-query "cat '$dir/build_installed'"
Run check l1t1mb1sic4
Claim "a machine that can build can check" sh -c "! grep -q ^apt-get '$dir/calls'"
StandIn bazel 'exit 9'
for list in tools/*.packages; do
  command=$(basename "$list" .packages)
  case $command in
    fuzz) Run fuzz rnn ;;
    site) Run site --output="$dir/site" ;;
    windows) Run test --windows //x:y ;;
    *) Run "$command" ;;
  esac
  Claim "$command installs what $list says" \
    grep -q "^apt-get .*install .*$(sed -e 's/#.*//' -e '/^$/d' "$list" | tr '\n' ' ' | sed 's/ $//')" "$dir/calls"
done
Run wheel
Claim "and wheel nothing that only tests need" sh -c "! grep -q -e libgtest-dev -e mypy '$dir/calls'"
StandIn dpkg-query "cat '$dir/two_missing'"
Run check l1t1mb1sic4
Claim "check installs exactly what is missing of the first list" \
  grep -q '^apt-get .*install -y --no-install-recommends libcli11-dev$' "$dir/calls"
Run test
Claim "root installs exactly what is missing" \
  grep -q '^apt-get .*install -y --no-install-recommends libcli11-dev cmake$' "$dir/calls"
StandIn apt-get 'case $* in *install*) exit 100 ;; esac'
Run test
Claim "a failed installation exits with 2" test $exit_code = 2
StandIn id 'echo 1000'
Run test
Claim "without root it exits with 2" test $exit_code = 2
Claim "without root it prints the line to type" grep -qx \
  'sudo apt-get update && sudo apt-get install -y --no-install-recommends libcli11-dev cmake' \
  "$dir/err"
Claim "without root it runs no apt-get" sh -c "! grep -q ^apt-get '$dir/calls'"

exit $((failures > 0))
