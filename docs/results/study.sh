#!/bin/sh
# The study of docs/results: every method is searched for on validation with the same number of draws, then all are
# compared on test with three seeds. Interrupted, the same command goes on; finished trainings are not done again.
#
#   study.sh search  SET OUT [METHOD...]   search for each method; the winner is OUT/settings/METHOD.yaml
#   study.sh compare SET OUT [METHOD...]   train the winners and write OUT/study/results.md
#   study.sh publish SET OUT               copy the results beside this script, and the table of all methods into the pages here
#
# SET is citeulike-a, ml-1m or ml-100k (a folder of that name in $DATA, by default the current one), citeulike-a-large, the
# same data with ranks up to 1000 for WMF, bagging and greedy alike, groups or one-group, embedded data with planted tastes,
# or demo, embedded data to try the script. METHOD is a name that `pecf-run reproduce` knows; all of them unless named, of
# citeulike-a-large those that its ranks concern. PECF, L2Boost and boosted PECF, which have options of their own, also try
# the winner of WMF with these at their defaults, if it is known.
# greedy and stacked have no search of their own: their members are the winners of the filters and of the ensembles' filters
# found so far, or the BEST settings of each of these searches, and for stacked also ramps over popularity.
# PECF names the launcher, DRAWS the number of draws, THREADS the number of threads, LIMIT the processor seconds after which
# a draw is given up.
set -eu

step=$1
set=$2
out=$3
shift 3
PECF=${PECF:-pecf-run}
DATA=${DATA:-.}
THREADS=${THREADS:-1}
METHODS="wmf capacity bagging pecf l2boost boosted rand-em l2-em bpr ease item-knn user-knn rp3beta
  rankboost llorma cccf ens-nmf baccams greedy stacked"
newline='
'
BEST=${BEST:-1}
limit=${LIMIT:+--trial-seconds=$LIMIT}

# What a data set decides. The methods made of WMF share the ranges of penalty, confidence, exponent and sweeps, so draw
# 7 of one is draw 7 of the other; equal capacity has five times the rank (and stronger penalties where that is known to
# need them). A component of a mixture sees its part of every weight, so its penalties are that part of the others'.
exponent='wmf.frequency-exponent={0,0.5,1}'
large=
components=5
measured="--cutoffs=20,50,100,200$newline--select=recall@50"
deviation=log:0.3..1
longest=ndcg@200
ramps=popularity-ramp:from=0.125:to=1,popularity-ramp:from=1:to=4,popularity-ramp:from=4:to=16
local='{5,10,20,40}' clusters='{2,4,8,16}' stages='{5,10,20,40}'
case $set in
  citeulike-a)
    draws=8
    source="--data=$DATA/citeulike-a"
    base="--rank 150 --lambda 0.7 --confidence 1:0.01 --iterations 5 --set wmf.frequency-exponent=0"
    rank='{150}' five='{750}' component='{150}' components=3 deviation=log:0.5..1
    lambda=log:0.15..4 large=log:0.4..8 part=log:0.05..1.3 zeros='{1:0.001,1:0.003,1:0.01,1:0.03}' sweeps='{5,8}'
    exponent='wmf.frequency-exponent={0,1}'
    rate=log:0.02..0.2 decay=log:0.003..0.1
    ease=log:3.5..350 shares='{0.0006,0.003,0.0125}' ;;
  citeulike-a-large)
    METHODS="wmf bagging ease item-knn user-knn rp3beta greedy stacked"
    draws=8
    source="--data=$DATA/citeulike-a"
    base="--rank 500 --lambda 3 --confidence 1:0.006 --iterations 8 --set wmf.frequency-exponent=1"
    rank='{150,300,500,750,1000}' five=$rank component=$rank
    lambda=log:0.4..8 part=log:0.15..2.7 zeros='{1:0.003,1:0.006,1:0.01,1:0.003:0.5,1:0.006:0.5}' sweeps='{8}'
    exponent='wmf.frequency-exponent={0,1}'
    rate=log:0.02..0.2 decay=log:0.003..0.1
    ease=log:3.5..350 shares='{0.0006,0.003,0.0125}' ;;
  ml-1m)
    draws=6
    source="--data=$DATA/ml-1m$newline--format=citeulike"
    base="--rank 100 --lambda 9 --confidence 1:0.03 --iterations 5 --set wmf.frequency-exponent=0"
    rank='{100,200}' five='{500,1000}' component='{40,60}'
    lambda=log:4..16 part=log:0.8..3.2 zeros='{1:0.03,1:0.1}' sweeps='{5,8}'
    rate=log:0.02..0.2 decay=log:0.003..0.1
    ease=log:20..2000 shares='{0.0035,0.017,0.07}' ;;
  ml-100k)
    draws=30
    source="--data=$DATA/ml-100k/u.data$newline--positive=>=4"
    base="--rank 50 --lambda 10 --confidence 1:0.1 --iterations 5 --set wmf.frequency-exponent=1"
    rank='{20,40,60,100,150}' five='{100,200,300,500,750}' component='{20,40,60}'
    lambda=log:1..20 part=log:0.2..4 zeros='{1:0.01,1:0.03,1:0.1,1:0.2}' sweeps='{5,8,12}'
    rate=log:0.02..0.3 decay=log:0.001..0.1
    ease=log:10..1000 shares='{0.01,0.05,0.2}' ;;
  groups | one-group)
    draws=12
    source="--data=builtin:$set$newline--cutoffs=20,50,100,200"
    measured=--select=recall@50
    base="--rank 6 --lambda 2 --confidence 1:0.1 --iterations 8"
    rank='{6}' five='{30}' component='{6}'
    lambda=log:0.5..20 part=log:0.1..4 zeros='{1:0.03,1:0.1,1:0.3}' sweeps='{5,8,12}'
    rate=log:0.02..0.3 decay=log:0.001..0.1
    ease=log:3..300 shares='{0.03,0.1,0.3}' ;;
  demo)
    draws=2
    source="--data=builtin:demo$newline--cutoffs=10,20,50"
    measured=--select=recall@20
    longest=ndcg@50
    base="--rank 4 --lambda 1 --confidence 1:0.1 --iterations 2"
    rank='{2,4}' five='{10,20}' component='{2,4}'
    lambda=log:0.5..5 part=log:0.1..1 zeros='{1:0.03,1:0.1}' sweeps='{1,2}'
    local='{2,4}' clusters='{2,3}' stages='{2,4}'
    rate=log:0.02..0.2 decay=log:0.003..0.1
    ease=log:1..100 shares='{0.05,0.2}' ;;
  *)
    echo "study.sh: there is no set $set. Name citeulike-a, citeulike-a-large, ml-1m, ml-100k, groups, one-group or demo." >&2
    exit 2 ;;
esac
draws=${DRAWS:-$draws}
[ $# -gt 0 ] || set -- $METHODS

# Print words one a line.
lines() {
  printf '%s' "$1" | tr -s ' \n' '\n'
}

# Print the options of the search for a method.
space() {
  filter="--filter=$1 --construction=single"
  wmf="--search=lambda=$lambda --search=confidence=$zeros --search=$exponent --search=iterations=$sweeps"
  weighting="--search=nu=log:2..100 --search=sigma=log:0.3..1.5"
  mixture="--construction=em --components=$components --em-iterations=4 --search=rank=$component --search=lambda=$part
    --search=confidence=$zeros --search=$exponent --search=iterations={1,2} --search=em-deviation=$deviation"
  case $1 in
    wmf) echo "--construction=single --search=rank=$rank $wmf" ;;
    capacity)
      [ -z "$large" ] || lambda=$large
      space wmf | sed "s/rank=$rank/rank=$five/" ;;
    bagging) echo "--construction=bagging --rounds=4 --search=rank=$rank $wmf" ;;
    pecf) echo "--rounds=4 --search=rank=$rank $wmf $weighting" ;;
    l2boost) echo "--construction=l2boost --rounds=4 --search=rank=$rank $wmf --search=shrinkage=0.1..1" ;;
    boosted) echo "--construction=boosted --rounds=4 --search=rank=$rank $wmf $weighting --search=shrinkage=0.1..1" ;;
    rand-em) echo "--em-start=random $mixture" ;;
    l2-em) echo "--em-start=l2boost $mixture" ;;
    bpr) echo "$filter --search=rank={20,40,60,100,150} --search=iterations={30,60,120,240}
      --search=bpr.learning-rate=$rate --search=lambda=$decay --search=bpr.negatives={uniform,popularity}" ;;
    ease) echo "$filter --search=lambda=$ease --search=ease.activity-exponent=0..0.5" ;;
    item-knn) echo "$filter --search=item-knn.neighbours={10,20,50,100,200,500,1000}
      --search=item-knn.shrinkage=log:0.1..100" ;;
    user-knn) echo "$filter --search=user-knn.neighbours={50,100,200,500,1000} --search=user-knn.idf=0..1
      --search=user-knn.locality=0.3..3 --search=user-knn.beta=0..0.6" ;;
    rp3beta) echo "$filter --search=rp3beta.neighbours={100,300,1000,3000} --search=rp3beta.alpha=0.3..1.5
      --search=rp3beta.beta=0..0.6" ;;
    baccams) echo "$filter --search=baccams.stencils={2,5,10,20} --search=baccams.clusters={4,8,16,32}
      --search=baccams.deviation=log:0.03..0.5 --search=baccams.noise-scale=log:0.01..1
      --search=baccams.negatives=$shares --search=baccams.burn-in={20,50} --search=confidence={1:0.01,1:0.1,1:1}" ;;
    rankboost) echo "--construction=progressive --weighting=rankboost --rounds=4 --search=rank=$rank $wmf
      --search=rankboost.rate=log:0.3..10" ;;
    llorma) echo "$filter --search=llorma.anchors={2,3,4,6} --search=llorma.bandwidth=log:0.8..3 $(local_wmf llorma)" ;;
    cccf) echo "$filter --search=cccf.clusters=$clusters --search=cccf.threshold=log:0.02..0.5 $(local_wmf cccf)" ;;
    ens-nmf) echo "$filter --search=ens-nmf.stages=$stages --search=rank={2,5,10} --search=iterations={10,30,100}" ;;
    *)
      echo "study.sh: there is no search for $1. There are: $METHODS" >&2
      exit 2 ;;
  esac
}

# Print the options of local factorisations by a filter: those of WMF with smaller ranks.
local_wmf() {
  echo "--search=rank=$local --search=lambda=$lambda --search=confidence=$zeros --search=iterations=$sweeps
    --search=$1.${exponent#wmf.}"
}

# Print what makes the winner of WMF an ensemble of this method with the method's own options at their defaults; nothing
# for a method that has no options beside those of WMF, so that this setting is among its draws already.
defaults() {
  case $1 in
    pecf) echo "--construction=progressive --rounds=4 --search=nu={10} --search=sigma={1}" ;;
    l2boost) echo "--construction=l2boost --rounds=4 --search=shrinkage={0.5}" ;;
    boosted) echo "--construction=boosted --rounds=4 --search=nu={10} --search=sigma={1} --search=shrinkage={0.5}" ;;
  esac
}

# Print the filter of a winner with its settings, as a member of a plan. In the C locale: a Turkish range from a to z has no
# i, and Turkish numbers have a comma.
member() {
  LC_ALL=C sed -n 's/^ *\([a-z0-9.-]*\): "\(.*\)"$/\1 \2/p' "$1" | LC_ALL=C sort | LC_ALL=C awk '
    $1 == "filter" { filter = $2 }
    $1 ~ /^(rank|lambda|confidence|iterations)$|\./ { sub(/.*\./, "", $1); settings = settings ":" $1 "=" $2 }
    END { print (filter ? filter : "wmf") settings }'
}

# Print the BEST settings of a search as members of a plan, one a line.
drawn() {
  case $1 in ease | item-knn | user-knn | rp3beta) filter=$1 ;; *) filter=wmf ;; esac
  LC_ALL=C sed -n 's/.*"setting":{\([^}]*\)}.*"score":\([0-9.eE-]*\).*/\2 \1/p' "$out/search/$1/trials.jsonl" |
    LC_ALL=C sort -g -r | head -n "$BEST" | LC_ALL=C awk -v filter="$filter" '{
      sub(/^[^ ]* /, "")
      count = split($0, options, /","/)
      for (k = 1; k <= count; k++) {
        gsub(/"/, "", options[k])
        for (j = k; j > 1 && options[j] < options[j - 1]; j--) {
          earlier = options[j - 1]; options[j - 1] = options[j]; options[j] = earlier
        }
      }
      settings = ""
      for (k = 1; k <= count; k++) {
        name = options[k]; sub(/:.*/, "", name)
        value = options[k]; sub(/^[^:]*:/, "", value)
        if (name ~ /^(rank|lambda|confidence|iterations)$|^(wmf|ease|item-knn|user-knn|rp3beta)\./) {
          sub(/.*\./, "", name)
          settings = settings ":" name "=" value
        }
      }
      print filter settings
    }'
}

# Print the plan of the mixture of the winners that are known, or of the best settings of each search, each once.
plan() {
  for winner in wmf capacity bagging pecf ease item-knn user-knn rp3beta; do
    if [ -f "$out/settings/$winner.yaml" ]; then
      if [ "$BEST" -gt 1 ] && [ -f "$out/search/$winner/trials.jsonl" ]; then
        drawn "$winner"
      else
        member "$out/settings/$winner.yaml"
      fi
    fi
  done | awk '!seen[$0]++' | paste -s -d , -
}

# Print the validation metric of a winner, which stands in its first line.
score() {
  sed -n '1s/.* \([0-9.]*\) on validation.*/\1/p' "$1"
}

# Words are divided on purpose below, at the ends of lines: no option holds one, but the name of a folder may hold a space.
IFS=$newline
# shellcheck disable=SC2086
case $step in
  search)
    mkdir -p "$out/settings"
    for method; do
      case $method in
        greedy)
          printf 'construction: greedy\nfilter: "%s"\n' "$(plan)" > "$out/settings/greedy.yaml"
          continue ;;
        stacked)
          printf 'construction: greedy\nweights: stacked\nselect: "%s"\nfilter: "%s,%s"\n' \
            "$longest" "$(plan)" "$ramps" > "$out/settings/stacked.yaml"
          continue ;;
      esac
      options=$(space "$method") # on its own line, so that an unknown method ends the script
      search=$out/search/$method
      "$PECF" tune $source --threads "$THREADS" $(lines "$options") $limit --trials "$draws" --out "$search"
      cp "$search/best.yaml" "$out/settings/$method.yaml"
      options=$(defaults "$method")
      if [ -n "$options" ] && [ -f "$out/settings/wmf.yaml" ]; then
        defaults=$search-defaults-$(cksum < "$out/settings/wmf.yaml" | cut -d ' ' -f 1) # more draws may find another winner
        "$PECF" tune --config "$out/settings/wmf.yaml" --threads "$THREADS" $(lines "$options") --trials 1 \
          --out "$defaults"
        better=$(printf '%s\n' "$(score "$search/best.yaml")" "$(score "$defaults/best.yaml")" | LC_ALL=C sort -g | tail -n 1)
        [ "$better" = "$(score "$search/best.yaml")" ] || cp "$defaults/best.yaml" "$out/settings/$method.yaml"
      fi
    done ;;
  compare)
    only=recall,rounds,popularity
    tuned=
    against=
    for method; do
      only=$only,$method
      tuned="$tuned--tuned=$method=$out/settings/$method.yaml$newline"
      case $method in
        pecf) against="$method $against" ;; # the first one has columns in the table of all methods
        bagging | wmf | capacity) against="$against $method" ;;
      esac
    done
    against=$(echo "$against" | tr -s ' ' ',' | sed 's/^,//; s/,$//')
    "$PECF" reproduce $source $measured --threads "$THREADS" --rounds 4 $(lines "$base") --seeds 3 --only "$only" \
      ${against:+--against=$against} $tuned --out "$out/study" ;;
  publish)
    pages=${PAGES:-$(dirname "$0")}
    mkdir -p "$pages/$set"
    for part in study/results.md study/results.json settings; do
      cp -R "$out/$part" "$pages/$set/"
    done
    for page in "$pages"/*.md; do
      awk -v start="<!-- overview of $set -->" -v results="$out/study/results.md" '
        !skipped
        $0 == start {
          skipped = 1
          print ""
          while ((getline line < results) > 0) {
            if (line ~ /^## /) wanted = line == "## All methods"
            if (wanted && line ~ /^[|]/) print line
          }
        }
        $0 == "<!-- end -->" && skipped { skipped = 0; print ""; print }' "$page" > "$page.new"
      mv "$page.new" "$page"
    done ;;
  *)
    echo "study.sh: $step is no step. Say search, compare or publish." >&2
    exit 2 ;;
esac
