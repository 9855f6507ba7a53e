// An interpreter of the cores: registers and instructions. What lies at which address is the bus's
// matter.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/riscv/code_memo.h"
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
  Core(Arch arch, Bus& bus);

  /// One instruction. Error: a fault without a place, for what the bus refuses, an instruction or a
  /// CSR that the chip lacks or nobody knows, an address that is not aligned, and ecall, ebreak and
  /// mret. The state is then as before.
  Expected<void> step();

  /// The same in two steps, for who wants to know what comes: the instruction at pc(), and doing
  /// it.
  Expected<Fetched> fetch();
  Expected<void> execute(const Fetched& fetched);

  /// For who knows the word of code at pc(): the instruction, if it has been fetched there before.
  std::optional<Fetched> known(std::uint32_t word) {
    const Instruction* const code = code_.find(pc_);
    if (code == nullptr || code->word != word) return std::nullopt;
    return fetched_of(*code);
  }
  /// As execute(). False: refusal() is its error, until the next instruction.
  bool do_it(const Fetched& fetched);
  Fault& refusal() { return refusal_; }

  /// Instructions until pc() is `end`, or so many: how many. Error: as step()'s; pc() is then that
  /// of the instruction. Each address of code is fetched once, for a bus on which nobody writes it.
  Expected<std::uint64_t> run(std::uint32_t end, std::uint64_t most);

  std::uint32_t pc() const { return pc_; }
  void set_pc(std::uint32_t address) { pc_ = address; }
  std::uint32_t reg(unsigned number) const { return x_[number]; }
  void set_reg(unsigned number, std::uint32_t value);

 private:
  bool has(Extension extension) const {
    return (extensions_ >> static_cast<unsigned>(extension) & 1U) != 0;
  }
  static Fetched fetched_of(const Instruction& code) {
    return {.word = code.word, .instruction = is_tensix(code.word) ? nullptr : &code};
  }
  // False: refusal_ says why not. Most instructions cannot fail, and a fault is large. What needs
  // room for one is a function of its own, so that the others need no stack.
  bool do_one(const Fetched& fetched);
  bool execute_one(const Instruction& instruction);
  [[gnu::noinline]] bool push(std::uint32_t code);
  [[gnu::noinline]] bool load(const Instruction& instruction, unsigned bytes, bool is_signed);
  [[gnu::noinline]] bool store(const Instruction& instruction, unsigned bytes);
  [[gnu::noinline]] bool atomic(const Instruction& instruction);
  [[gnu::noinline]] bool change_csr(const Instruction& instruction);
  [[gnu::noinline]] bool refuse(Op op);
  [[gnu::noinline]] bool refuse_target(std::uint32_t target);
  bool refuse(Fault fault);
  bool write(const Instruction& instruction, std::uint32_t value);
  bool jump(const Instruction& instruction, std::uint32_t target);
  bool branch(const Instruction& instruction, bool taken);
  Expected<std::uint32_t> load_value(std::uint32_t address, unsigned bytes);
  Expected<std::uint32_t> read_csr(std::uint32_t number) const;
  void write_csr(std::uint32_t number, std::uint32_t value);

  Arch arch_;
  Bus& bus_;
  std::uint32_t extensions_ = 0; ///< bit n: the chip has the n-th one
  std::array<std::uint32_t, 32> x_{};
  std::uint32_t pc_ = 0;
  std::uint32_t next_pc_ = 0;                   ///< of the instruction that is executed
  Fault refusal_;                               ///< of the last instruction that could not be done
  CodeMemo<Instruction> code_;                  ///< of `.ttinsn`, the word alone
  std::map<std::uint32_t, std::uint32_t> csrs_; ///< that were written
};

} // namespace lanewise::riscv
