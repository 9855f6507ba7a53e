// Integers: construction from every kind of C++ number, and every operator.
#include <cstdint>

#include "sfpi.h"

using namespace sfpi;

void api_int_construction() {
  dst_reg[0] = vInt(std::int16_t{-2});
  dst_reg[1] = vInt(std::uint16_t{0xFFFE});
  dst_reg[2] = vInt(-3);
  dst_reg[3] = vInt(0x80000000U);
  dst_reg[4] = vInt(std::int32_t{0x12345678});
  dst_reg[5] = vInt(-5L);
  dst_reg[6] = vInt(5UL);
  dst_reg[7] = vUInt(7);
  dst_reg[8] = vUInt(0xFFFFFFFFU);
  dst_reg[9] = -10;
  dst_reg[10] = 10U;
  vInt x = 0x10000;
  vUInt y = x;
  x = y;
  dst_reg[11] = x;
  dst_reg[12] = y;
}

void api_int_sums() {
  vInt x = dst_reg[0];
  dst_reg[1] = x + 5;
  dst_reg[2] = x - 5;
  dst_reg[3] = x + 2047;
  dst_reg[4] = x - 2048;
  dst_reg[5] = x + 2048;
  dst_reg[6] = x - 100000U;
  dst_reg[7] = 100 - x;
  dst_reg[8] = 100L + x;
  dst_reg[9] = -x;
  vInt y = dst_reg[20];
  dst_reg[10] = x + y;
  dst_reg[11] = x - y;
  dst_reg[12] = x + vConstTileId;
}

void api_int_bits() {
  vInt x = dst_reg[0];
  dst_reg[1] = x & 0xFF;
  dst_reg[2] = x | 0x80000000U;
  dst_reg[3] = x ^ -1;
  dst_reg[4] = 0x7F & x;
  dst_reg[5] = ~x;
  vInt y = dst_reg[20];
  dst_reg[6] = x & y;
  dst_reg[7] = x | y;
  dst_reg[8] = x ^ y;
  vUInt z = dst_reg[21];
  dst_reg[9] = x & z;
  dst_reg[10] = z | x;
  dst_reg[11] = z - x;
  dst_reg[12] = vConstTileId & 15;
}

void api_uint() {
  vUInt x = dst_reg[0];
  dst_reg[1] = x + 5;
  dst_reg[2] = x - 5U;
  dst_reg[3] = 5U - x;
  dst_reg[4] = x & 0xFFFFU;
  dst_reg[5] = x | 1;
  dst_reg[6] = x ^ 0x80000000;
  dst_reg[7] = ~x;
  dst_reg[8] = -x;
  vUInt y = dst_reg[20];
  dst_reg[9] = x + y;
  dst_reg[10] = x - y;
  dst_reg[11] = x & y;
}

void api_shifts() {
  vUInt x = dst_reg[0];
  dst_reg[1] = x << 3;
  dst_reg[2] = x >> 5U;
  vUInt amount = dst_reg[20];
  amount &= 31;
  dst_reg[3] = x << amount;
  dst_reg[4] = x >> amount;
  vInt y = dst_reg[1];
  dst_reg[5] = y << 7;
  dst_reg[6] = y << amount;
  x <<= 2;
  x >>= 1;
  dst_reg[7] = x;
  y <<= 2;
  dst_reg[8] = y;
#if defined(ARCH_BLACKHOLE)
  dst_reg[9] = y >> 4;
  dst_reg[10] = y >> amount;
  y >>= 3;
  dst_reg[11] = y;
#endif
}

void api_int_assignments() {
  vInt x = dst_reg[0];
  x += 5;
  x -= 0x12345;
  x &= 0xFFFFFF;
  x |= 0x100;
  x ^= 0x55;
  dst_reg[1] = x;
  vInt y = x++;
  vInt z = ++x;
  dst_reg[2] = y - z;
  y = x--;
  z = --x;
  dst_reg[3] = y + z;
  vUInt u = x;
  u += 3;
  u -= x;
  u &= y;
  u |= 0xF0U;
  u ^= u << 1;
  dst_reg[4] = u;
  u++;
  --u;
  dst_reg[5] = u;
}

void api_reinterpretation() {
  vFloat x = dst_reg[0];
  vInt bits = reinterpret<vInt>(x);
  dst_reg[1] = reinterpret<vFloat>(bits & 0x7FFFFFFF);
  dst_reg[2] = reinterpret<vUInt>(vConst1) >> 23;
  dst_reg[3] = as<vFloat>(as<vUInt>(x) ^ 0x80000000U);
}
