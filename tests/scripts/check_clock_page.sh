#!/usr/bin/env bash
# check_clock_page.sh PROGRAM SOURCE: docs/timing.md has the figures of tests/silicon/open_rows.csv, as 'lanewise clock --recorded
# --markdown' prints them, and docs/clock.md has some of them. LANEWISE_BLESS=1 writes them into the pages instead.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"

"$program" clock --recorded "$source/tests/silicon/open_rows.csv" --markdown >figures || complain "no figures: status $?"
if ! python3 - "$source/docs/timing.md" "${LANEWISE_BLESS-}" <<'END'
import sys
path, bless = sys.argv[1:]
begin, end = "<!-- begin: clock -->\n", "<!-- end: clock -->"
page = open(path).read()
if page.count(begin) != 1 or page.count(end) != 1:
    sys.exit(f"{path} has not one {begin.strip()} and one {end}")
head, rest = page.split(begin)
there, tail = rest.split(end)
figures = open("figures").read()
if bless:
    open(path, "w").write(head + begin + figures + end + tail)
elif there != figures:
    sys.exit(f"{path} has other figures than the record; LANEWISE_BLESS=1 writes them")
END
then
  complain "docs/timing.md"
fi
# The loops that docs/clock.md shows: rows of it, and the operations in the record that each has.
if ! python3 - "$source/docs/clock.md" "$source/tests/silicon/open_rows.csv" "${LANEWISE_BLESS-}" <<'END'
import csv, sys
path, record, bless = sys.argv[1:]
loops = [row for row in csv.DictReader(open(record, newline="")) if row["unit"] == "PerTile"]

def loop(op, engine, formats, dest="false", options=""):
    """Silicon's median and the model's cycles of the row that has a format taken in and one given out, a width of Dst and these options."""
    taken, given = formats.split(">")
    found = [row for row in loops
             if (row["op"], row["engine"]) == (op, engine) and dest in row["dest_acc"].split(";") and taken in row["in_formats"].split(";")
             and given in row["out_formats"].split(";") and set(options.split(";")) - {""} <= set(row["options"].split(";"))]
    if len(found) != 1:
        sys.exit(f"{record} has {len(found)} rows of {op} {engine} {formats} {dest} {options}")
    return found[0]["cycles_median"], found[0]["model"]

bf16, phases = "Float16_b>Float16_b", ("LoFi", "HiFi2", "HiFi3", "HiFi4")
table = {
    "ELWADD, LoFi / ELWMUL, HiFi2 / HiFi4": [loop("add_tiles", "math", bf16)] + [
        loop("mul_tiles", "math", bf16, options=f"math_fidelity={each}") for each in ("HiFi2", "HiFi4")],
    "column sum, LoFi to HiFi4": [
        loop("reduce_tile", "math", bf16, options=f"mathop=ReduceColumn;reduce_pool_type=Sum;math_fidelity={each}") for each in phases],
    "pack BF16 / BF16 to FP32 / BFP8 to FP32": [
        loop("pack_tile", "pack", each) for each in (bf16, "Float16_b>Float32", "Bfp8_b>Float32")],
    "unpack A and B, BF16 / FP32 to 32-bit Dst / FP32 to 16-bit Dst": [
        loop("add_tiles", "unpack", bf16), loop("add_tiles", "unpack", "Float32>Float32", "true"),
        loop("add_tiles", "unpack", "Float32>Float32")],
    "unpack for scalar reductions, BFP8 / BF16 / FP32": [
        loop("reduce_tile", "unpack", each, options="mathop=ReduceScalar;reduce_pool_type=Max")
        for each in ("Bfp8_b>Float32", bf16, "Float32>Float32")],
    "unpack for a copy, BFP8 / BF16 / FP32": [
        loop("copy_tile", "unpack", each) for each in ("Bfp8_b>Float32", bf16, "Float32>Float32")],
    "`eq`, `trunc`, `ceil`, `softsign`, `logical_not`": [
        loop(f"{each}_tile", "math", bf16) for each in ("eq_binary", "trunc", "ceil", "softsign")] + [
        loop("logical_not_tile", "math", "Int32>Int32")],
}
lines = ["| Rows | Silicon | Here |\n", "|---|---|---|\n"] + [
    f"| {name} | {' / '.join(each[0] for each in values)} | {' / '.join(each[1] for each in values)} |\n" for name, values in table.items()]
page = open(path).read().splitlines(keepends=True)
begin = page.index(lines[0])
end = next(i for i in range(begin, len(page)) if not page[i].startswith("|"))
if bless:
    open(path, "w").write("".join(page[:begin] + lines + page[end:]))
elif page[begin:end] != lines:
    sys.exit(f"{path} has other figures than the record; LANEWISE_BLESS=1 writes them")
END
then
  complain "docs/clock.md"
fi
# What the page says of rows for which silicon has several values.
python3 - "$source/docs/timing.md" "$source/tests/silicon/open_rows.csv" <<'END' || complain "docs/timing.md: what it says of silicon's several values"
import csv, sys
page, record = sys.argv[1:]
values = [[float(row[each]) for each in ("model", "cycles_min", "cycles_median", "cycles_max")] + [row["rows"], row["unit"]]
          for row in csv.DictReader(open(record, newline="")) if row["model"]]

def near(value, silicon):
    return abs(value - silicon) <= max(2, 0.05 * silicon)

far = [(model, least, most) for model, least, median, most, *_ in values if not near(model, median)]
shown = sum(near(model, least) or near(model, most) or least <= model <= most for model, least, most in far)
apart = sum(not near(least, median) and not near(most, median) for _, least, median, most, *_ in values)
several = sum(each[4] == "1" and each[5] == "PerCall" and each[1] != each[3] for each in values)
text = " ".join(open(page).read().split())
forms = [[float(row[each]) for each in ("model_taken_in", "model_left", "cycles_min", "cycles_max", "cycles_median")]
         for row in csv.DictReader(open(record, newline="")) if row["model_left"]]
bands = [each for each in forms if each[3] - each[2] > max(1, 0.02 * each[4])]
ends = sum(near(min(each[:2]), each[2]) and near(max(each[:2]), each[3]) for each in bands)
either = len(values) - len(far) + sum(
    not near(float(row["model"]), float(row["cycles_median"])) and bool(row["model_left"])
    and any(near(float(row[form]), float(row["cycles_median"])) for form in ("model_taken_in", "model_left"))
    for row in csv.DictReader(open(record, newline="")) if row["model"])
for part in (f"of {len(forms)} rows, of {len(bands)} of which silicon has several values. Of {ends} of these",
             f"{either} of all rows are near the model's value or one of its forms",
             f"Of the {len(far)} rows that are not near, {shown} are near a value", f"of {apart} rows neither silicon's least",
             f"of {several} initialisations the row of one pair of formats"):
    if part not in text:
        sys.exit(f"{page} has not: {part}")
END
