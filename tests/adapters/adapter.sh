#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# An adapter of contrib/adapters, run as an experiment runs it, against the program that it adapts. Status 77: that program
# is not here.
#     BNB_PROGRAM=build/release/bnbench tests/adapters/adapter.sh pgmpy
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
peer=$1
skip() {
    echo "Skipped: $*"
    exit 77
}
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    [ ! -f errors ] || cat errors >&2
    [ ! -d store ] || "$BNB_PROGRAM" status store --why >&2
    exit 1
}
has_python() { python3 -c "import importlib.metadata as m; m.version('$1')" 2>/dev/null || skip "python3 has no $1"; }
has_r() { Rscript --vanilla -e "quit(status = !requireNamespace('$1', quietly = TRUE))" >/dev/null 2>&1 || skip "R has no $1"; }

# A learner a line; its words behind DATA GRAPH. What is "exact" finds the skeleton of asia in 20,000 rows with up to two
# edges too few or too many; anything else is run only, as hill climbing, whose graph hangs on the order of the columns.
# `strict` and `lax` name the learners of two levels of a test, of which the second keeps edges that are none.
network=asia rows=20000 strict='' lax=''
case $peer in
pgmpy)
    has_python pgmpy
    start="python3, learn_pgmpy.py"
    exact="GES, scoring_method=bdeu, equivalent_sample_size=1"
    others="HillClimbSearch, scoring_method=bdeu, equivalent_sample_size=1
PC, ci_test=chi_square
TreeSearch" ;;
causal-learn)
    has_python causal-learn
    start="python3, learn_causal_learn.py"
    exact="ges"
    others="pc, alpha=0.01
boss
grasp" ;;
pyagrum)
    has_python pyagrum
    start="python3, learn_pyagrum.py"
    exact="MIIC"
    others="GreedyHillClimbing, useScoreBDeu=()
LocalSearchWithTabuList, setMaxIndegree=3
PC, setPCAlpha=0.01" ;;
flop)
    has_python flopsearch
    start="python3, learn_flop.py"
    network=$root/tests/adapters/chain.json
    exact="flop, restarts=5"
    others="flop, lambda_bic=1.5, restarts=5" ;;
bnlearn)
    has_r bnlearn
    start="Rscript, --vanilla, learn_bnlearn.R"
    exact="pc.stable, alpha=0.01"
    others="hc, score=bde, iss=1
mmhc
mmpc
chow.liu" ;;
pcalg)
    has_r pcalg
    start="Rscript, --vanilla, learn_pcalg.R"
    exact="pc, alpha=0.01"
    others="skeleton, alpha=0.01" ;;
tetrad)
    java -cp "${CLASSPATH:-}" "$root/tests/adapters/HasTetrad.java" >/dev/null 2>&1 || skip "CLASSPATH names no Tetrad that this Java reads"
    start="java, LearnTetrad.java"
    exact="Fges, score=BdeuScore, priorEquivalentSampleSize=1"
    others="Pc, test=GSquare, alpha=0.01
Boss, score=DiscreteBicScore
Pc, test=GSquare, alpha=0.9"
    strict=other1 lax=other3 ;;
esac

D=$(mktemp -d)
trap 'rm -rf -- "$D"' EXIT
cp "$root"/contrib/adapters/*.* "$D" && cd "$D" || exit 1
{
    echo "name: peers"
    echo "networks: [$network]"
    echo "data: {samples: $rows}"
    echo "limits: {time: 5min}"
    echo "learners:"
    echo "  - {id: exact, command: [$start, \"{data}\", \"{graph}\", $exact]}"
    echo "$others" | awk -v start="$start" '{printf "  - {id: other%d, command: [%s, \"{data}\", \"{graph}\", %s]}\n", NR, start, $0}'
    echo "  - {id: wrong, command: [$start, \"{data}\", \"{graph}\", no-such-algorithm]}"
} >peers.yaml
"$BNB_PROGRAM" run peers.yaml --store store --quiet >out 2>errors
[ $? = 6 ] || fail "status is not that of a run of which one cell fails"
n=$(echo "$others" | wc -l)
figures=$("$BNB_PROGRAM" status store --json | tr -d ' \n')
case $figures in *"\"done\":$((n + 1)),"*) ;; *) fail "not every learner has a graph: $figures" ;; esac
"$BNB_PROGRAM" status store --why | grep -q 'wrong: failed.*it said' || fail "the unknown algorithm is not refused"
job_of() { "$BNB_PROGRAM" job store "$(basename "$network" .json)/$rows/1/$1" --json | tr -d ' \n'; }
figure() { echo "$job" | sed -n "s/.*\"$1\":\([0-9.e-]*\).*/\1/p"; }
if [ "$strict" ]; then
    job=$(job_of "$strict")
    few=$(figure extra_edges)
    job=$(job_of "$lax")
    awk -v few="$few" -v many="$(figure extra_edges)" 'BEGIN {exit !(few != "" && few + 0 < many + 0)}' ||
        fail "the level makes no difference: $few edges too many by $strict, and by $lax: $job"
fi
job=$(job_of exact)
awk -v extra="$(figure extra_edges)" -v missing="$(figure missing_edges)" 'BEGIN {exit !(extra != "" && extra + missing <= 2)}' ||
    fail "exact has not the skeleton: $job"
awk -v own="$(figure learning_time)" -v all="$(figure time)" 'BEGIN {exit !(own != "" && own >= 0 && own <= all)}' ||
    fail "learning takes longer than the program: $job"
echo "$job" | grep -q '"message":"[a-z-]*[0-9]' || fail "no version: $job"
echo "Passed."
