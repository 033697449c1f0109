# ./tandem reads this file. It installs the libraries that --impl names, and the programs that tests of the pages use. Only its
# adapter says what a library needs: without the library, the adapter ends with "... install it with: COMMAND". It expects
# `root`, `cache`, Say and Fail (tools/prepare.sh).
# shellcheck shell=sh disable=SC2154

# ImplementationsOf prints the words of --impl=A,B and --impl A,B, a line each.
ImplementationsOf() {
  next=
  for argument in "$@"; do
    case $next$argument in
      next* | --impl=*) echo "${argument#--impl=}" | tr ',' '\n' ;;
    esac
    next=
    [ "$argument" != --impl ] || next=next
  done
}

# Installs Node.js as Debian has it, for libraries of npm.
RequireNode() {
  command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 && return 0
  RunInstallation "Node.js" "apt-get install -y --no-install-recommends nodejs npm"
}

# RunInstallation NAME COMMAND runs the command, which installs NAME.
RunInstallation() {
  case $2 in
    apt-get\ *) [ "$(id -u)" = 0 ] || Fail "$1 must be installed as root: sudo $2" ;;
  esac
  Say "$1: $2"
  export DEBIAN_FRONTEND=noninteractive
  sh -c "$2" >"$cache/libraries.log" 2>&1 || {
    tail -n 15 "$cache/libraries.log" >&2
    Fail "$1 could not be installed; the full log is $cache/libraries.log"
  }
}

# The test of the reports' pages needs a browser, and axe-core for the rules of accessibility.
InstallBrowser() {
  # The second package has a font for formulas.
  command -v chromium >/dev/null 2>&1 || RunInstallation "Chromium" \
    "apt-get -q update; apt-get -q install -y --no-install-recommends chromium fonts-dejavu-extra"
  [ ! -r "$cache/axe/node_modules/axe-core/axe.min.js" ] || return 0
  RequireNode
  # `npm ci` installs packages with the hashes of package-lock.json, or ends with an error.
  { mkdir -p "$cache/axe" && cp "$root"/tools/axe/package*.json "$cache/axe"; } || Fail "$cache/axe cannot be written"
  RunInstallation "axe-core" "npm ci --ignore-scripts --prefix $cache/axe"
}

# docs/speech.md and the Python tests need these: recordings, a reader of ONNX files, ONNX Runtime, Silero's model, PyTorch.
InstallSpeech() {
  dpkg-query -W pocketsphinx-testdata python3-onnx >/dev/null 2>&1 || RunInstallation "recorded speech" \
    "apt-get -q update; apt-get -q install -y --no-install-recommends pocketsphinx-testdata python3-onnx"
  InstallLibraries onnxruntime
  InstallSilero
  InstallLibraries torch
}

# The model is one file of a package of npm whose other files nobody needs.
InstallSilero() {
  [ ! -r "$cache/silero_vad/silero_vad_v5.onnx" ] || return 0
  mkdir -p "$cache/silero_vad" || Fail "$cache/silero_vad cannot be written"
  archive=ricky0123-vad-web-0.0.24.tgz
  RunInstallation "Silero VAD" "cd '$cache/silero_vad' && npm pack --silent @ricky0123/vad-web@0.0.24 &&
    echo '172eeb735da87ddafa8ad868894adea59b38a3b5bca49c39ca53f0dc181f900e  $archive' | sha256sum -c &&
    tar -xzf $archive --strip-components=2 package/dist/silero_vad_v5.onnx && rm $archive"
}

# InstallLibraries WORD...: other words of --impl need nothing.
InstallLibraries() {
  adapters=$root/conformance/plugins
  for word in "$@"; do
    case $word in
      torch | torch-bf16) set -- /usr/bin/python3 -B "$adapters/torch_adapter.py" ;;
      armnn | opencv) set -- /usr/bin/python3 -B "$adapters/others/${word}_adapter.py" ;;
      onnxruntime)
        RequireNode
        set -- node "$adapters/onnxruntime_adapter.mjs"
        ;;
      tfjs)
        RequireNode
        set -- node "$adapters/others/tfjs_adapter.mjs"
        ;;
      *)
        Say "$word: nothing to install"
        continue
        ;;
    esac
    if said=$("$@" 2>&1 </dev/null); then
      Say "$word is installed"
      continue
    fi
    remedy=$(printf '%s\n' "$said" | sed -n 's/.*install it with: //p')
    [ -n "$remedy" ] || Fail "$word does not start: $said"
    RunInstallation "$word" "$remedy"
    said=$("$@" 2>&1 </dev/null) || Fail "$word does not start: $said"
  done
}
