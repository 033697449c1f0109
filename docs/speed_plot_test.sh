#!/bin/sh
# The picture of the README is drawn from the table of docs/performance_by_machine.md.
set -eu
python3 docs/speed_plot.py docs/performance_by_machine.md docs/speed.svg --check
