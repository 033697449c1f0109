"""Checks the documents and the man page of an installation.

usage: installed_documents.py PREFIX

* Each relative link of a document leads to an installed file, and to a heading of it.
* Each `examples/FILE` and `FILE.schema.json` is installed, but for tests.
* Each `tandem COMMAND` of a document or of the man page is a command of the installed program, and no `./tandem COMMAND` is:
  those are the launcher's.
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from docs_check import anchors  # noqa: E402


def commands_of(program):
    text = subprocess.run([program, 'help'], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r'^  ([a-z]+) ', text[text.index('Subcommands:'):], re.MULTILINE))


class Check:

    def __init__(self, prefix):
        self.share = os.path.join(prefix, 'share', 'tandem')
        self.prefix = prefix
        self.commands = commands_of(os.path.join(prefix, 'bin', 'tandem'))
        self.complaints = []
        self.counts = {'documents': 0, 'links': 0, 'files': 0, 'commands': 0}

    def links(self, file, text):
        for target, anchor in re.findall(r'\]\(([^)\s#]*)(?:#([^)\s]*))?\)', text):
            if '://' in target:
                continue
            self.counts['links'] += 1
            path = os.path.join(os.path.dirname(file), target) if target else file
            if not os.path.exists(path):
                self.complain(file, 'the link %s leads nowhere' % target)
            elif anchor and anchor not in anchors(open(path, encoding='utf-8').read()):
                self.complain(file, '%s has no heading for #%s' % (target, anchor))

    def files(self, file, text):
        for word in re.findall(r'`(examples/[\w./]+\.\w+|[\w./]+\.schema\.json)`', text):
            self.counts['files'] += 1
            if '_test.' not in word and not os.path.exists(os.path.join(self.share, word)):
                self.complain(file, 'there is no %s' % word)

    def named_commands(self, file, text):
        for launcher, command, rest in re.findall(r'(?<![\w/.])(\./)?tandem ([a-z]+)\b([^`\n]*)', text):
            typed = re.search(r'(`|^ *\$ |^    |^\.SS )(\./)?tandem %s\b' % command, text, re.MULTILINE)
            if not typed:
                continue  # this is prose, such as "Tandem computes"
            self.counts['commands'] += 1
            of_launcher = bool(launcher) and re.search(r'--(install|arch)\b', rest)
            if (command in self.commands) == bool(launcher) and not of_launcher:
                self.complain(file, 'the program is not what has %standem %s' % (launcher, command))

    def complain(self, file, message):
        self.complaints.append('%s: %s' % (os.path.relpath(file, self.prefix), message))

    def document(self, file):
        text = open(file, encoding='utf-8').read()
        self.counts['documents'] += 1
        self.links(file, text)
        self.files(file, text)
        self.named_commands(file, text)


def main(prefix):
    check = Check(prefix)
    for folder, _, names in os.walk(os.path.join(prefix, 'share')):
        for name in names:
            if name.endswith('.md') or name == 'tandem.1':
                check.document(os.path.join(folder, name))
    for complaint in check.complaints:
        print('FAILED: ' + complaint)
    print(check.counts)
    least = {'documents': 15, 'links': 100, 'files': 5, 'commands': 60}
    few = [what for what in least if check.counts[what] < least[what]]
    if few:
        print('FAILED: too few %s to be all' % few)
    return 1 if few or check.complaints else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
