#include "conformance/cli/manual/man_page.h"

#include <sstream>

#include "conformance/problem/problem_help.h"

namespace tandem::conformance {
namespace {

constexpr char kBegin[] = R"(.TH TANDEM 1 "" "Tandem" "User Commands"
.SH NAME
tandem \- the RNN primitive of the oneDNN specification, and a judge for it
.SH SYNOPSIS
.B tandem
.I COMMAND
.RI [ ARGUMENT... ]
.br
.B tandem check
.RB [ \-\-impl=\fIX\fR ]
.RI [ PROBLEM ]
.SH DESCRIPTION
Tandem implements the RNN primitive twice, and holds any implementation against the equations, element by element, with error
bounds that are derived from the arithmetic.
)";

// What only one of the callers has: the end of the description, the end of the environment, and the other documents.
struct Parts {
  const char* description;
  const char* environment;
  const char* end;
};
constexpr Parts kOfProgram = {R"(.PP
The guides are below
.I share/tandem/docs
of the prefix, and this page calls them docs/NAME.
)",
                              R"(.TP
.B XDG_CACHE_HOME
where adapters for other oneDNNs, and numbers of
.BR "tandem tune" ,
are kept (~/.cache)
)",
                              R"(.SH FILES
Below the prefix, the folder above that of the program:
.TP
.I share/tandem/README.md
what is installed, and where to begin
.TP
.I share/tandem/docs, share/tandem/examples
guides and examples
.TP
.I include/tandem/conformance/plugin.h
the interface of a plugin
.TP
.I lib/tandem
files of the program, such as conformance/cli/bench/bench_shapes.txt
)"};
constexpr Parts kOfLauncher = {R"(The command is the script
.I tandem
in the root of the source tree; its first run installs what is missing and builds.
)",
                               R"(.TP
.B TANDEM_OUTPUT_USER_ROOT, XDG_CACHE_HOME
where Bazel's output and what is downloaded go
)",
                               R"(.SH SEE ALSO
docs/README.md in the source tree
)"};

constexpr char kEnd[] = R"(.SH EXIT STATUS
.TP
.B 0
all conform
.TP
.B 1
something does not
.TP
.B 2
an option or a file is wrong
.TP
.B 3
a batch file had options that are not understood
.TP
.B 4
every departure is a known one
.TP
.B 5
nothing is wrong, but not everything was judged
.TP
.B 128 + N
signal N interrupted a campaign
.SH ENVIRONMENT
.TP
.B TANDEM_IMPL
reference or optimized: the implementation of a program that uses the library
.TP
.B TANDEM_TARGET
AVX2, AVX3, ...: the instruction set of the optimized one
.TP
.B TANDEM_PYTHON
the Python that has PyTorch, Arm NN or OpenCV (/usr/bin/python3)
.TP
.B TANDEM_READING
spec or onednn: the default reading of the specification
)";

// Text with what roff would read as its own made plain.
std::string Escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'' || c == '`') {
      result += c == '\'' ? "\\(aq" : "\\(ga";
    } else {
      result += c;
    }
  }
  return result;
}

// Lines of their own: a period at the beginning is text.
std::string Verbatim(const std::string& text) {
  std::istringstream in(text);
  std::string result = ".nf\n";
  for (std::string line; std::getline(in, line);) {
    result += (line.empty() || line[0] == '.' ? "\\&" : "") + Escaped(line) + "\n";
  }
  return result + ".fi\n";
}

std::string Option(const ManualOption& option) {
  std::string text = ".TP\n.B " + Escaped(option.name);
  if (!option.argument.empty()) text += "=\\fI" + option.argument + "\\fR";
  return text + "\n" + Escaped(option.meaning) + "\n";
}

std::string Section(const ManualCommand& command) {
  std::string text = ".SS tandem " + command.name;
  if (!command.arguments.empty()) text += " " + Escaped(command.arguments);
  text += "\n" + Escaped(command.meaning) + "\n";
  for (const ManualOption& option : command.options) text += Option(option);
  if (!command.note.empty()) text += ".PP\n" + Verbatim(command.note);
  return text;
}

}  // namespace

std::string ManPage(const std::vector<ManualCommand>& commands, Caller caller) {
  const Parts& parts = caller == Caller::kProgram ? kOfProgram : kOfLauncher;
  std::string page = std::string(kBegin) + parts.description + ".SH COMMANDS\n";
  for (const ManualCommand& command : commands) page += Section(command);
  return page + ".SH PROBLEMS\n" + Verbatim(ProblemHelp()) + kEnd + parts.environment + parts.end;
}

}  // namespace tandem::conformance
