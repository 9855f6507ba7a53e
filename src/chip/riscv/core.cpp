#include "chip/riscv/core.h"

#include <fmt/format.h>

#include <bit>

#include "chip/riscv/arithmetic.h"
#include "chip/riscv/csr.h"

namespace lanewise::riscv {

namespace {

constexpr std::uint32_t kWordBytes = 4;

Unexpected refused(std::string message, std::string remedy = {}) {
  return Unexpected(Fault{
      .kind = FaultKind::Unsupported, .message = std::move(message), .remedy = std::move(remedy)});
}

Unexpected unaligned(std::uint32_t address, unsigned bytes) {
  return refused(fmt::format("address 0x{:x} is no multiple of {}", address, bytes),
                 "no source says what the cores do there");
}

Unexpected unknown_word(std::uint32_t word) {
  return refused(fmt::format("0x{:08x} is no instruction of the cores that is known here", word),
                 "docs/elf.md lists which are");
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

void Core::set_reg(unsigned number, std::uint32_t value) {
  if (number != 0) x_[number] = value;
}

const Instruction* Core::decoded(std::uint32_t word) {
  Instruction& slot = decoded_[(word >> 2 ^ word >> 12 ^ word >> 22) % decoded_.size()];
  if (slot.word == word) return &slot;
  const auto instruction = decode(word);
  if (!instruction) return nullptr;
  slot = *instruction;
  return &slot;
}

Expected<Fetched> Core::fetch() {
  const auto word = bus_.fetch(pc_);
  if (!word) return Unexpected(word.error());
  if (is_tensix(*word)) return Fetched{.word = *word};
  const Instruction* const instruction = decoded(*word);
  if (instruction == nullptr) return unknown_word(*word);
  return Fetched{.word = *word, .instruction = instruction};
}

Expected<void> Core::execute(const Fetched& fetched) {
  next_pc_ = pc_ + kWordBytes;
  auto done = fetched.instruction == nullptr ? bus_.push(tensix_word(fetched.word))
                                             : execute_one(*fetched.instruction);
  if (done) pc_ = next_pc_;
  return done;
}

Expected<void> Core::step() {
  const auto fetched = fetch();
  if (!fetched) return Unexpected(fetched.error());
  return execute(*fetched);
}

std::uint32_t Core::second_operand(const Instruction& instruction) const {
  const Format format = row_of(instruction.op).format;
  const bool is_immediate = format == Format::Imm || format == Format::Shift;
  return is_immediate ? as_unsigned(instruction.imm) : x_[instruction.rs2];
}

Expected<void> Core::execute_one(const Instruction& i) {
  const Extension extension = row_of(i.op).extension;
  if (!has_extension(arch_, extension)) {
    return refused(fmt::format("{} is of {}, which {}'s cores are not documented to have",
                               row_of(i.op).mnemonic, extension_name(extension),
                               arch_params(arch_).names.family),
                   "compile for the chip, or choose another with --arch");
  }
  const std::uint32_t a = x_[i.rs1];
  const std::uint32_t b = second_operand(i);
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
    case Op::BGEU: return branch(i, is_taken(i.op, a, b));
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
    case Op::FENCE_I: return {};
    case Op::ECALL:
    case Op::EBREAK:
    case Op::MRET:
      return refused(fmt::format("{} leaves the function for a debugger or an interrupt's place",
                                 row_of(i.op).mnemonic),
                     "nobody is there; call a function that has none");
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
  return unknown_word(i.word);
}

Expected<void> Core::write(const Instruction& instruction, std::uint32_t value) {
  set_reg(instruction.rd, value);
  return {};
}

Expected<void> Core::jump(const Instruction& instruction, std::uint32_t target) {
  if (target % kWordBytes != 0) return unaligned(target, kWordBytes);
  set_reg(instruction.rd, next_pc_);
  next_pc_ = target;
  return {};
}

Expected<void> Core::branch(const Instruction& instruction, bool taken) {
  if (!taken) return {};
  const std::uint32_t target = pc_ + as_unsigned(instruction.imm);
  if (target % kWordBytes != 0) return unaligned(target, kWordBytes);
  next_pc_ = target;
  return {};
}

Expected<std::uint32_t> Core::load_value(std::uint32_t address, unsigned bytes) {
  if (address % bytes != 0) return unaligned(address, bytes);
  return bus_.load(address, bytes);
}

Expected<void> Core::load(const Instruction& instruction, unsigned bytes, bool is_signed) {
  const auto value = load_value(x_[instruction.rs1] + as_unsigned(instruction.imm), bytes);
  if (!value) return Unexpected(value.error());
  const unsigned unused = is_signed ? 32 - 8 * bytes : 0;
  return write(instruction, shift_right_signed(*value << unused, unused));
}

Expected<void> Core::store(const Instruction& instruction, unsigned bytes) {
  const std::uint32_t address = x_[instruction.rs1] + as_unsigned(instruction.imm);
  if (address % bytes != 0) return unaligned(address, bytes);
  return bus_.store(address, bytes, x_[instruction.rs2]);
}

Expected<void> Core::atomic(const Instruction& instruction) {
  const std::uint32_t address = x_[instruction.rs1];
  const auto old = load_value(address, kWordBytes);
  if (!old) return Unexpected(old.error());
  const std::uint32_t value = combined(instruction.op, *old, x_[instruction.rs2]);
  if (auto stored = bus_.store(address, kWordBytes, value); !stored) return stored;
  return write(instruction, *old);
}

Expected<std::uint32_t> Core::read_csr(std::uint32_t number) const {
  const CsrRow* const row = find_csr(number);
  if (row == nullptr)
    return refused(fmt::format("there is no CSR 0x{:x}", number),
                   "docs/elf.md lists those there are");
  if (row->kind == CsrKind::Missing) {
    return refused(fmt::format("CSR {} (0x{:x}) holds what only hardware has", row->name, number),
                   "call a function that does not read it");
  }
  const auto written = csrs_.find(number);
  return written == csrs_.end() ? row->reset : written->second;
}

void Core::write_csr(std::uint32_t number, std::uint32_t value) {
  const CsrRow* const row = find_csr(number);
  if (row != nullptr && row->kind == CsrKind::Stored) csrs_[number] = value;
}

Expected<void> Core::change_csr(const Instruction& instruction) {
  const auto number = as_unsigned(instruction.imm);
  const auto old = read_csr(number);
  if (!old) return Unexpected(old.error());
  const bool is_number = row_of(instruction.op).format == Format::CsrImm;
  const std::uint32_t value = is_number ? instruction.rs1 : x_[instruction.rs1];
  const bool replaces = instruction.op == Op::CSRRW || instruction.op == Op::CSRRWI;
  const bool sets = instruction.op == Op::CSRRS || instruction.op == Op::CSRRSI;
  const std::uint32_t changed = replaces ? value : sets ? *old | value : *old & ~value;
  write_csr(number, changed);
  return write(instruction, *old);
}

} // namespace lanewise::riscv
