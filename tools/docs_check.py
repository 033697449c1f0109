"""Checks that files and names in the Markdown files exist.

usage: docs_check.py LIST    LIST has the path of every file of the source tree, one a line

* The target of every relative link exists, and so does the heading that a link's #anchor names.
* Every path in `backticks` exists. A path is a word with a slash whose first folder is in the tree, or a word that ends
  in the suffix of a source file. `kernels_*.cc` is a pattern; so are `cmd_NAME.cc`, where NAME stands for any word, and
  `-inl.h`, the end of a name.
* Every `name_test` is the name of a test's file, and every //package:target has a package.
* Every `Identifier` in the README of a folder of sources is a word of the tree's sources; and one that a file's name
  follows, as in `Identifier` (`file.h`) or `Identifier` in `file.h`, is a word of that file, in every document.
* Where a block shows gdb at a place, `FUNCTION (...) at FILE:LINE`, the source line below it is that line of FILE. In a
  backtrace the line calls the function of the frame before.
* README.md counts as many mistakes that were found in other libraries as docs/verdicts/README.md.
* docs/README.md, which README.md links to, links to every guide: every other Markdown file below docs/.
"""

import fnmatch
import os
import re
import sys

SOURCE = r'\.(h|hpp|c|cc|inc|md|sh|py|awk|bzl|BUILD)$'
CODE = r'\.(h|hpp|c|cc|inc|sh|py|awk|bzl|mjs|json)$|(^|/)(BUILD|tandem)$'


def without_blocks(text):
    """Returns the text with fenced blocks emptied; line numbers stay."""
    lines, inside = [], False
    for line in text.split('\n'):
        fence = line.lstrip().startswith('```')
        lines.append('' if inside or fence else line)
        inside ^= fence
    return '\n'.join(lines)


def anchors(text):
    """Returns the anchors that GitHub gives to the headings of a file."""
    headings = re.findall(r'^#+ (.*)$', without_blocks(text), re.MULTILINE)
    return {re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-') for heading in headings}


def words_of(file):
    return set(re.findall(r'\w+', open(file, encoding='utf-8').read()))


class Checker:

    def __init__(self, files):
        self.files = set(files)
        self.names = {os.path.basename(file) for file in files}
        self.targets = {name for file in files if os.path.basename(file) == 'BUILD'
                        for name in re.findall(r'name = "(\w+)"', open(file, encoding='utf-8').read())}
        self.folders = {file[:i] for file in files for i, c in enumerate(file) if c == '/'}
        self.top = {folder for folder in self.folders if '/' not in folder}
        self.complaints = []
        self.counts = {'links': 0, 'paths': 0, 'labels': 0, 'identifiers': 0, 'places': 0}
        self.words = {file: words_of(file) for file in files if re.search(CODE, file)}
        self.all_words = set().union(*self.words.values())

    def exists(self, path):
        path = os.path.normpath(path)
        return path == '.' or path in self.files or path in self.folders

    def matches(self, pattern):
        return self.exists(pattern) or any(fnmatch.fnmatchcase(file, pattern) for file in self.files)

    def complain(self, file, text, position, message):
        self.complaints.append('%s:%d: %s' % (file, text.count('\n', 0, position) + 1, message))

    def check_links(self, file, text, links):
        for match in re.finditer(r'\]\(([^)\s]+)\)', text):
            target, _, anchor = match.group(1).partition('#')
            if '://' in target:
                continue
            self.counts['links'] += 1
            path = os.path.normpath(os.path.join(os.path.dirname(file), target)) if target else file
            links.add(path)
            if not self.exists(path):
                self.complain(file, text, match.start(), 'the link %s leads nowhere' % match.group(1))
            elif anchor and path.endswith('.md') and anchor not in anchors(open(path, encoding='utf-8').read()):
                self.complain(file, text, match.start(), '%s has no heading for #%s' % (path, anchor))

    def path_exists(self, file, word):
        if word in self.names or self.exists(word):
            return True
        pattern = re.sub(r'(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z])', '*', word)
        if '/' not in word:
            pattern = '*' + pattern if word[0] in '.-' else pattern
            return any(fnmatch.fnmatchcase(name, pattern) for name in self.names)
        return self.matches(pattern) or self.matches(os.path.join(os.path.dirname(file), pattern))

    def check_words(self, file, text):
        for match in re.finditer(r'`([^`\s]+)`', text):
            word = re.sub(r':\d+$', '', match.group(1)).rstrip('/')
            # Workflows are files of the reader's repository.
            in_tree = '/' in word and word.split('/')[0] in self.top and not word.startswith('.github/workflows/')
            if re.fullmatch(r'[\w.*/+-]+', word) and (in_tree or re.search(SOURCE, word)):
                self.counts['paths'] += 1
                if not self.path_exists(file, word):
                    self.complain(file, text, match.start(), 'there is no %s' % word)
            elif re.fullmatch(r'[a-z0-9_]+_test', word):
                self.counts['paths'] += 1
                if word not in self.targets and not any(fnmatch.fnmatchcase(name, word + '.*') for name in self.names):
                    self.complain(file, text, match.start(), 'there is no test %s' % word)

    def check_labels(self, file, text):
        for match in re.finditer(r'(?<![\w:/@])//([\w/]*)(?=:[\w.]|[\s`/]|$)', text):
            package = match.group(1).rstrip('/')
            self.counts['labels'] += 1
            if package and package not in self.folders:
                self.complain(file, text, match.start(), 'there is no package //%s' % package)

    def files_named(self, file, word):
        """Returns the files of code that `word` can mean in a document."""
        here = os.path.normpath(os.path.join(os.path.dirname(file), word))
        exact = [path for path in (word, here) if path in self.words]
        return exact or [path for path in self.words if path.endswith('/' + word)]

    def check_identifiers(self, file, text):
        for match in re.finditer(r'`(\w*[A-Z]\w*|\w+(?=` in))`(?:\s+in\s+|\s+\()`([\w./-]+)`', text):
            places = self.files_named(file, match.group(2))
            self.counts['identifiers'] += 1
            if places and not any(match.group(1) in self.words[place] for place in places):
                self.complain(file, text, match.start(), 'there is no %s in %s' % match.groups())
        if file.startswith('docs/') or '/' not in file:
            return
        for match in re.finditer(r'`([A-Za-z_][\w:]*)(\(.*?\))?`', text):
            for word in re.findall(r'\w+', match.group(0)):
                self.counts['identifiers'] += 1
                if word not in self.all_words and not word.endswith('_test'):
                    self.complain(file, text, match.start(), 'no source has the word %s' % word)

    def check_debugger(self, file, text):
        place = re.compile(r'^(#\d+ )?.*[ :]([\w~]+) ?\(.*\)(?: at \.?/?([\w./-]+):(\d+)| from .*)$')
        lines, caller_of = text.split('\n'), None
        for i, line in enumerate(lines):
            match = place.match(line)
            if match and match.group(3) in self.words:
                self.counts['places'] += 1
                number = int(match.group(4))
                source = open(match.group(3), encoding='utf-8').read().split('\n')
                shown = source[number - 1] if number <= len(source) else ''
                below = lines[i + 1] if i + 1 < len(lines) else ''
                if below.startswith('%d\t' % number) and below != '%d\t%s' % (number, shown):
                    self.complaints.append('%s:%d: line %d of %s is another one' %
                                           (file, i + 2, number, match.group(3)))
                if match.group(1) and caller_of and caller_of + '(' not in shown:
                    self.complaints.append('%s:%d: line %d of %s does not call %s' %
                                           (file, i + 1, number, match.group(3), caller_of))
            caller_of = match.group(2) if match and match.group(1) else None

    def check_file(self, file):
        """Returns the paths that the file links to."""
        links = set()
        text = open(file, encoding='utf-8').read()
        prose = without_blocks(text)
        self.check_links(file, prose, links)
        self.check_words(file, prose)
        self.check_identifiers(file, prose)
        self.check_labels(file, text)
        self.check_debugger(file, text)
        return links


def number_in(file, pattern):
    found = re.search(pattern, ' '.join(open(file, encoding='utf-8').read().split()))
    return found and int(found[1])


def main(list_file):
    checker = Checker(open(list_file, encoding='utf-8').read().split('\n'))
    documents = sorted(file for file in checker.files if file.endswith('.md'))
    links = {file: checker.check_file(file) for file in documents}
    if 'docs/README.md' not in links['README.md']:
        checker.complaints.append('README.md: does not link to docs/README.md')
    in_readme = number_in('README.md', r'(\d+) different ones in \w+ libraries')
    in_verdicts = number_in('docs/verdicts/README.md', r'share findings\. (\d+) are different')
    if in_readme is None or in_readme != in_verdicts:
        checker.complaints.append('README.md: %s mistakes were found; docs/verdicts/README.md: %s' % (in_readme, in_verdicts))
    for guide in documents:
        if guide.startswith('docs/') and guide not in ('docs/README.md', *links['docs/README.md']):
            checker.complaints.append('docs/README.md: does not link to %s' % guide)
    for complaint in checker.complaints:
        print('FAILED: ' + complaint)
    print('%d documents, %d links, %d paths, %d labels, %d identifiers, %d places in gdb' %
          (len(documents), *checker.counts.values()))
    least = {'links': 20, 'paths': 100, 'identifiers': 80, 'places': 4}
    if len(documents) < 20 or any(checker.counts[what] < least[what] for what in least):
        print('FAILED: these are too few to be the tree')
        return 1
    return 1 if checker.complaints else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
