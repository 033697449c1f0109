#!/bin/sh
# This job of continuous integration has a plugin judged, and says which verdicts changed since the last run.
#
#     usage: judge.sh PLUGIN [OPTION OF tandem check...]
#
# known.txt in the current directory, if it is there, is a file of known departures, as `tandem check --write-known=known.txt`
# writes it. report/ is this run's report, with junit.xml; last/, which a job keeps from run to run, the last good one.
# Ends with 0 if nothing is wrong, or only what known.txt explains, and nothing got worse; else with 1, or as check ended.
set -u
[ $# -ge 1 ] || {
  sed -n '4,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
plugin=$1
shift
[ ! -e known.txt ] || set -- --known=known.txt "$@"
code=0
tandem check --impl="$plugin" --report=report "$@" || code=$?
case $code in
  0 | 4 | 5) ;; # 4: only known departures; 5: a part was refused
  *) exit $code ;;
esac
if [ -e last/report.json ]; then
  tandem compare last report || exit 1
fi
rm -rf last && cp -R report last
