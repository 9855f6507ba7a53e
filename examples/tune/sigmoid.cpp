// 1 / (1 + e^-x), on Blackhole. A plain source for 'lanewise tune'.
//
// Method: e^-x is 2^t with the polynomial of exp2.cpp, t within 2^-127 and 2^127; the reciprocal is
// SFPARECIP with one Newton step.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    vFloat t = dst_reg[0] * -1.44269504f + 127.0f;
    t = sfpi::min(sfpi::max(t, 0.0f), 254.0f);
    const vMag n = convert<vUInt8>(t, RoundMode::Zero);
    const vFloat f = t - convert<vFloat>(as<vSMag>(n), RoundMode::Nearest);
    vFloat p = 0.0780244585f * f + 0.226067247f;
    p = p * f + 0.695833509f;
    p = p * f + 0.99992522f;
    const vFloat d = p * setexp(vFloat(1.0f), as<vInt>(n)) + 1.0f;
    const vFloat y = approx_recip(d, RecipMode::All);
    dst_reg[0] = y * (2.0f - d * y);
    dst_reg++;
  }
}
