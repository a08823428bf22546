#!/bin/sh
# The related work of the paper beside the study of this folder: the same protocol, the same ranges of what methods share,
# and as many draws. Interrupted, the same command goes on with the search.
#
#   related.sh search SET OUT [METHOD...]   search for each method; the winner is OUT/settings/METHOD.yaml
#   related.sh train  SET OUT [METHOD...]   train the winners with seeds 1 to 3 and print their metrics on test
#
# SET is ml-100k (a folder of that name in $DATA, by default the current one), or demo, the embedded data, to try the
# script. METHOD is llorma, cccf, ens-nmf or rankboost; all of them unless named. `train` also knows the methods of
# study.sh whose settings are in OUT/settings. PECF names the launcher, DRAWS the number of draws, THREADS the number of
# threads.
set -eu

step=$1
set=$2
out=$3
shift 3
PECF=${PECF:-pecf-run}
DATA=${DATA:-.}
THREADS=${THREADS:-1}
METHODS="llorma cccf ens-nmf rankboost"
newline='
'
[ $# -gt 0 ] || set -- $METHODS

case $set in
  ml-100k)
    draws=30
    source="--data=$DATA/ml-100k/u.data$newline--positive=>=4"
    rank='{20,40,60,100,150}' local='{5,10,20,40}' clusters='{2,4,8,16}'
    lambda=log:1..20 zeros='{1:0.01,1:0.03,1:0.1,1:0.2}' sweeps='{5,8,12}' ;;
  demo)
    draws=2
    source="--data=builtin:demo$newline--cutoffs=10,20,50"
    rank='{2,4}' local='{2,4}' clusters='{2,3}'
    lambda=log:0.5..5 zeros='{1:0.03,1:0.1}' sweeps='{1,2}' ;;
  *)
    echo "related.sh: there is no set $set. Name ml-100k or demo." >&2
    exit 2 ;;
esac
draws=${DRAWS:-$draws}

# Print words one a line.
lines() {
  printf '%s' "$1" | tr -s ' \n' '\n'
}

# Print the options that factorisations share, of a filter and with ranks.
factorisation() {
  echo "--search=rank=$2 --search=lambda=$lambda --search=confidence=$zeros
    --search=$1.frequency-exponent={0,0.5,1} --search=iterations=$sweeps"
}

# Print the options of the search for a method.
space() {
  filter="--filter=$1 --construction=single"
  case $1 in
    llorma) echo "$filter --search=llorma.anchors={2,3,4,6} --search=llorma.bandwidth=log:0.8..3
      $(factorisation llorma "$local")" ;;
    cccf) echo "$filter --search=cccf.clusters=$clusters --search=cccf.threshold=log:0.02..0.5
      $(factorisation cccf "$local")" ;;
    ens-nmf) echo "$filter --search=ens-nmf.stages={5,10,20,40} --search=rank={2,5,10} --search=iterations={10,30,100}" ;;
    rankboost) echo "--construction=progressive --weighting=rankboost --rounds=4 --search=rankboost.rate=log:0.3..10
      $(factorisation wmf "$rank")" ;;
    *)
      echo "related.sh: there is no search for $1. There are: $METHODS" >&2
      exit 2 ;;
  esac
}

# Words are divided on purpose below, at the ends of lines: no option holds one, but the name of a folder may hold a space.
IFS=$newline
# shellcheck disable=SC2086
case $step in
  search)
    mkdir -p "$out/settings"
    for method; do
      options=$(space "$method") # on its own line, so that an unknown method ends the script
      "$PECF" tune $source --threads "$THREADS" $(lines "$options") --trials "$draws" --out "$out/search/$method"
      cp "$out/search/$method/best.yaml" "$out/settings/$method.yaml"
    done ;;
  train)
    for method; do
      for seed in 1 2 3; do
        "$PECF" --config "$out/settings/$method.yaml" --threads "$THREADS" --seed "$seed" --out "$out/runs/$method-$seed"
      done
    done ;;
  *)
    echo "related.sh: $step is no step. Say search or train." >&2
    exit 2 ;;
esac
