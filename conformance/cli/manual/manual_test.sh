#!/bin/sh
# The man page and the completions that `./tandem install` installs are those that the program prints now, they have every
# option, and the shells that are here understand them.
set -eu
tandem=conformance/cli/tandem
failures=0
Fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

for topic in man bash zsh fish; do
  file=tools/package/tandem.$topic
  [ $topic != man ] || file=tools/package/tandem.1
  "$tandem" help $topic >"$TEST_TMPDIR/printed"
  diff "$file" "$TEST_TMPDIR/printed" >"$TEST_TMPDIR/diff" ||
    { head -20 "$TEST_TMPDIR/diff"; Fail "$file is old; make it anew: bazel run //conformance/cli/manual:write"; }
done

# What is installed describes the program: it has each command and each option, and no page names the launcher.
for command in $(sed -n 's/^\.SS tandem \([a-z]*\).*/\1/p' tools/package/tandem.1 | sort -u); do
  "$tandem" "$command" --help >"$TEST_TMPDIR/help" || Fail "tandem.1 has the command $command, the program does not"
done
sed -n '/^\.SS tandem /,/^\.SH /s/^\(\.SS tandem\|\.B \\-\\-\)/\1/p' tools/package/tandem.1 | tr -d '\\' >"$TEST_TMPDIR/named"
while read -r macro word command second _; do
  case $macro in
    .SS) here=$command$(case $second in [a-z]*) echo " $second" ;; esac) ;;
    # shellcheck disable=SC2086  # two words
    *) "$tandem" $here --help | grep -q -e "^  \(-.,\)\{0,1\}${word%%=*}\b" || Fail "tandem $here has no ${word%%=*}" ;;
  esac
done <"$TEST_TMPDIR/named"
[ "$(wc -l <"$TEST_TMPDIR/named")" -ge 60 ] || Fail "tandem.1 names too little"
if grep -n -e '\./tandem' -e 'source tree' tools/package/tandem.1 tools/package/tandem.bash tools/package/tandem.zsh \
  tools/package/tandem.fish; then
  Fail "what is installed names what only the source tree has"
fi

# Every option that a command explains to itself.
options=0
for command in bench check diagnose list merge mutants trace "vectors export" "vectors answer" "vectors verify"; do
  # shellcheck disable=SC2086  # two words
  for option in $("$tandem" $command --help | sed -n '/^Options:/,/^$/s/^  \(-h,\)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
    [ "$option" != --help ] || continue
    options=$((options + 1))
    grep -q "^.B $(echo "$option" | sed 's/-/\\\\-/g')\(=\|$\)" tools/package/tandem.1 || Fail "tandem.1 lacks $option"
    grep -q "^    '$command') words='\(.* \)\{0,1\}${option}[=' ]" tools/package/tandem.bash ||
      Fail "tandem.bash lacks $command $option"
  done
done
for option in $("$tandem" help problem | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
  options=$((options + 1))
  for file in tandem.1 tandem.bash tandem.zsh tandem.fish; do
    tr -d '\\' <"tools/package/$file" | grep -q -e "--$option\b" -e "-l $option\b" || Fail "$file lacks --$option"
  done
done
[ $options -ge 60 ] || Fail "$options options are too few to be all"

# What ./tandem prints has the launcher's commands, too.
# Each option that ./tandem help shows behind one of its own commands.
./tandem help >"$TEST_TMPDIR/launcher_help"
awk '/^  [a-z]/ { command = $1 } /^$/ { command = "" }
  command { while (match($0, /--[a-z][a-z-]*/)) { print command, substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH) } }' \
  "$TEST_TMPDIR/launcher_help" | grep -w -e ^test -e ^fuzz -e ^install -e ^package -e ^wheel -e ^npm -e ^site |
  sort -u >"$TEST_TMPDIR/launcher_options"
[ "$(wc -l <"$TEST_TMPDIR/launcher_options")" -ge 12 ] || Fail "./tandem help shows too few options"
"$tandem" help man --launcher | tr -d '\\' >"$TEST_TMPDIR/launcher_man"
"$tandem" help bash --launcher >"$TEST_TMPDIR/launcher_bash"
while read -r command option; do
  awk -v command="$command" '/^\.SS / { here = $3 == command } here' "$TEST_TMPDIR/launcher_man" |
    grep -q -e "^.B $option\(=\|$\)" || Fail "the launcher's man page lacks $command $option"
  grep -q "^    '$command') words='\(.* \)\{0,1\}$option[=' ]" "$TEST_TMPDIR/launcher_bash" || Fail "bash does not complete $command $option"
done <"$TEST_TMPDIR/launcher_options"

for topic in man bash zsh fish; do
  "$tandem" help $topic --launcher >"$TEST_TMPDIR/launcher.$topic"
  grep -q "as.*dnnl" "$TEST_TMPDIR/launcher.$topic" || Fail "./tandem help $topic lacks the options of install"
done
# Completes LINE WORD...: what bash offers at the end of the line, with the script $script.
Completes() {
  line=$1
  shift
  got=$(LINE=$line SCRIPT=$script bash -c '. "$SCRIPT"
    COMP_LINE=$LINE COMP_POINT=${#LINE}
    read -ra COMP_WORDS <<<"$LINE"
    case $LINE in *" ") COMP_WORDS+=("") ;; esac
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _tandem
    echo "${COMPREPLY[*]}"')
  [ "$got" = "$*" ] || Fail "bash completes '$line' to '$got', not to '$*'"
}
script=tools/package/tandem.bash
Completes "tandem ch" check
Completes "tandem vectors ex" export
Completes "tandem help pro" problem
Completes "tandem help ch" check
Completes "tandem check --ti" --tier= --time= --timeout=
Completes "tandem check --tier=" smoke quick full soak
Completes "tandem check --impl=opt" optimized
Completes "tandem check --alg=LBR" LBR_GRU LBR_AUGRU
Completes "tandem trace --alg=VANILLA_L" VANILLA_LSTM
Completes "tandem check --fail" --fail-fast
Completes "tandem list --alg="
Completes "tandem --v" --version
Completes "tandem ins"
Completes "tandem check --arch="
script=$TEST_TMPDIR/launcher.bash
Completes "./tandem ch" check
Completes "./tandem install --reading=" spec onednn
Completes "./tandem help si" site
# shellcheck disable=SC2046  # one word per processor
Completes "./tandem test --arch=" $(cd tools/cross && for list in *.packages; do echo "${list%.packages}"; done)
Completes "./tandem check --arch=" aarch64 i686 riscv64 s390x

# HasOrLeftOut PROGRAM: false, with a line in the output, where the program is missing.
HasOrLeftOut() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "LEFT OUT: $1 is not installed: what is made for it was compared, not run"
  return 1
}
if HasOrLeftOut groff; then
  for page in "$TEST_TMPDIR/launcher.man" tools/package/tandem.1; do
    groff -man -Tutf8 -ww "$page" >"$TEST_TMPDIR/page" 2>"$TEST_TMPDIR/warnings" || Fail "groff fails"
    [ ! -s "$TEST_TMPDIR/warnings" ] || { head "$TEST_TMPDIR/warnings"; Fail "groff warns of $page"; }
  done
  grep -q "with  *error" "$TEST_TMPDIR/page" || Fail "the page has no description"
fi
if HasOrLeftOut zsh; then
  for file in "$TEST_TMPDIR/launcher.zsh" tools/package/tandem.zsh; do zsh -n "$file" || Fail "zsh does not read $file"; done
fi
if HasOrLeftOut fish; then
  fish --no-execute tools/package/tandem.fish || Fail "fish does not read tandem.fish"
  got=$(HOME=$TEST_TMPDIR fish -c "source tools/package/tandem.fish; complete -C 'tandem check --tier='" | cut -f1 | tr '\n' ' ')
  case $got in
    *--tier=quick*) ;;
    *) Fail "fish completes --tier= to '$got'" ;;
  esac
fi
exit $((failures > 0))
