#include "chip/riscv/core.h"

#include <fmt/format.h>

#include <bit>

#include "chip/riscv/arithmetic.h"
#include "chip/riscv/csr.h"

namespace lanewise::riscv {

namespace {

constexpr std::uint32_t kWordBytes = 4;

Fault unsupported(std::string message, std::string remedy) {
  return {
      .kind = FaultKind::Unsupported, .message = std::move(message), .remedy = std::move(remedy)};
}

Fault unaligned(std::uint32_t address, unsigned bytes) {
  return unsupported(fmt::format("address 0x{:x} is no multiple of {}", address, bytes),
                     "no source says what the cores do there");
}

Fault unknown_word(std::uint32_t word) {
  return unsupported(
      fmt::format("0x{:08x} is no instruction of the cores that is known here", word),
      "docs/elf.md lists which are");
}

Fault lacking(Arch arch, Op op) {
  return unsupported(
      fmt::format("{} is of {}, which {}'s cores are not documented to have", row_of(op).mnemonic,
                  extension_name(extension_of(op)), arch_params(arch).names.family),
      "compile for the chip, or choose another with --arch");
}

Expected<Instruction> taken_apart(std::uint32_t word) {
  if (is_tensix(word)) return Instruction{.word = word};
  const auto instruction = decode(word);
  if (!instruction) return Unexpected(unknown_word(word));
  return *instruction;
}

/// What an atomic instruction leaves in memory.
std::uint32_t combined(Op op, std::uint32_t old, std::uint32_t value) {
  if (op == Op::AMOADD) return old + value;
  if (op == Op::AMOXOR) return old ^ value;
  if (op == Op::AMOOR) return old | value;
  if (op == Op::AMOAND) return old & value;
  if (op == Op::AMOMIN) return min_signed(old, value);
  if (op == Op::AMOMAX) return max_signed(old, value);
  if (op == Op::AMOMINU) return std::min(old, value);
  if (op == Op::AMOMAXU) return std::max(old, value);
  return value; // AMOSWAP
}

} // namespace

Core::Core(Arch arch, Bus& bus) : arch_(arch), bus_(bus) {
  for (const Row& row : rows()) {
    if (has_extension(arch, row.extension))
      extensions_ |= 1U << static_cast<unsigned>(row.extension);
  }
}

void Core::set_reg(unsigned number, std::uint32_t value) {
  if (number != 0) x_[number] = value;
}

Expected<Fetched> Core::fetch() {
  const auto word = bus_.fetch(pc_);
  if (!word) return Unexpected(word.error());
  if (const auto fetched = known(*word)) return *fetched;
  const auto instruction = taken_apart(*word);
  if (!instruction) return Unexpected(instruction.error());
  return fetched_of(code_.put(pc_, *instruction));
}

inline bool Core::write(const Instruction& instruction, std::uint32_t value) {
  set_reg(instruction.rd, value);
  return true;
}

inline bool Core::jump(const Instruction& instruction, std::uint32_t target) {
  if (target % kWordBytes != 0) return refuse_target(target);
  set_reg(instruction.rd, next_pc_);
  next_pc_ = target;
  return true;
}

inline bool Core::branch(const Instruction& instruction, bool taken) {
  if (!taken) return true;
  const std::uint32_t target = pc_ + as_unsigned(instruction.imm);
  if (target % kWordBytes != 0) return refuse_target(target);
  next_pc_ = target;
  return true;
}

[[gnu::always_inline]] inline bool Core::execute_one(const Instruction& i) {
  if (!has(extension_of(i.op))) return refuse(i.op);
  // What an instruction does not have is 0, a register as well as the number.
  const std::uint32_t a = x_[i.rs1];
  const std::uint32_t b = x_[i.rs2] + as_unsigned(i.imm);
  switch (i.op) {
    case Op::LUI: return write(i, as_unsigned(i.imm));
    case Op::AUIPC: return write(i, pc_ + as_unsigned(i.imm));
    case Op::JAL: return jump(i, pc_ + as_unsigned(i.imm));
    case Op::JALR: return jump(i, (a + as_unsigned(i.imm)) & ~1U);
    case Op::BEQ:
    case Op::BNE:
    case Op::BLT:
    case Op::BGE:
    case Op::BLTU:
    case Op::BGEU: return branch(i, is_taken(i.op, a, x_[i.rs2]));
    case Op::LB: return load(i, 1, true);
    case Op::LH: return load(i, 2, true);
    case Op::LW: return load(i, 4, false);
    case Op::LBU: return load(i, 1, false);
    case Op::LHU: return load(i, 2, false);
    case Op::SB: return store(i, 1);
    case Op::SH: return store(i, 2);
    case Op::SW: return store(i, 4);
    case Op::ADDI:
    case Op::ADD: return write(i, a + b);
    case Op::SLTI:
    case Op::SLT: return write(i, as_signed(a) < as_signed(b) ? 1 : 0);
    case Op::SLTIU:
    case Op::SLTU: return write(i, a < b ? 1 : 0);
    case Op::XORI:
    case Op::XOR: return write(i, a ^ b);
    case Op::ORI:
    case Op::OR: return write(i, a | b);
    case Op::ANDI:
    case Op::AND: return write(i, a & b);
    case Op::SLLI:
    case Op::SLL: return write(i, a << (b & 31U));
    case Op::SRLI:
    case Op::SRL: return write(i, a >> (b & 31U));
    case Op::SRAI:
    case Op::SRA: return write(i, shift_right_signed(a, b));
    case Op::SUB: return write(i, a - b);
    // One core, and memory that nobody else writes: nothing is out of order.
    case Op::FENCE:
    case Op::FENCE_TSO:
    case Op::FENCE_I: return true;
    case Op::ECALL:
    case Op::EBREAK:
    case Op::MRET: return refuse(i.op);
    case Op::MUL: return write(i, a * b);
    case Op::MULH: return write(i, mulh(a, b));
    case Op::MULHSU: return write(i, mulhsu(a, b));
    case Op::MULHU: return write(i, mulhu(a, b));
    case Op::DIV: return write(i, div(a, b));
    case Op::DIVU: return write(i, divu(a, b));
    case Op::REM: return write(i, rem(a, b));
    case Op::REMU: return write(i, remu(a, b));
    case Op::CSRRW:
    case Op::CSRRS:
    case Op::CSRRC:
    case Op::CSRRWI:
    case Op::CSRRSI:
    case Op::CSRRCI: return change_csr(i);
    case Op::AMOADD:
    case Op::AMOSWAP:
    case Op::AMOXOR:
    case Op::AMOOR:
    case Op::AMOAND:
    case Op::AMOMIN:
    case Op::AMOMAX:
    case Op::AMOMINU:
    case Op::AMOMAXU: return atomic(i);
    case Op::SH1ADD: return write(i, (a << 1) + b);
    case Op::SH2ADD: return write(i, (a << 2) + b);
    case Op::SH3ADD: return write(i, (a << 3) + b);
    case Op::ANDN: return write(i, a & ~b);
    case Op::ORN: return write(i, a | ~b);
    case Op::XNOR: return write(i, ~(a ^ b));
    case Op::MIN: return write(i, min_signed(a, b));
    case Op::MINU: return write(i, std::min(a, b));
    case Op::MAX: return write(i, max_signed(a, b));
    case Op::MAXU: return write(i, std::max(a, b));
    case Op::ROL: return write(i, rotate_left(a, b));
    case Op::ROR:
    case Op::RORI: return write(i, rotate_right(a, b));
    case Op::CLZ: return write(i, static_cast<std::uint32_t>(std::countl_zero(a)));
    case Op::CTZ: return write(i, static_cast<std::uint32_t>(std::countr_zero(a)));
    case Op::CPOP: return write(i, static_cast<std::uint32_t>(std::popcount(a)));
    case Op::SEXT_B: return write(i, as_unsigned(static_cast<std::int8_t>(a)));
    case Op::SEXT_H: return write(i, as_unsigned(static_cast<std::int16_t>(a)));
    case Op::ZEXT_H: return write(i, a & 0xFFFFU);
    case Op::ORC_B: return write(i, or_combine(a));
    case Op::REV8: return write(i, reverse_bytes(a));
  }
  return refuse(i.op);
}

[[gnu::always_inline]] inline bool Core::do_one(const Fetched& fetched) {
  next_pc_ = pc_ + kWordBytes;
  const bool done =
      fetched.instruction == nullptr ? push(fetched.word) : execute_one(*fetched.instruction);
  if (done) pc_ = next_pc_;
  return done;
}

bool Core::do_it(const Fetched& fetched) {
  return do_one(fetched);
}

Expected<void> Core::execute(const Fetched& fetched) {
  if (!do_it(fetched)) return Unexpected(std::move(refusal_));
  return no_fault();
}

Expected<void> Core::step() {
  const auto fetched = fetch();
  if (!fetched) return Unexpected(fetched.error());
  return execute(*fetched);
}

Expected<std::uint64_t> Core::run(std::uint32_t end, std::uint64_t most) {
  std::uint64_t count = 0;
  for (; pc_ != end && count < most; ++count) {
    const Instruction* const known = code_.find(pc_);
    if (known == nullptr) {
      if (auto done = step(); !done) return Unexpected(std::move(done.error()));
    } else if (!do_one(fetched_of(*known))) {
      return Unexpected(std::move(refusal_));
    }
  }
  return count;
}

bool Core::push(std::uint32_t code) {
  auto pushed = bus_.push(tensix_word(code));
  return pushed || refuse(std::move(pushed.error()));
}

bool Core::refuse(Op op) {
  if (!has(extension_of(op))) return refuse(lacking(arch_, op));
  return refuse(
      unsupported(fmt::format("{} leaves the function for a debugger or an interrupt's place",
                              row_of(op).mnemonic),
                  "nobody is there; call a function that has none"));
}

bool Core::refuse_target(std::uint32_t target) {
  return refuse(unaligned(target, kWordBytes));
}

bool Core::refuse(Fault fault) {
  refusal_ = std::move(fault);
  return false;
}

Expected<std::uint32_t> Core::load_value(std::uint32_t address, unsigned bytes) {
  if (address % bytes != 0) return Unexpected(unaligned(address, bytes));
  return bus_.load(address, bytes);
}

bool Core::load(const Instruction& instruction, unsigned bytes, bool is_signed) {
  auto value = load_value(x_[instruction.rs1] + as_unsigned(instruction.imm), bytes);
  if (!value) return refuse(std::move(value.error()));
  const unsigned unused = is_signed ? 32 - 8 * bytes : 0;
  return write(instruction, shift_right_signed(*value << unused, unused));
}

bool Core::store(const Instruction& instruction, unsigned bytes) {
  const std::uint32_t address = x_[instruction.rs1] + as_unsigned(instruction.imm);
  if (address % bytes != 0) return refuse(unaligned(address, bytes));
  auto stored = bus_.store(address, bytes, x_[instruction.rs2]);
  return stored || refuse(std::move(stored.error()));
}

bool Core::atomic(const Instruction& instruction) {
  const std::uint32_t address = x_[instruction.rs1];
  auto old = load_value(address, kWordBytes);
  if (!old) return refuse(std::move(old.error()));
  const std::uint32_t value = combined(instruction.op, *old, x_[instruction.rs2]);
  if (auto stored = bus_.store(address, kWordBytes, value); !stored)
    return refuse(std::move(stored.error()));
  return write(instruction, *old);
}

Expected<std::uint32_t> Core::read_csr(std::uint32_t number) const {
  const CsrRow* const row = find_csr(number);
  if (row == nullptr) {
    return Unexpected(unsupported(fmt::format("there is no CSR 0x{:x}", number),
                                  "docs/elf.md lists those there are"));
  }
  if (row->kind == CsrKind::Missing) {
    return Unexpected(
        unsupported(fmt::format("CSR {} (0x{:x}) holds what only hardware has", row->name, number),
                    "call a function that does not read it"));
  }
  const auto written = csrs_.find(number);
  return written == csrs_.end() ? row->reset : written->second;
}

void Core::write_csr(std::uint32_t number, std::uint32_t value) {
  const CsrRow* const row = find_csr(number);
  if (row != nullptr && row->kind == CsrKind::Stored) csrs_[number] = value;
}

bool Core::change_csr(const Instruction& instruction) {
  const auto number = as_unsigned(instruction.imm);
  auto old = read_csr(number);
  if (!old) return refuse(std::move(old.error()));
  const bool is_number = format_of(instruction.op) == Format::CsrImm;
  const std::uint32_t value = is_number ? instruction.rs1 : x_[instruction.rs1];
  const bool replaces = instruction.op == Op::CSRRW || instruction.op == Op::CSRRWI;
  const bool sets = instruction.op == Op::CSRRS || instruction.op == Op::CSRRSI;
  const std::uint32_t changed = replaces ? value : sets ? *old | value : *old & ~value;
  write_csr(number, changed);
  return write(instruction, *old);
}

} // namespace lanewise::riscv
