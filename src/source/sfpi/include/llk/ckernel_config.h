// Configuration registers as kernels write them, recorded as instructions.
//
// On the chip a RISC-V core stores into memory-mapped configuration. Here every such store becomes
// the RMWCIB words that make the coprocessor write the same bits. RMWCIB works on the bank that the
// thread has selected, so the offset of the second bank never appears.
#pragma once

#include <cstdint>

#include "cfg_defines.h"
#include "ckernel_globals.h"
#include "ckernel_ops.h"
#include "lanewise_fail.h"

namespace ckernel {

/// Records a write of the bits `mask` of a 32-bit configuration word.
inline void record_config_write(std::uint32_t word, std::uint32_t value, std::uint32_t mask) {
  const auto byte = [](std::uint32_t bits, unsigned index) { return bits >> (8 * index) & 0xFFU; };
  if (byte(mask, 0) != 0) TT_RMWCIB0(byte(mask, 0), byte(value, 0), word);
  if (byte(mask, 1) != 0) TT_RMWCIB1(byte(mask, 1), byte(value, 1), word);
  if (byte(mask, 2) != 0) TT_RMWCIB2(byte(mask, 2), byte(value, 2), word);
  if (byte(mask, 3) != 0) TT_RMWCIB3(byte(mask, 3), byte(value, 3), word);
}

/// What a kernel read from configuration would decide which words it issues, and that is unknown
/// before the words run.
[[noreturn]] inline void fail_config_read() {
  lanewise_llk::fail("a kernel on the host cannot read a configuration register",
                     "keep the value that was written in a variable of the kernel");
}

/// A word of configuration that can be assigned to.
class config_word {
 public:
  explicit config_word(std::uint32_t word) : word_(word) {}

  const config_word& operator=(std::uint32_t value) const {
    record_config_write(word_, value, ~0U);
    return *this;
  }
  operator std::uint32_t() const { fail_config_read(); }

 private:
  std::uint32_t word_;
};

/// Stands for the pointer to configuration: `auto cfg = get_cfg_pointer(); cfg[address] = value;`.
class config_pointer {
 public:
  /// A template, so that no index type prefers the conversion to a pointer below.
  template <typename Index>
  config_word operator[](Index word) const {
    return config_word(static_cast<std::uint32_t>(word));
  }
  operator volatile std::uint32_t*() const {
    lanewise_llk::fail("stores through a plain pointer to configuration cannot be recorded",
                       "write 'auto cfg = get_cfg_pointer();', or use cfg_reg_rmw_tensix");
  }
};

inline config_pointer get_cfg_pointer() {
  return {};
}

inline std::uint32_t cfg_addr(std::uint32_t cfg_addr32) {
  return cfg_addr32;
}

inline void cfg_write(std::uint32_t cfg_addr32, std::uint32_t data) {
  record_config_write(cfg_addr32, data, ~0U);
}

inline std::uint32_t cfg_read(std::uint32_t /*cfg_addr32*/) {
  fail_config_read();
}

inline void cfg_rmw(std::uint32_t cfg_addr32, std::uint32_t cfg_shamt, std::uint32_t cfg_mask,
                    std::uint32_t value) {
  record_config_write(cfg_addr32, value << cfg_shamt, cfg_mask);
}

template <std::uint32_t CfgAddr32, std::uint32_t Shamt, std::uint32_t Mask>
inline void cfg_reg_rmw_tensix(std::uint32_t value) {
  record_config_write(CfgAddr32, value << Shamt, Mask);
}

/// A store of the core to one of its own registers. Of these the coprocessor looks at
/// DBG_FEATURE_DISABLE alone. It is recorded as what the coprocessor itself would do, by way of the
/// general-purpose register that the library keeps for such purposes.
inline void reg_write(std::uint32_t address, std::uint32_t value) {
  constexpr std::uint32_t kScratch = 60;           // TMP0 of the math thread
  constexpr std::uint32_t kRegisters = 0xFFB00000; // ISA STOREREG
  if (address != RISCV_DEBUG_REG_DBG_FEATURE_DISABLE) {
    lanewise_llk::fail(
        "of the registers of the cores only RISCV_DEBUG_REG_DBG_FEATURE_DISABLE "
        "can be written on the host",
        "leave the write out");
  }
  TT_SETDMAREG(0, value & 0xFFFF, 0, 2 * kScratch);
  TT_SETDMAREG(0, value >> 16, 0, 2 * kScratch + 1);
  TT_STOREREG(kScratch, (address - kRegisters) >> 2);
}

/// What the debug register holds depends on words that have not run.
inline std::uint32_t reg_read(std::uint32_t /*address*/) {
  fail_config_read();
}

/// The other bank of the shared configuration, from the next two instructions on.
inline void flip_cfg_state_id() {
  cfg_state_id = 1 - cfg_state_id;
  TT_SETC16(CFG_STATE_ID_StateID_ADDR32, cfg_state_id);
  TTI_NOP;
  TTI_NOP;
}

inline void reset_cfg_state_id() {
  cfg_state_id = 0;
}

} // namespace ckernel
