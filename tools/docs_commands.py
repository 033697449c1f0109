"""Runs the `tandem` commands of the Markdown files.

usage: docs_commands.py TANDEM VENDOR_PLUGIN FOLDER LIST
    TANDEM, VENDOR_PLUGIN  the program, and what stands for ./vendor.so
    FOLDER                 for reports and other files that the commands write
    LIST                   has the path of every Markdown file of the source tree, one a line; run in the tree's root

* A command that is complete is run and must not end as a usage error does. check and trace need a problem or a few cases
  for that, bench only times for a moment. What is printed below a line `$ ./tandem ...` must be in the output, line by
  line, but for times; numbers are compared to four digits.
* Of other commands (./tandem check --impl=X), of those that take long, of launcher commands and of those for libraries
  that this test does not need, every option must be one that the help lists.
"""

import os
import re
import shlex
import subprocess
import sys

COMMAND = re.compile(r'(?:^|[\s(/])tandem (check|test|bench|merge|compare|list|trace|diagnose|mutants|vectors|fuzz|install|package|help)\b(.*)',
                     re.DOTALL)
# These stand in place of a name or a number.
PLACEHOLDER = re.compile(r'[{}$*<>|\\]|\.\.\.|(?:^|[=:/])(?:PROBLEM|X|N|S|I|NAME|DIR|FILE|CPU|REPORT|TARGET|COMMAND)(?:$|[/.])')
OURS = re.compile(r'reference|optimized|onednn|mutant:\w+|exercise:\d+|\./vendor\.so|pipe:python3 examples/.*')
USAGE = 2


def fences_and_text(text):
    """Yields blocks of a file: (line, is_code, text). Fenced and indented lines are code."""
    blocks, code, fenced = [], False, False
    for number, line in enumerate(text.split('\n'), 1):
        if line.lstrip().startswith('```'):
            fenced = not fenced
            blocks.append((number, None, ''))
            continue
        is_code = fenced or line.startswith('    ')
        if not blocks or blocks[-1][1] is not is_code or (not is_code and not line.strip()):
            blocks.append((number, is_code, line))
        else:
            first, _, before = blocks[-1]
            blocks[-1] = (first, is_code, before + '\n' + line)
    return [block for block in blocks if block[2].strip()]


def joined_lines(first, code):
    """Yields (line number, line) with lines that end in a backslash joined."""
    line, start = '', first
    for number, part in enumerate(code.split('\n'), first):
        part = part.strip()
        start = start if line else number
        line += part.rstrip('\\')
        if not part.endswith('\\'):
            yield start, line
            line = ''


def words_of(text):
    """Returns the words of a command up to a pipe, a redirection or a comment; none if it has no end."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars='|&;')
    lexer.whitespace_split = True
    words = []
    try:
        for word in lexer:
            if re.fullmatch(r'[|&;]+', word):
                break
            words.append(word)
    except ValueError:
        return None
    return words


def commands_of(text):
    """Yields (line, words, output): the lines below the command of a transcript, and the number of cases in a comment."""
    for first, is_code, block in fences_and_text(text):
        if not is_code:
            for match in re.finditer(r'`([^`]+)`', block):
                found = COMMAND.search(match.group(1))
                line = first + block.count('\n', 0, match.start())
                if found:
                    yield line, [found.group(1)] + (words_of(found.group(2)) or ['...']), []
            continue
        last = None
        for line, text_of_line in joined_lines(first, block):
            if last and not text_of_line.startswith('$ '):
                last[2].append((line, text_of_line))
                continue
            if last:
                yield last
            found = COMMAND.search(text_of_line)
            last = None
            if found:
                words = words_of(found.group(2))
                command = line, [found.group(1)] + (words if words is not None else ['...']), []
                # The line is for example `tandem vectors export   # 371 cases`.
                command[2].extend((line, count) for count in re.findall(r'# .*?(\d+ cases)', text_of_line))
                if re.match(r'\$ (\w+=\S+ )*\./tandem ', text_of_line):
                    last = command
                else:
                    yield command
        if last:
            yield last


def comparable(line):
    """Returns the line without times, with numbers of four digits."""
    line = re.sub(r'seed (\d+); [\d.]+ s, [\d.]+ problems a second', r'seed \1', line)
    line = re.sub(r'-?\d+\.\d+(e[+-]\d+)?', lambda number: '%.4g' % float(number.group(0)), line)
    return ' '.join(line.split())


class Runner:

    def __init__(self, tandem, vendor, folder):
        self.tandem, self.vendor, self.folder = tandem, vendor, folder
        self.notation = self.output(['help', 'problem'])[1] + ' --l --t --mb --batch --reset '
        launcher = open('tandem', encoding='utf-8').read() + open('.bazelrc', encoding='utf-8').read()
        self.launcher = launcher
        self.helps, self.complaints, self.ran, self.read, self.lines = {}, [], 0, 0, 0

    def output(self, words):
        done = subprocess.run([self.tandem] + words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        return done.returncode, done.stdout.decode(errors='replace')

    def help_of(self, words):
        command = words[:2] if words[0] == 'vectors' else words[:1]
        key = ' '.join(command)
        if key not in self.helps:
            self.helps[key] = self.output(command + ['--help'])[1]
        return self.helps[key]

    def unknown_options(self, words):
        options = [re.sub(r'=.*', '', word, flags=re.DOTALL) for word in words if word.startswith('--')]
        if words[0] in ('test', 'fuzz', 'install', 'package'):
            # Bazel's own options have no list here.
            ours = [option for option in options if words[0] != 'test' or option in ('--all', '--pages', '--speech')]
            configs = [word for word in words if word.startswith('--config=')]
            return ([option for option in ours if option not in self.launcher] +
                    [word for word in configs if ':%s ' % word[9:] not in self.launcher])
        takes_problem = words[0] in ('check', 'bench', 'trace', 'diagnose') or words[:2] == ['vectors', 'export']
        known = self.help_of(words) + (self.notation if takes_problem else '')
        return [option for option in options
                if option not in ('--arch', '--install') and not re.search(re.escape(option) + r'(?![\w-])', known)]

    def to_run(self, words):
        """Returns the command to run; none if it takes long, is for another processor or is not complete."""
        if any(PLACEHOLDER.search(word) or word.startswith('--arch=') for word in words):
            return None
        for word in words:
            if word.startswith('--impl=') and not OURS.fullmatch(word[7:]):
                return None
            if word.startswith('--batch=') and not os.path.exists(word[8:]):
                return None
        problem = any(re.search(r'(^|\d)sic\d+', word) for word in words[1:])
        cases = max([int(word[8:]) for word in words if re.fullmatch(r'--cases=\d+', word)], default=None)
        words = [word.replace('./vendor.so', self.vendor) for word in words]
        if words[0] == 'check' and (problem or (cases is not None and cases <= 200)):
            return words + ['--report=' + os.path.join(self.folder, 'report')]
        if words[0] == 'bench' and problem:
            brief = ['--time=0.001', '--rounds=1', '--impl=optimized', '--no-check']
            given = {word.split('=')[0] for word in words}
            return words + [word for word in brief if word == '--impl=optimized' or word.split('=')[0] not in given]
        if words[0] == 'diagnose' and problem or words[0] in ('trace', 'list') or words == ['help', 'problem']:
            return words
        if words[0] == 'mutants' and '--list' in words:
            return words
        if words[:2] == ['vectors', 'export']:
            given = [word for word in words[2:] if not word.startswith('--dir=')]
            return words[:2] + given + ['--dir=' + os.path.join(self.folder, 'vectors')]
        return None

    def hold(self, file, line, words, transcript):
        where = '%s:%d: tandem %s' % (file, line, ' '.join(words))
        for option in self.unknown_options(words):
            self.complaints.append('%s: there is no option %s' % (where, option))
        run = self.to_run(words)
        if run is None:
            self.read += 1
            return
        self.ran += 1
        code, output = self.output(run)
        if code == USAGE or code > 128:
            self.complaints.append('%s: exit code %d: %s' % (where, code, output[-300:]))
        have = {comparable(text) for text in output.split('\n')} | set(re.findall(r'\d+ cases', output))
        for number, text in transcript:
            if text in ('', '...'):
                continue
            self.lines += 1
            if comparable(text) not in have and 'reports are in' not in text:
                self.complaints.append('%s:%d: not in the output of tandem %s: %s' % (file, number, ' '.join(words), text))


def main(tandem, vendor, folder, list_file):
    runner = Runner(tandem, vendor, folder)
    for file in open(list_file, encoding='utf-8').read().split():
        for line, words, transcript in commands_of(open(file, encoding='utf-8').read()):
            runner.hold(file, line, words, transcript)
    for complaint in runner.complaints:
        print('FAILED: ' + complaint)
    print('%d commands run, %d lines of their output compared, the options of %d others read' %
          (runner.ran, runner.lines, runner.read))
    if runner.ran < 15 or runner.lines < 20 or runner.read < 30:
        print('FAILED: these are too few to be the documents')
        return 1
    return 1 if runner.complaints else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
