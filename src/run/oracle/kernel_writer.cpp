#include "run/oracle/kernel_writer.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>

#include "chip/isa/encoding.h"

namespace lanewise::oracle {

using compiler::Kind;
using compiler::Recording;

namespace {

[[noreturn]] void refuse(const sfpi::Mistake& mistake) {
  throw std::logic_error("this is no recording: " + mistake.message);
}

/// The ADDR_MOD section that moves nothing, by the convention of kernels: the last that the field
/// can name (VU 2, note 4).
std::uint8_t resting_section(Arch arch) {
  return static_cast<std::uint8_t>((1U << arch_params(arch).front_end.addr_mod_bits) - 1);
}

} // namespace

KernelWriter::KernelWriter(Arch arch, std::string name)
    : arch_(arch), builder_(arch, std::move(name)) {}

bool KernelWriter::is_within(std::uint32_t context) const {
  return compiler::is_within(recording(), this->context(), context);
}

KernelWriter::Value KernelWriter::append(const lanewise_node& node) {
  last_line_ = std::max(last_line_, line_);
  const auto number = builder_.append(node, line_);
  if (!number) refuse(number.error());
  return *number;
}

KernelWriter::Value KernelWriter::add(Kind kind, std::initializer_list<Value> operands,
                                      std::int32_t imm) {
  lanewise_node node;
  node.kind = kind;
  node.imm = imm;
  std::copy(operands.begin(), operands.end(), node.operand);
  return append(node);
}

KernelWriter::Value KernelWriter::constant(std::uint32_t bits) {
  return add(Kind::Constant, {}, static_cast<std::int32_t>(bits));
}

KernelWriter::Value KernelWriter::constant(float number) {
  return constant(std::bit_cast<std::uint32_t>(number));
}

KernelWriter::Value KernelWriter::const_register(unsigned lreg) {
  return add(Kind::ConstRegister, {}, static_cast<std::int32_t>(lreg));
}

KernelWriter::Value KernelWriter::read_lreg(unsigned lreg) {
  return add(Kind::ReadLReg, {}, static_cast<std::int32_t>(lreg));
}

KernelWriter::Value KernelWriter::mad(Value a, Value b, Value c, std::uint8_t mod) {
  lanewise_node node;
  node.kind = Kind::FloatMad;
  node.mod = mod;
  node.operand[0] = a;
  node.operand[1] = b;
  node.operand[2] = c;
  return append(node);
}

KernelWriter::Value KernelWriter::instruction(isa::Op op, unsigned mod, std::int32_t imm,
                                              std::initializer_list<Operand> operands) {
  const isa::Row* row = isa::find_row(arch_, op);
  if (row == nullptr) refuse({"the chip lacks the instruction"});
  lanewise_node node;
  node.kind = Kind::Instruction;
  node.opcode = row->opcode;
  node.mod = static_cast<std::uint8_t>(mod);
  node.imm = imm;
  if (op == isa::Op::SFPLOAD || op == isa::Op::SFPSTORE) node.addr_mod = resting_section(arch_);
  for (const auto& [place, value] : operands) node.operand[place] = value;
  return append(node);
}

KernelWriter::Value KernelWriter::unary(isa::Op op, unsigned mod, Value vc, std::int32_t imm) {
  return instruction(op, mod, imm, {{2, vc}});
}

KernelWriter::Value KernelWriter::two_address(isa::Op op, unsigned mod, Value vc, Value vd) {
  return instruction(op, mod, 0, {{2, vc}, {3, vd}});
}

KernelWriter::Value KernelWriter::result(Value instruction, unsigned index) {
  return add(Kind::Result, {instruction}, static_cast<std::int32_t>(index));
}

KernelWriter::Value KernelWriter::load(std::int32_t address, unsigned mode) {
  return instruction(isa::Op::SFPLOAD, mode, address, {});
}

void KernelWriter::store(Value value, std::int32_t address, unsigned mode) {
  instruction(isa::Op::SFPSTORE, mode, address, {{3, value}});
}

KernelWriter::Value KernelWriter::compare(Value left, compiler::Relation relation, Value right,
                                          compiler::NumberType type) {
  lanewise_node node;
  node.kind = Kind::Compare;
  node.relation = relation;
  node.type = type;
  node.operand[0] = left;
  node.operand[1] = right;
  return append(node);
}

KernelWriter::Value KernelWriter::assign(Value old_value, Value value, std::uint32_t declared) {
  last_line_ = std::max(last_line_, line_);
  const auto number = builder_.assign(old_value, value, declared, line_);
  if (!number) refuse(number.error());
  return *number;
}

void KernelWriter::write_lreg(unsigned lreg, Value value) {
  add(Kind::WriteLReg, {value}, static_cast<std::int32_t>(lreg));
}

void KernelWriter::write_const(unsigned lreg, Value value) {
  add(Kind::WriteConst, {value}, static_cast<std::int32_t>(lreg));
}

void KernelWriter::raw(std::uint32_t word) {
  add(Kind::Raw, {}, static_cast<std::int32_t>(word));
}

void KernelWriter::advance(std::uint32_t rows) {
  lanewise_node node;
  node.kind = Kind::Raw;
  node.mod = 1;
  node.imm = static_cast<std::int32_t>(*isa::encode(arch_, isa::Op::INCRWC, {{"DstInc", rows}}));
  append(node);
}

void KernelWriter::raw(isa::Op op,
                       std::initializer_list<std::pair<std::string_view, std::uint32_t>> fields) {
  const auto word = isa::encode(arch_, op, fields);
  if (!word) refuse({"the chip lacks the instruction, or the instruction the field"});
  raw(*word);
}

void KernelWriter::print(std::string_view label, compiler::NumberType type, Value value) {
  const auto text = builder_.text(label);
  if (!text) refuse(text.error());
  lanewise_node node;
  node.kind = Kind::Print;
  node.type = type;
  node.imm = static_cast<std::int32_t>(*text);
  node.operand[0] = value;
  append(node);
}

Recording KernelWriter::take() {
  if (const auto closed = builder_.finish(); !closed) refuse(closed.error());
  Recording recording = builder_.take();
  recording.sites.resize(last_line_ + 1);
  for (std::uint32_t number = 1; number <= last_line_; ++number) {
    recording.sites[number] = {.frames = {{.file = recording.name, .function = {}, .line = number}},
                               .line = number};
  }
  return recording;
}

} // namespace lanewise::oracle
