#!/usr/bin/env bash
# check_clock.sh PROGRAM: 'lanewise clock' with tables of our own (docs/cli.md). With LANEWISE_METAL, a checkout of tt-metal, the
# benchmarks are also made and run.
program=$1
source "$(dirname "$0")/expect.sh"

head=op,engine,unit,in_formats,out_formats,dest_acc,options,cycles_min,cycles_median,cycles_max,rows
printf '%s\nrecip_tile,math,PerTile,Float16_b,Float32,false,,70,76.06,80,1\nmatmul_tiles,math,PerTile,Float16_b,Float16_b,false,,30,35,40,1\n' "$head" >table.csv
printf '%s\nrecip_tile,math,PerTile,Float16_b,Float32,maybe,,70,76,80,1\n' "$head" >wrong.csv

# clock STATUS WORDS...: ends so; what it prints is in out and err.
clock() {
  local status=$1 got=0
  shift
  "$program" clock "$@" >out 2>err || got=$?
  [ "$got" = "$status" ] || complain "clock $*: status $got instead of $status: $(cat err)"
}
has() { # FILE TEXT
  grep -qF -- "$2" "$1" || complain "no \"$2\": $(cat "$1")"
}

clock 0 --against table.csv --plan
has out 'line 2: recip_tile math PerTile'
has out '  unary math Float16_b->Float16_b f recip, init Own left, APPROX_MODE=false, CLAMP_NEGATIVE=false'
has out '  less unary math Float16_b->Float16_b f recip, copy only, init Own left'
has out "  left out: the operation 'matmul_tiles' is unknown"
printf '%s\nabs_tile_init,math,PerCall,Float16_b,Float32,true,,51,55,59,1\n' "$head" >init.csv
clock 0 --against init.csv --plan
has out '  unary math Float16_b->Float16_b t abs, init Own, APPROX_MODE=false'
has out '  or unary math Float16_b->Float16_b t abs, init Own left, APPROX_MODE=false'
clock 2 --against wrong.csv --plan
has err "wrong.csv:2:43: error: 'maybe' is not known here; use false, true"
clock 2 --against missing.csv --plan
has err missing.csv
clock 2 --plan
has err --against
clock 2 --against table.csv
has err --metal
clock 2 --against table.csv --metal .
clock 2 --against table.csv --metal . --json --markdown
has err 'choose one of them'
clock 2 --against table.csv --plan --only copy_tile
has err copy_tile
clock 2 --against table.csv --metal . --jobs 0
has err jobs

# A comparison that was recorded: shown again in each form, and held against another.
record() { printf '%s,model,model_taken_in,model_left,left_out\nrecip_tile,math,PerTile,Float16_b,Float32,false,,70,76.06,80,1,%s,,,\nmatmul_tiles,math,PerTile,Float16_b,Float16_b,false,,30,35,40,1,,,,unknown\n' "$head" "$1"; }
record 76.30 >near.csv
record 84.00 >far.csv
clock 0 --recorded near.csv
has out '1 of 2 rows compared: half of them within 0.3 %'
clock 0 --recorded far.csv --markdown
has out '| recip_tile | math   | PerTile | f   |    1 |   76.06 |    +7.94 |'
has out '| math   | PerTile | f   |    1 |            0 |         0 |            0 |' # 84 is outside of 70 to 80
clock 0 --recorded far.csv --json --html page.html
has out '"silicon_most": 80.0'
has page.html '<circle class="math"'
clock 0 --recorded far.csv --hold far.csv
has out 'no row is further away than far.csv has it'
clock 0 --recorded near.csv --hold far.csv
clock 1 --recorded far.csv --hold near.csv
has out 'Further away than recorded'
has out 'recip_tile Float16_b->Float32 f  math      76.06     76.30  84.00'
clock 2 --recorded near.csv --hold table.csv
has err 'table.csv:1:1: error'
clock 2 --recorded near.csv --against table.csv
has err 'leave --against'
clock 2 --recorded near.csv --record other.csv
clock 2 --recorded near.csv --only copy_tile
has err copy_tile
clock 2 --recorded missing.csv
has err missing.csv
clock 2 --against table.csv --metal . --hold missing.csv
has err missing.csv
# Published laws: what clock_laws.py makes of a row, with a program that has a zone of 200 cycles, or of 50 with N=2.
laws() { # STATUS SILICON WITHIN [LESS]
  printf 'id,chip,test,run,zone,params,per,less,silicon,within,gather,source\nlaw,bh,any,PACK_ISOLATE,pack.TILE_LOOP,N=1,10,%s,%s,%s,on,here\n' \
    "${4-}" "$2" "$3" >laws.csv
  local got=0
  python3 "$(dirname "$0")/clock_laws.py" ./zone.sh llk --laws laws.csv --check >out 2>err || got=$?
  [ "$got" = "$1" ] || complain "a law of $2 within $3 less ${4-nothing}: status $got instead of $1: $(cat out err)"
}
mkdir -p llk/tests/sources
cat >zone.sh <<'END'
#!/usr/bin/env bash
end=300
while [ $# -gt 0 ]; do
  case $1 in
    --zones) zones=$2 ;;
    N=2) end=150 ;;
  esac
  shift
done
printf '{"sections": {"pack": {"events": [{"kind": "zone_start", "marker": "TILE_LOOP", "cycle": 100},
  {"kind": "zone_end", "marker": "TILE_LOOP", "cycle": %s}]}}}' "$end" >"$zones"
END
chmod +x zone.sh
laws 0 20 2
has out '20.00'
laws 1 21 2
laws 0 21 '2|1c'
laws 0 21 known
laws 0 19..21 0
laws 1 18..19 2
laws 0 15 0 N=2
[ -n "${LANEWISE_METAL-}" ] || exit 0
# A tile is copied to Dst by eight MOVA2D of 8 rows: 19.05 cycles on silicon. A model that gives less than 8 or twice as many is wrong.
printf '%s\ncopy_tile,math,PerTile,Float16_b,Float16_b,false,,18,19,20,1\nmatmul_tiles,math,PerTile,Float16_b,Float16_b,false,,30,35,40,1\n' "$head" >copy.csv
clock 0 --against copy.csv --metal "$LANEWISE_METAL" --html page.html
has out '1 of 2 rows compared'
has out "the operation 'matmul_tiles' is unknown"
has page.html 'copy_tile Float16_b-&gt;Float16_b f: 19.00 measured'
clock 0 --against copy.csv --metal "$LANEWISE_METAL" --json
python3 - out <<'END' || complain "the model of a copy: $(cat out)"
import json, sys
report = json.load(open(sys.argv[1]))
copy, unknown = report["rows"]
sys.exit(not (report["compared"] == 1 and 8 <= copy["model"] < 38 and unknown["model"] is None and "unknown" in unknown["left_out"]))
END
mv out one.json
clock 0 --against copy.csv --metal "$LANEWISE_METAL" --record record.csv
clock 0 --recorded record.csv --hold record.csv
has out '1 of 2 rows compared'
clock 0 --against copy.csv --metal "$LANEWISE_METAL" --json --jobs 3
cmp -s out one.json || complain "three processes give something else than as many as there are processors"
clock 0 --against copy.csv --metal "$LANEWISE_METAL" --markdown
has out '| math   | PerTile | f   |    2 |        1 |'
clock 1 --against table.csv --metal "$LANEWISE_METAL" --only matmul_tiles
has out '0 of 1 rows compared'
