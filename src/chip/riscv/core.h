// An interpreter of the cores: registers and instructions. What lies at which address is the bus's
// matter.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/riscv/instruction.h"

namespace lanewise::riscv {

/// What a core is connected to. Addresses are multiples of the bytes that are asked for. Errors are
/// faults without a place.
class Bus {
 public:
  virtual ~Bus() = default;

  /// The word of code at an address.
  virtual Expected<std::uint32_t> fetch(std::uint32_t address) = 0;
  /// 1, 2 or 4 bytes, zero-extended.
  virtual Expected<std::uint32_t> load(std::uint32_t address, unsigned bytes) = 0;
  virtual Expected<void> store(std::uint32_t address, unsigned bytes, std::uint32_t value) = 0;
  /// A Tensix instruction that stands in the code.
  virtual Expected<void> push(std::uint32_t tensix) = 0;
};

/// A word of code, taken apart.
struct Fetched {
  std::uint32_t word = 0;
  const Instruction* instruction = nullptr; ///< nullptr: `.ttinsn`; until the next one is fetched
};

/// RV32IM as the RISC-V manual has it, and on Blackhole Zicsr, Zaamo, Zba and Zbb.
class Core {
 public:
  Core(Arch arch, Bus& bus) : arch_(arch), bus_(bus) {}

  /// One instruction. Error: a fault without a place, for what the bus refuses, an instruction or a
  /// CSR that the chip lacks or nobody knows, an address that is not aligned, and ecall, ebreak and
  /// mret. The state is then as before.
  Expected<void> step();

  /// The same in two steps, for who wants to know what comes: the instruction at pc(), and doing
  /// it.
  Expected<Fetched> fetch();
  Expected<void> execute(const Fetched& fetched);

  std::uint32_t pc() const { return pc_; }
  void set_pc(std::uint32_t address) { pc_ = address; }
  std::uint32_t reg(unsigned number) const { return x_[number]; }
  void set_reg(unsigned number, std::uint32_t value);

 private:
  /// The instruction of a word, or nullptr; as decode(), which takes longer than most instructions.
  const Instruction* decoded(std::uint32_t word);
  Expected<void> execute_one(const Instruction& instruction);
  std::uint32_t second_operand(const Instruction& instruction) const;
  Expected<void> write(const Instruction& instruction, std::uint32_t value);
  Expected<void> jump(const Instruction& instruction, std::uint32_t target);
  Expected<void> branch(const Instruction& instruction, bool taken);
  Expected<std::uint32_t> load_value(std::uint32_t address, unsigned bytes);
  Expected<void> load(const Instruction& instruction, unsigned bytes, bool is_signed);
  Expected<void> store(const Instruction& instruction, unsigned bytes);
  Expected<void> atomic(const Instruction& instruction);
  Expected<std::uint32_t> read_csr(std::uint32_t number) const;
  void write_csr(std::uint32_t number, std::uint32_t value);
  Expected<void> change_csr(const Instruction& instruction);

  Arch arch_;
  Bus& bus_;
  std::array<std::uint32_t, 32> x_{};
  std::uint32_t pc_ = 0;
  std::uint32_t next_pc_ = 0;                   ///< of the instruction that is executed
  std::array<Instruction, 1024> decoded_{};     ///< by bits of the word
  std::map<std::uint32_t, std::uint32_t> csrs_; ///< that were written
};

} // namespace lanewise::riscv
