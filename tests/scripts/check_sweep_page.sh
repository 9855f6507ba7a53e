#!/usr/bin/env bash
# check_sweep_page.sh PROGRAM SOURCE: the page and the picture of 'lanewise sweep' in headless Chromium: they render what they
# should, nothing overlaps or is cut off in wide and narrow windows, and they refer to nothing outside.
program=$1 source=$2
source "$(dirname "$0")/page.sh"

# The error of a chip grows with x where the other's does not, and from infinity ttnn has no distance: two curves, and bands
# where everything is lost.
cat >apart.cpp <<'END_OF_KERNEL'
#include "sfpi.h"
using namespace sfpi;
void kernel() {
  for (int row = 0; row < 32; ++row, dst_reg++) {
    vFloat x = dst_reg[0];
#ifdef ARCH_WORMHOLE
    dst_reg[0] = x * 1.03f;
#else
    dst_reg[0] = x;
#endif
  }
}
END_OF_KERNEL
"$program" sweep apart.cpp --ref 'abs(x) < 1e9 ? x : inf' --ulp ttnn --arch bh,wh --html page.html --svg picture.svg >/dev/null
"$program" sweep "$source/examples/softplus.cpp" --ref 'softplus(x)' --arch bh,wh --html equal.html >/dev/null
stands_alone equal.html
stands_alone page.html
stands_alone picture.svg
[ "$(stat -c %s page.html)" -lt 1500000 ] || complain "the page has $(stat -c %s page.html) bytes"

# What the browser has made of it: pictures with marks of both chips, tables, the listing; equal results are one curve.
shows page.html 'class="chip0 exact"' 'Error near 0' 'class="chip0 circles' 'class="chip1 diamonds' \
  'class="reference"' 'class="chip1 bars"' 'data-chip="bh"' 'data-chip="wh"' 'largest |ULP|' 'by decade of x' 'Worst inputs' 'SFPSTORE' \
  'Blackhole all lost' 'class="chip1 hatching"'
shows equal.html 'Blackhole, Wormhole largest'

# As a file of its own the picture is XML, and a mistake in it a message instead of a picture.
browse dump picture.svg 1400 picture.dom
if grep -q parsererror picture.dom; then complain "the picture is not well-formed"; fi
if python3 --version >/dev/null 2>&1; then
  python3 -c 'import sys, xml.dom.minidom; [xml.dom.minidom.parse(f) for f in sys.argv[1:]]' page.html picture.svg ||
    complain "not well-formed XML"
fi

measures_pictures
measure page.html 1400
measure page.html 1000
measure page.html 700
measure equal.html 1400
measure equal.html 700
{ echo '<!DOCTYPE html><html><head><title></title></head><body style="margin:0">'; cat picture.svg; } >inline.html
measure inline.html 1400

has_two_schemes page.html
