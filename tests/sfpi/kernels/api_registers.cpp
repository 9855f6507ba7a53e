// Dst, LRegs, constant registers, raw words and the replay buffer.
#include <cstdint>
#include <type_traits>

#include "lltt.h"
#include "sfpi.h"

// Names that SFPI has on some chips only, and what they are there (sfpi_constants.h of its
// releases). Where it has not, the name is the one of this file.
struct Absent {};
inline constexpr Absent CREG_IDX_0P692871094, CREG_IDX_PRGM0, SFPLOAD_MOD0_FMT_INT32_TO_SM,
    SFPLOAD_MOD0_REBIAS_EXP, SFPMAD_MOD1_OFFSET_POSH, SFPMOV_MOD1_CONFIG, SFPSHFT_MOD1_ARITHMETIC,
    SFPMAD_MOD1_DST_LREG7, SFPMUL24_MOD1_UPPER, SFPARECIP_MOD1_EXP, SFPCAST_MOD1_INT32_TO_SM32,
    SFPCONFIG_SRC_RAND, vConst0p6929;

namespace sfpi {

constexpr int value_of(Absent) {
  return -1;
}
constexpr int value_of(unsigned value) {
  return static_cast<int>(value);
}
#if defined(ARCH_BLACKHOLE)
constexpr int on_blackhole(int value) {
  return value;
}
constexpr int on_wormhole(int) {
  return -1;
}
#else
constexpr int on_blackhole(int) {
  return -1;
}
constexpr int on_wormhole(int value) {
  return value;
}
#endif
static_assert(value_of(CREG_IDX_PRGM0) == 11);
static_assert(value_of(CREG_IDX_0P692871094) == -1);
static_assert(value_of(SFPLOAD_MOD0_REBIAS_EXP) == -1);
static_assert(value_of(SFPMAD_MOD1_OFFSET_POSH) == -1);
static_assert(std::is_same_v<decltype(vConst0p6929), const Absent>);
static_assert(value_of(SFPLOAD_MOD0_FMT_INT32_TO_SM) == on_wormhole(12));
static_assert(value_of(SFPMOV_MOD1_CONFIG) == on_blackhole(8));
static_assert(value_of(SFPSHFT_MOD1_ARITHMETIC) == on_blackhole(2));
static_assert(value_of(SFPMAD_MOD1_DST_LREG7) == on_blackhole(8));
static_assert(value_of(SFPMUL24_MOD1_UPPER) == on_blackhole(1));
static_assert(value_of(SFPARECIP_MOD1_EXP) == on_blackhole(2));
static_assert(value_of(SFPCAST_MOD1_INT32_TO_SM32) == on_blackhole(3));
static_assert(value_of(SFPCONFIG_SRC_RAND) == on_blackhole(9));

template <class Mode, class = void>
inline constexpr bool has_arithmetic = false;
template <class Mode>
inline constexpr bool has_arithmetic<Mode, std::void_t<decltype(Mode::Arithmetic)>> = true;
static_assert(has_arithmetic<ShiftMode> == (on_blackhole(1) == 1));

} // namespace sfpi

using namespace sfpi;

void api_dst_counter() {
  for (int i = 0; i < 4; ++i) {
    dst_reg[0] = dst_reg[0] + 1.0F;
    dst_reg++;
  }
  ++dst_reg;
  dst_reg += 2;
  dst_reg += 9;
  dst_reg[0] = 5.0F;
}

void api_dst_types() {
  vInt n = dst_reg[0];
  dst_reg[1] = n;
  vUInt u = dst_reg[0];
  dst_reg[2] = u;
  vFloat x = dst_reg[0];
  dst_reg[3] = x;
  constexpr int kSection = static_cast<int>(SFPLOAD_ADDR_MODE_NOINC);
  vFloat h = dst_reg[4].mode<DataLayout::F16b>();
  dst_reg[5].mode<DataLayout::F32>(kSection) = h;
  dst_reg[6].mode<DataLayout::U16>() = u & 0xFFFF;
  dst_reg[7].mode<DataLayout::I32>() = n;
  n = dst_reg[7].mode<DataLayout::I32>();
  dst_reg[8].mode<DataLayout::SM32>() = n;
  dst_reg[9] = dst_reg[8].mode(kSection);
}

void api_programmable_constants() {
  vConstFloatPrgm0 = 3.14159265;
  vConstFloatPrgm1 = 0.5F;
  vConstIntPrgm2 = 0x12345;
  vFloat x = dst_reg[0];
  dst_reg[1] = 2.0F * vConstFloatPrgm0 + x;
  dst_reg[2] = x * vConstFloatPrgm1;
  vInt n = vConstIntPrgm2;
  dst_reg[3] = n + 1;
  vUInt u = vConstIntPrgm2;
  dst_reg[4] = u;
  vConstFloatPrgm2 = 2;
  vConstIntPrgm0 = 7U;
  vConstIntPrgm1 = -7;
  dst_reg[5] = vConstIntPrgm0;
  dst_reg[6] = vConstIntPrgm1;
  dst_reg[7] = vConstFloatPrgm2;
  dst_reg[8] = vConstTileId;
}

void api_constant_registers_by_number() {
  constexpr impl_::LRegFile::vCReg<vFloat> kScale(CREG_IDX_PRGM2);
  constexpr impl_::LRegFile::vCReg<vInt> kCount(CREG_IDX_PRGM3);
  constexpr impl_::LRegFile::vCReg<vFloat> kMinusOne(CREG_IDX_NEG_1);
  kScale = 0.75F;
  kCount = 0x12345;
  vFloat x = dst_reg[0];
  dst_reg[1] = x * kScale + kMinusOne;
  dst_reg[2] = kScale;
  vInt n = kCount;
  vUInt u = kCount;
  dst_reg[3] = n + 1;
  dst_reg[4] = u;
  kScale = vConstFloatPrgm1 + 1.0F; // the same register
  v_if (x < kScale) {
    dst_reg[5] = vConstFloatPrgm1;
  }
  v_endif;
  impl_::LRegFile::vCReg<vFloat> first(CREG_IDX_PRGM1); // no constant: assigned are the lanes
  first = kScale;
  dst_reg[6] = vConstFloatPrgm0;
}

namespace {

/// SFPLOADI lreg, mod0, imm16.
constexpr std::uint32_t load_immediate(unsigned lreg, unsigned mod0, unsigned imm16) {
  return 0x71000000U | lreg << 20 | mod0 << 16 | imm16;
}

} // namespace

void api_lregs() {
  lanewise_sfpi::emit(load_immediate(1, SFPLOADI_MOD0_FLOATB, 0x4040));
  lanewise_sfpi::emit(load_immediate(4, SFPLOADI_MOD0_USHORT, 0x1234));
  vFloat three = l_reg[LRegs::LReg1];
  vUInt number = l_reg[LRegs::LReg4];
  dst_reg[1] = three * dst_reg[0];
  dst_reg[2] = number + 1;
  dst_reg[3] = ((vFloat)l_reg[LRegs::LReg1]) + 0.5F;
  l_reg[LRegs::LReg1] = three;
  l_reg[LRegs::LReg4] = number;
  l_reg[LRegs::LReg4].in_use();
}

void api_replay() {
  constexpr unsigned kSlot = 0, kLength = 2;
  lltt::record<lltt::Exec>(kSlot, kLength);
  lanewise_sfpi::emit(load_immediate(0, SFPLOADI_MOD0_FLOATB, 0x3F80));
  lanewise_sfpi::emit(load_immediate(2, SFPLOADI_MOD0_SHORT, 0x8000));
  lltt::record(kSlot + kLength, 1);
  lanewise_sfpi::emit(load_immediate(0, SFPLOADI_MOD0_FLOATB, 0x4000));
  lltt::replay(kSlot, kLength + 1);
  lanewise_sfpi::emit(lltt::replay_insn(kSlot, kLength));
  vFloat one = l_reg[LRegs::LReg0];
  vInt low = l_reg[LRegs::LReg2];
  dst_reg[0] = one;
  dst_reg[1] = low;
}

// A register that raw words use is free again where a later word writes it before it is read: here
// for the constant that SFPCONFIG takes from LReg 0.
void api_raw_words_in_turns() {
  for (int turn = 0; turn < 2; ++turn) {
    vConstFloatPrgm0 = 1.5F + static_cast<float>(turn);
    l_reg[LRegs::LReg0].in_use();
    lanewise_sfpi::emit(load_immediate(0, SFPLOADI_MOD0_FLOATB, 0x3F80));
    lanewise_sfpi::emit(0x72000000U); // SFPSTORE L0
  }
}
