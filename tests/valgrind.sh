#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command once under valgrind, the processes that it starts too: no invalid access, no use of what was never set, no
# leak. valgrind.sh PROGRAM. Skipped without valgrind.
set -u
program=$1 suppressions=$(cd -- "$(dirname -- "$0")" && pwd)/valgrind.supp
command -v valgrind >/dev/null 2>&1 || { echo 'skipped: there is no valgrind (Debian: valgrind)'; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch" || exit 5
unset BNBENCH_NETWORKS BNBENCH_DATASETS
export BNBENCH_CACHE="$scratch/cache" TMPDIR="$scratch" failed=0 called=' '
cat >small.yaml <<'YAML'
name: small
networks: [asia]
data: {samples: [50], replicates: 2, test_samples: 10}
learners: [hc, {id: own, command: [sh, "-c", "printf 'from,to,type\nasia,tub,directed\n' >$0", "{graph}"]}]
metrics: [shd, edges, time]
tables: [{id: t, metric: shd, rows: samples, columns: learner}]
tests: [{id: w, test: wilcoxon, metric: shd}]
YAML
sed 's/, {id: own.*/]/; s/^tests.*//; s/^name:.*/name: inner/' small.yaml >inner.yaml
printf 'net,hc,chc\na,1,2\nb,1,3\nc,2,1\n' >blocks.csv
printf 'x,y\n0.5,1.5\n0.25,2.5\n0.75,3.5\n1.5,0.5\n2.5,0.75\n3.5,0.125\n' >reals.csv

call() { # expected status, command...
    expected=$1
    shift
    case $called in *" $1 "*) ;; *) called="$called$1 " ;; esac
    valgrind -q --trace-children=no --error-exitcode=99 --suppressions="$suppressions" --leak-check=full \
        --show-leak-kinds=definite --errors-for-leak-kinds=definite "$program" "$@" >out 2>errors
    status=$?
    if [ $status -ne "$expected" ] || grep -q '^==[0-9]*== \(Invalid\|Conditional\|Use of\|Syscall param\)' errors; then
        printf 'bnbench %s: status %s, expected %s\n' "$*" "$status" "$expected"
        grep '^==' errors | head -n 30
        [ $status -eq 99 ] || tail -n 3 errors
        failed=1
    fi
}

call 0 sample asia -n 100 -o data.csv
call 0 learn hc data.csv --network asia -o learned.csv
call 0 learn mmpc data.csv --json
call 0 learn ges data.csv
call 0 learn pc-stable data.csv
call 0 discretize eqfreq reals.csv -o words.csv
call 0 score bdeu learned.csv data.csv --by-node
call 0 test g2 data.csv asia tub --given smoke
call 0 compare learned.csv asia --json
call 0 fit asia data.csv -o fitted.bif
call 0 convert asia asia.dot
call 0 tile asia --copies 2 --arcs 1 -o tiled.bif
call 0 info asia
call 0 info small.yaml
call 0 list learners
call 0 stats friedman blocks.csv
call 0 run small.yaml --store store --quiet
call 0 status store
call 0 report store --format html
call 0 job store asia/50/1/hc --repeat
call 0 diff store store
call 0 explain store t 50 hc
call 0 init data.csv -o first.yaml
printf '%s' '{"benchmark_setup": {"data": [{"parameters_id": "asia.rds", "data_id": "s", "seed_range": [1, 2]}], "evaluation": {
"benchmarks": {"ids": ["h", "g", "u"], "path": true}}}, "resources": {"data": {"iid": [{"id": "s", "n": [80]}]},
"structure_learning_algorithms": {"bnlearn_hc": [{"id": "h", "score": "bde", "iss": [0.1, 2]}], "gobnilp": [{"id": "u"}],
"pcalg_pc": [{"id": "g", "indepTest": "disCItest", "alpha": 0.1}]}}}' >config.json
call 1 import benchpress config.json -o imported.yaml
call 0 run imported.yaml --dry-run
call 0 plan inner.yaml plan
call 0 work plan
call 0 collect plan collected
call 0 nightly inner.yaml --history nights --quiet
call 4 reproduce nosuch --stores reproduced --quiet
call 4 networks fetch nosuch
call 4 datasets fetch nosuch
call 2 learn nosuch data.csv
call 0 learn pc-stable data.csv --threads 2
call 0 learn mmbn data.csv --checkpoint found
call 0 convert data.csv data.bnd
call 0 convert data.bnd data.arff.zst
call 0 convert data.arff.zst data.tsv
call 0 convert asia asia.xdsl
call 0 info asia.xdsl
call 0 convert learned.csv learned.gml
call 0 compare learned.gml asia
call 0 doctor
call 0 recommend data.csv --time 20s
call 0 completion words -- learn hc -O sc
call 0 man learn
for command in $("$program" --help | sed -n '/^Commands:/,/^Options:/s/^  \([a-z]*\) .*/\1/p'); do
    case $called in *" $command "*) ;; *) printf 'no call of the command %s\n' "$command"; failed=1 ;; esac
done
[ $failed -eq 0 ] && printf 'valgrind: clean:%s\n' "$called"
exit $failed
