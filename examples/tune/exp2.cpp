// 2^x, on Blackhole. A plain source for 'lanewise tune'.
//
// Method: x + 127 = n + f with n its integer part; 2^f is a polynomial of least relative
// error, 7.5e-5.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    vFloat t = x + 127.0f;
    t = sfpi::max(t, 0.0f);
    const vMag n = convert<vUInt8>(t, RoundMode::Zero);
    const vFloat f = t - convert<vFloat>(as<vSMag>(n), RoundMode::Nearest);
    vFloat p = 0.0780244585f * f + 0.226067247f;
    p = p * f + 0.695833509f;
    p = p * f + 0.99992522f;
    dst_reg[0] = p * setexp(vFloat(1.0f), as<vInt>(n));
    dst_reg++;
  }
}
