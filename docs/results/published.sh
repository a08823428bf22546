#!/usr/bin/env bash
# Measure filters and races on published divisions: settings are chosen with a tenth of the training file held out,
# then trained on the whole of it and measured on the test file.
#
#   published.sh LAUNCHER DATA OUT [DATASET...]
#
# LAUNCHER is bin/pecf-run, DATA the folder that holds gowalla-lightgcn/ and ml-1m-lcfn/ (train.csv.gz, test.csv.gz),
# OUT a folder for the models, where rows that are there are not measured again.
set -eu
TIMEFORMAT='%U %S'
[ $# -ge 3 ] || { sed -n '2,9p' "$0" >&2; exit 2; }
launcher=$1 data=$2 out=$3
shift 3
[ $# -gt 0 ] || set -- gowalla-lightgcn ml-1m-lcfn
mkdir -p "$out"

row() {
  set_name=$1 name=$2
  shift 2
  folder=$out/$set_name-$name
  if [ ! -f "$folder/metrics.json" ]; then
    { time "$launcher" --quiet --data "$data/$set_name/train.csv.gz" \
      --test-data "$data/$set_name/test.csv.gz" --split files --cutoffs 20,50 \
      --final training,validation --out "$folder" --overwrite "$@" >"$folder.log" 2>&1; } 2>"$folder.seconds" ||
      { cat "$folder.log" >&2; return 1; }
  fi
  python3 - "$folder/metrics.json" "$folder.seconds" "$name" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
part, test = run["metrics"]["test"], run["refit"]["metrics"]["test"]
seconds = sum(map(float, open(sys.argv[2]).read().split()))
print("| %s | %.4f / %.4f | %.4f / %.4f | %.0f | %d |" % (sys.argv[3], part["recall@20"], part["ndcg@20"], test["recall@20"],
      test["ndcg@20"], seconds, run["refit"]["members"]))
END
}

for set_name in "$@"; do
  printf '\n%s, Recall@20 / NDCG@20\n\n| row | trained on nine tenths | trained on all | CPU s | members |\n|---|---|---|---:|---:|\n' "$set_name"
  row "$set_name" popularity --filter popularity --construction single --effort none
  for filter in wmf graph-filter rp3beta user-knn item-knn ease softmax; do
    row "$set_name" "$filter" --filter "$filter" --construction single --effort quick --select ndcg@20
  done
  row "$set_name" quick --effort quick --select ndcg@20
  row "$set_name" normal --effort normal --select ndcg@20
  row "$set_name" half-an-hour --budget 30m --select ndcg@20
done
