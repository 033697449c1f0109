# This is bash completion for tandem, and for ./tandem in a source tree. The program's own help has the words.
# shellcheck shell=bash

# Prints the options in a help, each with "=" if it takes a value, and "--option=value" for values that are words.
_tandem_options() {
  awk '
    function Say(candidate) { if (!said[candidate]++) print candidate }
    function Values(text,    n, i, part) {
      gsub(/\([^)]*\)/, "", text)
      n = split(text, part, / *(,|:| or )+ */)
      for (i = 1; i <= n; ++i) {
        gsub(/^ +| +$/, "", part[i])
        if (part[i] ~ /^[A-Za-z][A-Za-z0-9_-]*$/) Say(name "=" part[i])
      }
    }
    /^$/ { name = "" }
    /^  (-.,)?--[a-z-]+( |$)/ {
      name = $1
      sub(/^-.,/, "", name)
      Say(name (NF == 1 || $2 ~ /^(\(.*|[A-Z]+(:.*)?)$/ ? "=" : ""))
      sub(/^ *[^ ]+ +/, "")
      if (name != "--color") next
    }
    # A problem option has a line of words; of the other options, these have one.
    name ~ /^--(impl|tier|color)$/ || name && /^      [A-Za-z0-9_]+, / { Values($0) }'
}

_tandem() {
  # This is the word up to the cursor: bash itself takes --alg=LSTM apart at the "=".
  local line=${COMP_LINE:0:COMP_POINT} program=${COMP_WORDS[0]} words='' help candidate
  local word=${line##* } command=${COMP_WORDS[1]}
  local -a asked=("$command")
  [ "$command" != vectors ] || asked+=("${COMP_WORDS[2]}")
  # ./tandem builds the program before it answers for it. A program that is built already answers at once.
  [ ! -e "${program%/*}/tools/prepare.sh" ] || program=${program%/*}/bazel-bin/conformance/cli/tandem
  if [ "$COMP_CWORD" -le 1 ] || { [ "$command" = help ] && [ "$COMP_CWORD" = 2 ]; }; then
    words=$("${COMP_WORDS[0]}" help 2>/dev/null | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p')
    [ "$command" = help ] && words+=' problem man bash' || words+=' help --version'
  elif [ "$command" = vectors ] && [ "$COMP_CWORD" = 2 ]; then
    words=$("$program" vectors --help 2>/dev/null | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p')
  elif help=$("$program" "${asked[@]}" --help 2>/dev/null); then
    words=$(
      echo "$help" | _tandem_options
      case $help in *"PROBLEM: "*) "$program" help problem | _tandem_options ;; esac
    )
  else # the command is one of ./tandem itself
    words=$("${COMP_WORDS[0]}" help | awk -v command="$command" '/^  [^ ]/ { on = $1 == command } /^$/ { on = 0 } on' |
      grep -o -e '--[a-z-]*=\{0,1\}[a-z]*' | sort -u)
  fi
  COMPREPLY=()
  for candidate in $words; do
    case $candidate in
      # The word is complete. A value is offered only behind its option.
      "$word") ;;
      "$word"*=?*) case $word in *=*) COMPREPLY+=("$candidate") ;; esac ;;
      "$word"*) COMPREPLY+=("$candidate") ;;
    esac
  done
  if [ "${#COMPREPLY[@]}" -eq 1 ] && [ "${COMPREPLY[0]: -1}" = "=" ]; then compopt -o nospace 2>/dev/null; fi
  # The text before the "=" is there already.
  case $word in *=*) COMPREPLY=("${COMPREPLY[@]#"${word%%=*}="}") ;; esac
}
complete -o default -F _tandem tandem ./tandem
