#include "conformance/cli/manual/completion.h"

#include <algorithm>

namespace tandem::conformance {
namespace {

using Words = std::vector<std::string>;

// `text` in single quotes of a POSIX shell.
std::string Quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string Joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

struct NamedWord {
  std::string word;
  std::string meaning;
};

// The words that stand first: "vectors" once for all that it has.
std::vector<NamedWord> FirstWords(const std::vector<ManualCommand>& commands) {
  std::vector<NamedWord> words;
  for (const ManualCommand& command : commands) {
    const size_t blank = command.name.find(' ');
    const std::string first = command.name.substr(0, blank);
    if (!words.empty() && words.back().word == first) continue;
    words.push_back({first, blank == std::string::npos ? command.meaning : ""});
  }
  words.push_back({"--version", "the version"});
  return words;
}

Words WordsOf(const std::vector<NamedWord>& named) {
  Words words;
  for (const NamedWord& word : named) words.push_back(word.word);
  return words;
}

// The words that may stand behind a first one: "export", "verify". Behind help, these are also the other first words.
std::vector<NamedWord> SecondWords(const std::vector<ManualCommand>& commands, const std::string& first) {
  std::vector<NamedWord> words;
  if (first == "help") {
    words = FirstWords(commands);
    words.erase(std::remove_if(words.begin(), words.end(),
                               [](const NamedWord& word) { return word.word == "help" || word.word == "--version"; }),
                words.end());
  }
  for (const ManualCommand& command : commands) {
    if (command.name.rfind(first + " ", 0) == 0)
      words.push_back({command.name.substr(first.size() + 1), command.meaning});
  }
  return words;
}

// The options of a command, and those of its problem.
std::vector<ManualOption> OptionsOf(const ManualCommand& command, const std::vector<ManualOption>& problem) {
  std::vector<ManualOption> options = command.options;
  if (command.takes_problem == TakesProblem::kNo) return options;
  for (const ManualOption& option : problem) {
    const bool own = std::any_of(options.begin(), options.end(),
                                 [&](const ManualOption& other) { return other.name == option.name; });
    if (!own) options.push_back(option);
  }
  return options;
}

// "--impl=" of an option with a value, "--csv" of a flag; and each value that is a word.
Words CompletedWords(const std::vector<ManualOption>& options) {
  Words words;
  for (const ManualOption& option : options) {
    words.push_back(option.name + (option.argument.empty() ? "" : "="));
    for (const std::string& value : option.values) words.push_back(option.name + "=" + value);
  }
  return words;
}

constexpr char kBashBegin[] = R"(# bash completion for tandem, made by `./tandem help bash`
# shellcheck shell=bash
_tandem() {
  # The word up to the cursor: bash itself takes --alg=LSTM apart at the "=".
  local line=${COMP_LINE:0:COMP_POINT} words=
  local word=${line##* }
  local command=${COMP_WORDS[1]}
  case $command in help | vectors) command="$command ${COMP_WORDS[2]}" ;; esac
  if [ "$COMP_CWORD" -le 1 ]; then command=; fi
  if [ "$COMP_CWORD" -eq 2 ] && [ "$command" != "${COMP_WORDS[1]}" ]; then command="${COMP_WORDS[1]} "; fi
  case $command in
)";
constexpr char kBashEnd[] = R"(  esac
  COMPREPLY=()
  local candidate
  for candidate in $words; do
    case $candidate in
      # It is there already. A value only behind its option.
      "$word") ;;
      "$word"*=?*) case $word in *=*) COMPREPLY+=("$candidate") ;; esac ;;
      "$word"*) COMPREPLY+=("$candidate") ;;
    esac
  done
  if [ "${#COMPREPLY[@]}" -eq 1 ] && [ "${COMPREPLY[0]: -1}" = "=" ]; then compopt -o nospace 2>/dev/null; fi
  # What stands before the "=" is there already.
  case $word in *=*) COMPREPLY=("${COMPREPLY[@]#"${word%%=*}="}") ;; esac
}
complete -o default -F _tandem tandem)";

// `text` as the description in a zsh or fish specification, on one line.
std::string Plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']') {
      result += c == ':' ? ";" : c == '[' ? "(" : ")";
    } else {
      result += c;
    }
  }
  return result;
}

std::string ZshOption(const ManualOption& option) {
  std::string text = option.name;
  if (!option.argument.empty()) text += "=";
  text += "[" + Plain(option.meaning) + "]";
  if (!option.argument.empty()) text += ":" + option.argument + ":";
  if (option.values.empty() && !option.argument.empty()) text += "_files";
  if (!option.values.empty()) text += "(" + Joined(option.values) + ")";
  return Quoted("*" + text);
}

std::string ZshDescribed(const std::vector<NamedWord>& words) {
  std::string text = "      words_here=(";
  for (const NamedWord& word : words) text += "\n        " + Quoted(word.word + ":" + Plain(word.meaning));
  return text + "\n      )\n      _describe -t commands command words_here\n      ;;\n";
}

}  // namespace

std::string BashCompletion(const std::vector<ManualCommand>& commands, const std::vector<ManualOption>& problem,
                           Caller caller) {
  std::string script = kBashBegin;
  const auto add = [&script](const std::string& pattern, const Words& words) {
    script += "    " + pattern + ") words=" + Quoted(Joined(words)) + " ;;\n";
  };
  add("''", WordsOf(FirstWords(commands)));
  for (const NamedWord& first : FirstWords(commands)) {
    const Words second = WordsOf(SecondWords(commands, first.word));
    if (!second.empty()) add(Quoted(first.word + " "), second);
  }
  for (const ManualCommand& command : commands) {
    const Words words = CompletedWords(OptionsOf(command, problem));
    if (!words.empty()) add(Quoted(command.name), words);
  }
  return script + kBashEnd + (caller == Caller::kLauncher ? " ./tandem\n" : "\n");
}

std::string ZshCompletion(const std::vector<ManualCommand>& commands, const std::vector<ManualOption>& problem) {
  std::string script =
      "#compdef tandem\n# zsh completion for tandem, made by `./tandem help zsh`\n_tandem() {\n"
      "  local -a words_here\n  local command=$words[2]\n  case $command in help | vectors) command+=\" $words[3]\" ;; "
      "esac\n  (( CURRENT > 2 )) || command=\n"
      "  (( CURRENT != 3 )) || [[ $command = $words[2] ]] || command=\"$words[2] \"\n  case $command in\n";
  script += "    '')\n" + ZshDescribed(FirstWords(commands));
  for (const NamedWord& first : FirstWords(commands)) {
    const std::vector<NamedWord> second = SecondWords(commands, first.word);
    if (!second.empty()) script += "    " + Quoted(first.word + " ") + ")\n" + ZshDescribed(second);
  }
  for (const ManualCommand& command : commands) {
    const std::vector<ManualOption> options = OptionsOf(command, problem);
    if (options.empty()) continue;
    script += "    " + Quoted(command.name) + ")\n      _arguments";
    for (const ManualOption& option : options) script += " \\\n        " + ZshOption(option);
    script += " \\\n        '*:argument:_files'\n      ;;\n";
  }
  return script + "  esac\n}\n_tandem \"$@\"\n";
}

std::string FishCompletion(const std::vector<ManualCommand>& commands, const std::vector<ManualOption>& problem) {
  std::string script = "# fish completion for tandem, made by `./tandem help fish`\n";
  const auto fish_quoted = [](const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return result + "'";
  };
  for (const NamedWord& first : FirstWords(commands)) {
    script += "complete -c tandem -f -n __fish_use_subcommand -a " + fish_quoted(first.word);
    script += (first.meaning.empty() ? "" : " -d " + fish_quoted(first.meaning)) + "\n";
    for (const NamedWord& second : SecondWords(commands, first.word)) {
      script += "complete -c tandem -f -n '__fish_seen_subcommand_from " + first.word + "' -a " +
                fish_quoted(second.word) + " -d " + fish_quoted(second.meaning) + "\n";
    }
  }
  for (const ManualCommand& command : commands) {
    const std::string last = command.name.substr(command.name.rfind(' ') + 1);
    for (const ManualOption& option : OptionsOf(command, problem)) {
      script += "complete -c tandem -n '__fish_seen_subcommand_from " + last + "' -l " + option.name.substr(2);
      if (!option.argument.empty()) script += " -r";
      if (!option.values.empty()) script += " -f -a " + fish_quoted(Joined(option.values));
      script += " -d " + fish_quoted(option.meaning) + "\n";
    }
  }
  return script;
}

}  // namespace tandem::conformance
