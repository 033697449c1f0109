#!/bin/sh
# The picture and the figures of the README are those of the table of docs/performance_by_machine.md.
set -eu
python3 docs/speed_plot.py docs/performance_by_machine.md docs/speed.svg README.md
