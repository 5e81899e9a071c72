#!/bin/bash
# Measures the strength of all bots for docs/bots.md: `scripts/strength.sh fast|two|four|curve FOLDER [JOBS]`. Run it again to continue where it stopped.
set -e
what=$1 out=$2 jobs=${3:-$(nproc)}
mkdir -p "$out"
arena() { # name, then options of branchline arena
    name=$1; shift
    "${BRANCHLINE:-.venv/bin/branchline}" arena "$@" --jobs "$jobs" --out "$out/$name.jsonl" --json "$out/$name.json" > "$out/$name.txt" 2>&1 || cat "$out/$name.txt"
    echo "$name: done after $SECONDS s"
}
case $what in
fast)
    arena fast2 greedy random planner --game all --players 2 --games 1000
    arena fast4 greedy random planner --game all --players 4 --games 1000 --against-many
    arena levels easy normal hard --game all --players 2 --games 200 ;;
two)
    arena two-london --lineup search@0.3s,planner --game london --players 2 --games 100
    arena two-usa --lineup search@0.3s,planner --game usa --players 2 --games 100
    arena two-world --lineup search@0.3s,planner --game world --players 2 --games 100
    arena two-card-game --lineup search@0.3s,planner --game card-game --players 2 --games 100
    arena two-europe --lineup search@0.3s,planner --game europe --players 2 --games 200 ;;
four)
    arena four-london --lineup search@0.3s,planner,planner,planner --game london --players 4 --games 100
    arena four-usa --lineup search@0.3s,planner,planner,planner --game usa --players 4 --games 100
    arena four-world --lineup search@0.3s,planner,planner,planner --game world --players 4 --games 100
    arena four-card-game --lineup search@0.3s,planner,planner,planner --game card-game --players 4 --games 100
    arena four-europe --lineup search@0.3s,planner,planner,planner --game europe --players 4 --games 200 ;;
curve)
    for seconds in 0.03 0.1 1; do
        arena curve-$seconds --lineup "search@${seconds}s,planner" --game "${GAMES:-europe}" --players 2 --games "${NUMBER:-100}"
    done ;;
esac
