// What operations give. The label of each print is the bits that all lanes must show, in
// hexadecimal; they follow from the documented meaning of the operation alone.
#include <cstdint>

#include "lanewise.h"

using namespace sfpi;

namespace {

/// A number that no pass can know before the kernel runs.
sfpi_inline vInt hidden(int number) {
  dst_reg[0].mode<DataLayout::I32>() = vInt(number);
  vInt value = dst_reg[0].mode<DataLayout::I32>();
  return value;
}
sfpi_inline vFloat hidden(float number) {
  dst_reg[0].mode<DataLayout::F32>() = vFloat(number);
  vFloat value = dst_reg[0].mode<DataLayout::F32>();
  return value;
}

} // namespace

void api_values_of_floats() {
  vFloat x = hidden(3.0F);
  vFloat y = hidden(-0.5F);
  lanewise::print(x + y, "40200000");
  lanewise::print(x - y, "40600000");
  lanewise::print(setman(x, 0x123456), "40123456"); // more than the immediate holds
  lanewise::print(1 - x, "C0000000");
  lanewise::print(x * y, "BFC00000");
  lanewise::print(-x, "C0400000");
  lanewise::print(x + sFloat16a(0x4200), "40C00000");
  lanewise::print(x + s2vFloat16a(0.1F), "40466600");
  lanewise::print(x * 0.0F + sFloat16b(0.1F), "3DCC0000");
  x += 1;
  x -= y;
  x *= 2.0;
  lanewise::print(x, "41100000");
}

void api_values_of_integers() {
  vInt x = hidden(100);
  vInt y = hidden(-7);
  lanewise::print(x + y, "0000005D");
  lanewise::print(x - y, "0000006B");
  lanewise::print(x - 101, "FFFFFFFF");
  lanewise::print(5 - x, "FFFFFFA1");
  lanewise::print(x + 100000, "00018704");
  lanewise::print(x - 0x80000000U, "80000064");
  lanewise::print(-y, "00000007");
  lanewise::print(x & 0x66, "00000064");
  lanewise::print(y | 0x100, "FFFFFFF9");
  lanewise::print(x ^ y, "FFFFFF9D");
  lanewise::print(~x, "FFFFFF9B");
  lanewise::print(y << 4, "FFFFFF90");
  vUInt u = y;
  lanewise::print(u >> 28, "0000000F");
  lanewise::print(u >> vUInt(x), "0FFFFFFF");
  lanewise::print(u << vUInt(x), "FFFFFF90");
  lanewise::print(shft(u, -28), "0000000F");
  lanewise::print(shft(u, hidden(-28)), "0000000F");
#if defined(ARCH_BLACKHOLE)
  lanewise::print(y >> 1, "FFFFFFFC");
  lanewise::print(y >> vUInt(2), "FFFFFFFE");
#endif
}

void api_values_of_fields() {
  vFloat x = hidden(-6.5F);
  lanewise::print(exexp(x), "00000002");
  lanewise::print(exexp_nodebias(x), "00000081");
  lanewise::print(exman8(x), "00D00000");
  lanewise::print(exman9(x), "00500000");
  lanewise::print(setexp(x, 127), "BFD00000");
  lanewise::print(setexp(x, hidden(128)), "C0500000");
  lanewise::print(copyexp(x, hidden(1.0F)), "BFD00000");
  lanewise::print(addexp(x, -1), "C0500000");
  lanewise::print(setman(x, 0x800), "C0C00000");
  lanewise::print(setman(x, hidden(0x123456)), "C0923456");
  lanewise::print(copyman(x, hidden(1.5F)), "C0C00000");
  lanewise::print(setsgn(x, 0), "40D00000");
  lanewise::print(setsgn(abs(x), x), "C0D00000");
  lanewise::print(setsgn(x, hidden(5)), "40D00000");
  lanewise::print(abs(hidden(-9)), "00000009");
  lanewise::print(lz(hidden(0x10000)), "0000000F");
  lanewise::print(lz_nosgn(hidden(static_cast<int>(0x80010000U))), "0000000F");
  lanewise::print(ldexp(x, 3), "C2500000");
  lanewise::print(ldexp(x, hidden(-1)), "C0500000");
}

void api_values_of_exchanges() {
  vFloat x = hidden(2.0F);
  vFloat y = hidden(-3.0F);
  vec_swap(x, y);
  lanewise::print(x, "C0400000");
  lanewise::print(y, "40000000");
  vec_min_max(y, x);
  lanewise::print(y, "C0400000");
  lanewise::print(x, "40000000");
  lanewise::print(sfpi::min(x, 1.0F), "3F800000");
  lanewise::print(sfpi::max(x, 1.0F), "40000000");
  lanewise::print(min_max(x, y, 0xF).second, "C0400000");
  lanewise::print(sfpi::clamp(y, -1.0F, 1.0F), "BF800000");
  lanewise::print(symmetric_clamp(y, 2.5F), "C0200000");
  vUInt u = hidden(-5);
  lanewise::print(sfpi::min(u, 7U), "00000007");
  lanewise::print(sfpi::max(u, 7U), "FFFFFFFB");
  lanewise::print(sfpi::min(u, 0xF0000000U), "F0000000");
  lanewise::print(sfpi::max(u, 0xF0000000U), "FFFFFFFB");
  lanewise::print(polynomial(x, 1.0F, 2.0F, 3.0F), "41880000");
  vInt rounded = sfpi::round(hidden(2.6F));
  lanewise::print(rounded, "00000003");
}

void api_values_of_conversions() {
  vInt n = hidden(-300);
  vSMag s = convert<vSMag>(n);
  lanewise::print(s, "8000012C");
  lanewise::print(convert<vInt>(s), "FFFFFED4");
  lanewise::print(convert<vFloat>(n, RoundMode::Nearest), "C3960000");
  lanewise::print(int32_to_float(s, 0), "C3960000");
  vFloat x = hidden(-300.75F);
  lanewise::print(float_to_int16(x, 0), "8000012D");
  lanewise::print(float_to_uint8(abs(x), 0), "000000FF");
  lanewise::print(float_to_fp16b(x, 0), "C3960000");
  lanewise::print(int32_to_uint8(hidden(0x120), 4U, 0), "00000012");
  lanewise::print(int32_to_uint8(hidden(0x120), vUInt(4), 0), "00000012");
  lanewise::print(convert<vUInt16>(abs(x), RoundMode::Nearest), "0000012D");
}

void api_values_of_conditions() {
  vFloat x = hidden(1.5F);
  vInt n = hidden(-2);
  vUInt u = hidden(3);
  lanewise::print(x > 1 && n < 0, "00000001");
  lanewise::print(!(x == 1.5F) || u == 4, "00000000");
  lanewise::print(2.0F > x, "00000001");
  lanewise::print(n < u, "00000001");
  lanewise::print(vSMag(0x80000003U) == -3, "00000001");
  lanewise::print(is_normal(x), "00000001");
  lanewise::print(is_nan(hidden(__builtin_nanf(""))), "00000001");
  lanewise::print(is_inf(hidden(__builtin_inff())), "00000001");
  lanewise::print(is_subnormal(x), "00000000");
  lanewise::print(is_neg(hidden(-0.0F)), "00000001");
  vInt count = 0;
  v_if (x < 0.0F) {
    count = 1;
  }
  v_elseif (x < 2.0F) {
    count = 2;
  }
  v_else {
    count = 3;
  }
  v_endif;
  lanewise::print(count, "00000002");
}

// The vendor compiler's own functions: one multiply-add, and an addition that keeps the lanes in
// which the sum is negative, or is not.
void api_values_of_builtins() {
  vFloat mad = __builtin_rvtt_sfpmad(hidden(2.0F).get(), hidden(3.0F).get(), hidden(1.0F).get(),
                                     SFPMAD_MOD1_OFFSET_NONE);
  lanewise::print(mad, "40E00000");
  vInt kept = 0;
  vInt number = hidden(5);
  v_block {
    vInt sum = __builtin_rvtt_sfpiadd_i(number.get(), -7, SFPIADD_MOD1_CC_LT0);
    kept = sum;
  }
  v_endblock;
  lanewise::print(kept, "FFFFFFFE");
  v_block {
    vInt sum = __builtin_rvtt_sfpiadd_i(number.get(), -5, SFPIADD_MOD1_CC_LT0);
    kept = sum;
  }
  v_endblock;
  lanewise::print(kept, "FFFFFFFE"); // 0 is not negative: no lane took it
  v_block {
    vInt sum = __builtin_rvtt_sfpiadd_i(number.get(), -5, SFPIADD_MOD1_CC_GTE0);
    kept = sum;
  }
  v_endblock;
  lanewise::print(kept, "00000000");
  kept = __builtin_rvtt_sfpiadd_i(number.get(), -7, SFPIADD_MOD1_CC_NONE);
  lanewise::print(kept, "FFFFFFFE");
}

void api_values_of_tables() {
  // Slope above intercept; the first of two alike below the second.
  lanewise::print(as<vUInt>(vLut16si(3.0F, 4.0F)), "42004400");
  lanewise::print(as<vUInt>(vLut16ss(2.0F, 1.0F)), "3C004000");
  lanewise::print(as<vUInt>(vLut16ii(2.0F, 1.0F)), "3C004000");
  const sLut16si p(3.0F, 4.0F), q(-1.0F, 0.5F);
  lanewise::print(as<vUInt>(vLut16ss(sLut16ss(p, q))), "BC004200");
  lanewise::print(as<vUInt>(vLut16ii(sLut16ii(p, q))), "38004400");
  lanewise::print(as<vUInt>(vLut16si(0.0F, 1e6F)), "7C007BFF");         // below, above the range
  lanewise::print(as<vUInt>(vLut16si(1.00048828F, -0.0F)), "3C01FC00"); // a tie, away from zero
  lanewise::print(as<vUInt>(vLut8si(1.0F, 0.5F)), "00000010");
  lanewise::print(as<vUInt>(vLut8si(-0.75F, 2.5F)), "0000980F");
  lanewise::print(as<vUInt>(vLut8si(0.0F, 0.015625F)), "0000FF60");
  // 0.5 |x| + 0 below 1, 0.25 |x| + 0.25 from there on; the sign of x or that of the sum.
  const vLut16si first(0.5F, 0.0F), then(0.25F, 0.25F);
  const vFloat x = hidden(-1.5F);
  lanewise::print(lut(x, first, then, then), "BF200000");
  lanewise::print(lut(x, first, then, then, LutSign::Update), "3F200000");
  lanewise::print(
      lut(hidden(0.5F), vLut32si(3.0F, 1.0F), vLut32si(0.0F, 0.0F), vLut32si(0.0F, 0.0F)),
      "40200000");
  // Six pieces: between 3 and 4 the last but one holds, or the last.
  const vLut16ss slopes(0.0F, 0.0F);
  const vLut16ii other(0.0F, 0.0F), last(1.0F, 2.0F);
  const vFloat y = hidden(3.5F);
  lanewise::print(lut(y, slopes, other, slopes, other, slopes, last), "40000000");
  lanewise::print(lut<LutMode::Fp16x6_HWM4>(y, slopes, other, slopes, other, slopes, last),
                  "3F800000");
}

void api_values_of_literals_on_the_left() {
  vFloat x = hidden(1.0F);
  lanewise::print(0.0F < x, "00000001");
  lanewise::print(2 >= x, "00000001");
  lanewise::print(sFloat16b(1.0F) == x, "00000001");
  lanewise::print(nearby(hidden(3) > 2), "00000001");
}
