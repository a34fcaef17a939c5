# SPDX-License-Identifier: GPL-3.0-or-later
# Every command, once or more: sourced by tests that look at each, by every_command PROGRAM FOLDER. FOLDER is the one that
# they run in; what they write is to be in FOLDER/out, FOLDER/cache and $TMPDIR. The test has a function `check`, which gets
# the exit status that is expected and the words. `called` are the commands then; `failed` is set where one is missing.
n_calls=0 called=' ' failed=0

call() { # expected status, command...
    n_calls=$((n_calls + 1))
    case $called in *" $2 "*) ;; *) called="$called$2 " ;; esac
    check "$@"
}

every_command() {
    program=$1 out=$2/out
    mkdir -p "$out"
    cd -- "$2" || exit 5
    unset BNBENCH_NETWORKS BNBENCH_DATASETS
    export BNBENCH_CACHE="$2/cache"
    cat >small.yaml <<'YAML'
name: small
networks: [asia]
data: {samples: [50], replicates: 2, test_samples: 10}
learners: [hc, {id: own, command: [sh, "-c", "printf 'from,to,type\nasia,tub,directed\n' >$0", "{graph}"]}]
metrics: [shd, edges, time]
tables: [{id: t, metric: shd, rows: samples, columns: learner}]
tests: [{id: w, test: wilcoxon, metric: shd}]
plots: [{id: p, kind: line, x: samples, y: shd}]
YAML
    sed 's/, {id: own.*/]/; s/^tests.*//; s/^name:.*/name: inner/' small.yaml >inner.yaml
    printf 'net,hc,chc\na,1,2\nb,1,3\nc,2,1\n' >blocks.csv
    printf 'x,y\n0.5,1.5\n0.25,2.5\n0.75,3.5\n1.5,0.5\n2.5,0.75\n3.5,0.125\n' >reals.csv
    printf '%s' '{"benchmark_setup": {"data": [{"parameters_id": "asia.rds", "data_id": "s", "seed_range": [1, 2]}], "evaluation": {
"benchmarks": {"ids": ["h", "g", "u"], "path": true}}}, "resources": {"data": {"iid": [{"id": "s", "n": [80]}]},
"structure_learning_algorithms": {"bnlearn_hc": [{"id": "h", "score": "bde", "iss": [0.1, 2]}], "gobnilp": [{"id": "u"}],
"pcalg_pc": [{"id": "g", "indepTest": "disCItest", "alpha": 0.1}]}}}' >config.json

    call 0 sample asia -n 100 -o "$out/data.csv"
    call 0 learn hc "$out/data.csv" --network asia -o "$out/learned.csv"
    call 0 learn mmpc "$out/data.csv" --json
    call 0 learn ges "$out/data.csv"
    call 0 learn pc-stable "$out/data.csv"
    call 0 learn pc-stable "$out/data.csv" --threads 2
    call 0 learn mmbn "$out/data.csv" --checkpoint "$out/found"
    call 0 learn mmpc "$out/data.csv" --checkpoint "$out/searched"
    call 2 learn nosuch "$out/data.csv"
    call 0 discretize eqfreq reals.csv -o "$out/words.csv"
    call 0 discretize eqwidth reals.csv -o "$out/halves.csv" --plot "$out/halves.svg"
    call 0 score bdeu "$out/learned.csv" "$out/data.csv" --by-node
    call 0 test g2 "$out/data.csv" asia tub --given smoke
    call 0 compare "$out/learned.csv" asia --json
    call 0 fit asia "$out/data.csv" -o "$out/fitted.bif"
    call 0 convert asia "$out/asia.dot"
    call 0 convert asia "$out/asia.xdsl"
    call 0 convert "$out/data.csv" "$out/data.bnd"
    call 0 convert "$out/learned.csv" "$out/learned.gml"
    call 0 compare "$out/learned.gml" asia
    call 0 convert "$out/data.bnd" "$out/data.arff.zst"
    call 0 convert "$out/data.arff.zst" "$out/data.tsv"
    call 0 convert "$out/learned.csv" "$out/learned.graphml"
    call 0 compare "$out/learned.graphml" asia
    call 0 tile asia --copies 2 --arcs 1 -o "$out/tiled.bif"
    call 0 info asia
    call 0 info "$out/asia.xdsl"
    call 0 info small.yaml
    call 0 list learners
    call 0 list networks
    call 0 stats friedman blocks.csv
    call 0 init "$out/data.csv" -o "$out/first.yaml"
    call 1 import benchpress config.json -o "$out/imported.yaml"
    call 0 run "$out/imported.yaml" --dry-run
    call 0 recommend "$out/data.csv" --time 20s
    call 0 run small.yaml --store "$out/store" --dry-run
    call 0 run small.yaml --store "$out/store" --quiet
    call 0 status "$out/store"
    call 0 report "$out/store"
    call 0 report "$out/store" --format html --out "$out/page"
    call 0 job "$out/store" asia/50/1/hc --repeat
    call 0 diff "$out/store" "$out/store"
    call 0 explain "$out/store" t 50 hc
    call 0 plan inner.yaml "$out/plan"
    call 0 status "$out/plan"
    call 0 work "$out/plan"
    call 0 collect "$out/plan" "$out/collected"
    call 0 nightly inner.yaml --history "$out/nights" --quiet
    call 4 reproduce nosuch --stores "$out/reproduced" --quiet
    call 4 networks fetch nosuch
    call 4 datasets fetch nosuch
    call 0 doctor
    call 0 completion bash
    call 0 completion words -- learn hc -O sc
    call 0 man learn

    for command in $("$program" --help | sed -n '/^Commands:/,/^Options:/s/^  \([a-z]*\) .*/\1/p'); do
        case $called in *" $command "*) ;; *) printf 'no call of the command %s\n' "$command"; failed=1 ;; esac
    done
}
