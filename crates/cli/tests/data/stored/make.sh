#!/bin/sh
# Makes the stored files with a release: `sh make.sh /path/to/meeple FOLDER`. README.md says what they are
# for.
set -eu
meeple=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
mkdir -p "$2"
cd "$2"

# Interrupts a command after some seconds. Fails if the command has ended before.
halfway() {
    seconds=$1
    shift
    "$meeple" "$@" > /dev/null &
    child=$!
    sleep "$seconds"
    kill -INT $child
    if wait $child; then
        echo "expected to interrupt it, but it had ended: $*" >&2
        exit 1
    fi
}

mkdir bots
cp "$here/first.py" bots/
sed -e 's/the first legal/the last legal/' -e 's/"a": 0}/"a": len(message["legal"]) - 1}/' bots/first.py > bots/last.py
cp "$here/plan.toml" .
play="-q --seed"
bots="--sandbox none --replays all"

"$meeple" match incan-gold ./bots/first.py turn:7 -n 3 $bots --out match $play 1 > /dev/null
halfway 0.8 match carcassonne ./bots/first.py ./bots/last.py -n 20 $bots --out match-stopped $play 2
"$meeple" rank --game incan-gold bots --with turn:7 -n 2 $bots --out rank $play 3 > /dev/null
halfway 0.8 rank --game cartolan bots --with random -n 8 $bots --out rank-stopped $play 4
"$meeple" tournament incan-gold/boxed turn:7 never lookahead -n 4 --replays all --out tournament $play 5 > /dev/null
halfway 0.7 tournament carcassonne mcts:iterations=10 greedy -n 40 --threads 1 --out tournament-stopped $play 6

"$meeple" sim incan-gold turn:7 never -n 40 --out sim $play 7 > /dev/null
halfway 0.7 sim carcassonne mcts:iterations=10 greedy -n 80 --threads 1 --out sim-stopped $play 8
"$meeple" sweep cartolan merchant random --set agents=2..3 -n 6 --out sweep $play 9 > /dev/null
halfway 0.7 sweep carcassonne mcts:iterations=5..10+5 greedy -n 40 --threads 1 --out sweep-stopped $play 10
"$meeple" balance incan-gold turn:6 turn:7 never --seats 2 -n 60 --out balance $play 11 > /dev/null

for shard in 0 1; do
    "$meeple" shard run sim-shards --shards 3 --index $shard -q -- sim incan-gold/boxed turn:7 never -n 30 --seed 12
    "$meeple" shard run sweep-shards --shards 3 --index $shard -q -- sweep carcassonne greedy random -n 4 --seed 13 \
        --set hand=1..2
    "$meeple" shard run tournament-shards --shards 3 --index $shard -q -- tournament cartolan random merchant -n 3 \
        --seed 14
done

mkdir replays
for game in incan-gold/boxed game17 carcassonne cartolan privateers; do
    "$meeple" play $game random random --seed 15 --level totals --save replays/${game%/*}.json.gz > /dev/null
done

halfway 0.2 learn incan-gold/boxed plan.toml --out learn-stopped -q --threads 1
"$meeple" learn incan-gold/boxed plan.toml --out learn -q > /dev/null

python3 "$here/serve.py" "$meeple" tables.db

# Plots and reports are most of the bytes, and every command that writes results draws them again.
rm -rf */plots */report.html learn*/curve.svg
