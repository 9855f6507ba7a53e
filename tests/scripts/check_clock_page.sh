#!/usr/bin/env bash
# check_clock_page.sh PROGRAM SOURCE: docs/timing.md has the figures of tests/silicon/open_rows.csv, as 'lanewise clock --recorded
# --markdown' prints them. LANEWISE_BLESS=1 writes them into the page instead.
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
