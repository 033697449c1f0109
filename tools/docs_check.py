"""Checks that what the Markdown files name exists.

usage: docs_check.py LIST    LIST has the path of every file of the source tree, one a line

* The target of every relative link exists, and so does the heading that a link's #anchor names.
* Every path in `backticks` exists. A path is a word with a slash whose first folder is in the tree, or a word that ends
  in the suffix of a source file. `kernels_*.cc` is a pattern; so are `cmd_NAME.cc`, where NAME stands for any word, and
  `-inl.h`, the end of a name.
* Every `name_test` is the name of a test's file, and every //package:target has a package.
* docs/README.md and README.md link to every guide, which is every other Markdown file below docs/.
"""

import fnmatch
import os
import re
import sys

SOURCE = r'\.(h|hpp|c|cc|inc|md|sh|py|awk|bzl|BUILD)$'


def without_blocks(text):
    """The text with fenced blocks emptied; line numbers stay."""
    lines, inside = [], False
    for line in text.split('\n'):
        fence = line.lstrip().startswith('```')
        lines.append('' if inside or fence else line)
        inside ^= fence
    return '\n'.join(lines)


def anchors(text):
    """The anchors that GitHub gives to the headings of a file."""
    headings = re.findall(r'^#+ (.*)$', without_blocks(text), re.MULTILINE)
    return {re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-') for heading in headings}


class Checker:

    def __init__(self, files):
        self.files = set(files)
        self.names = {os.path.basename(file) for file in files}
        self.folders = {file[:i] for file in files for i, c in enumerate(file) if c == '/'}
        self.top = {folder for folder in self.folders if '/' not in folder}
        self.complaints = []
        self.counts = {'links': 0, 'paths': 0, 'labels': 0}

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
            elif anchor and anchor not in anchors(open(path, encoding='utf-8').read()):
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
            in_tree = '/' in word and word.split('/')[0] in self.top
            if re.fullmatch(r'[\w.*/+-]+', word) and (in_tree or re.search(SOURCE, word)):
                self.counts['paths'] += 1
                if not self.path_exists(file, word):
                    self.complain(file, text, match.start(), 'there is no %s' % word)
            elif re.fullmatch(r'[a-z0-9_]+_test', word):
                self.counts['paths'] += 1
                if not any(fnmatch.fnmatchcase(name, word + '.*') for name in self.names):
                    self.complain(file, text, match.start(), 'there is no test %s' % word)

    def check_labels(self, file, text):
        for match in re.finditer(r'(?<![\w:/@])//([\w/]*)(?=:[\w.]|[\s`/]|$)', text):
            package = match.group(1).rstrip('/')
            self.counts['labels'] += 1
            if package and package not in self.folders:
                self.complain(file, text, match.start(), 'there is no package //%s' % package)

    def check_file(self, file):
        """Returns the paths that the file links to."""
        links = set()
        text = open(file, encoding='utf-8').read()
        prose = without_blocks(text)
        self.check_links(file, prose, links)
        self.check_words(file, prose)
        self.check_labels(file, text)
        return links


def main(list_file):
    checker = Checker(open(list_file, encoding='utf-8').read().split('\n'))
    documents = sorted(file for file in checker.files if file.endswith('.md'))
    links = {file: checker.check_file(file) for file in documents}
    for index in ('README.md', 'docs/README.md'):
        for guide in documents:
            if guide.startswith('docs/') and guide not in ('docs/README.md', *links.get(index, ())):
                checker.complaints.append('%s: does not link to %s' % (index, guide))
    for complaint in checker.complaints:
        print('FAILED: ' + complaint)
    print('%d documents, %d links, %d paths, %d labels' % (len(documents), *checker.counts.values()))
    if len(documents) < 20 or checker.counts['links'] < 20 or checker.counts['paths'] < 100:
        print('FAILED: these are too few to be the tree')
        return 1
    return 1 if checker.complaints else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
