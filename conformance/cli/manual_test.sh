#!/bin/sh
# The man page names all commands and no others, `help` prints the installed files, and bash completes the words of the help.
set -eu
tandem=$PWD/conformance/cli/tandem
package=$PWD/tools/package
failures=0
Fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

"$tandem" help | sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p' | grep -vx help | sort >"$TEST_TMPDIR/commands"
sed -n '/^\.SH COMMANDS/,/^\.SH PROBLEMS/s/^\.B \([a-z]*\)$/\1/p' "$package/tandem.1" >"$TEST_TMPDIR/named"
diff "$TEST_TMPDIR/commands" "$TEST_TMPDIR/named" || Fail "tandem.1 does not have the commands of the program, in their order"
for topic in man:1 bash:bash; do
  "$tandem" help ${topic%:*} | cmp - "$package/tandem.${topic#*:}" || Fail "help ${topic%:*} does not print what is installed"
done
if grep -n '\./tandem' "$package/tandem.1"; then Fail "the page names what only the source tree has"; fi
if command -v groff >/dev/null; then
  groff -man -Tutf8 -ww "$package/tandem.1" >"$TEST_TMPDIR/page" 2>"$TEST_TMPDIR/warnings" || Fail "groff fails"
  [ ! -s "$TEST_TMPDIR/warnings" ] || { head "$TEST_TMPDIR/warnings"; Fail "groff warns"; }
  grep -q "with  *error" "$TEST_TMPDIR/page" || Fail "the page has no description"
else
  echo "LEFT OUT: groff is not installed"
fi

# Offered LINE prints the words that bash offers at the end of the line.
Offered() {
  LINE=$1 SCRIPT=$package/tandem.bash bash -c '. "$SCRIPT"
    COMP_LINE=$LINE COMP_POINT=${#LINE}
    read -ra COMP_WORDS <<<"$LINE"
    case $LINE in *" ") COMP_WORDS+=("") ;; esac
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _tandem
    echo "${COMPREPLY[*]}"'
}
# Completes LINE WORD... expects these words.
Completes() {
  got=$(Offered "$1")
  line=$1
  shift
  [ "$got" = "$*" ] || Fail "bash completes '$line' to '$got', not to '$*'"
}
mkdir "$TEST_TMPDIR/bin"
ln -s "$tandem" "$TEST_TMPDIR/bin/tandem"
export PATH="$TEST_TMPDIR/bin:$PATH"
Completes "tandem ch" check
Completes "tandem vectors ex" export
Completes "tandem help pro" problem
Completes "tandem help ch" check
Completes "tandem check --ti" --tier= --time= --timeout=
Completes "tandem check --tier=" smoke quick full soak
Completes "tandem check --impl=opt" optimized
Completes "tandem check --color=" auto always never
Completes "tandem check --alg=LBR" LBR_GRU LBR_AUGRU
Completes "tandem trace --alg=VANILLA_L" VANILLA_LSTM
Completes "tandem check --fail" --fail-fast
Completes "tandem vectors verify --out" --outputs=
Completes "tandem list --alg="
Completes "tandem --v" --version
Completes "tandem ins"
Completes "tandem check --arch="
for option in $("$tandem" help problem | sed -n 's/^  \(--[a-z-]*\).*/\1=/p'); do
  case " $(Offered "tandem check --") " in *" $option "*) ;; *) Fail "bash does not complete $option" ;; esac
done

# bash completes the launcher in a source tree before and after its first build.
mkdir -p "$TEST_TMPDIR/tree/tools"
cp tandem "$TEST_TMPDIR/tree"
cp tools/prepare.sh "$TEST_TMPDIR/tree/tools"
cd "$TEST_TMPDIR/tree"
Completes "./tandem ch" check
Completes "./tandem help si" site
Completes "./tandem install --reading=" onednn
Completes "./tandem wheel --" --output= --quick --windows
Completes "./tandem check --tier=qu"
mkdir -p bazel-bin/conformance/cli
ln -s "$tandem" bazel-bin/conformance/cli/tandem
Completes "./tandem check --tier=qu" quick
exit $((failures > 0))
