// Writes a recording operation by operation, for tests and for kernels made by programs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "source/compiler/ir.h"
#include "source/sfpi/recording_builder.h"

namespace lanewise::oracle {

/// Each method appends one node. A node that breaks a rule of recordings throws std::logic_error
/// that says which: whoever writes a kernel this way is a program.
class KernelWriter {
 public:
  using Value = compiler::Value;

  explicit KernelWriter(Arch arch, std::string name = "kernel");

  Arch arch() const { return arch_; }
  /// Source line of the nodes that follow; 0 = none.
  void line(std::uint32_t number) { line_ = number; }
  /// The current predicate context.
  std::uint32_t context() const { return builder_.context(); }
  const compiler::Recording& recording() const { return builder_.recording(); }
  /// Whether the lanes that are enabled here are all enabled in that context.
  bool is_within(std::uint32_t context) const;

  Value undefined() { return add(compiler::Kind::Undefined, {}); }
  Value constant(std::uint32_t bits);
  Value constant(float number);
  Value const_register(unsigned lreg);
  Value read_lreg(unsigned lreg);

  Value add(Value a, Value b) { return add(compiler::Kind::FloatAdd, {a, b}); }
  Value sub(Value a, Value b) { return add(compiler::Kind::FloatSub, {a, b}); }
  Value mul(Value a, Value b) { return add(compiler::Kind::FloatMul, {a, b}); }
  Value mad(Value a, Value b, Value c, std::uint8_t mod = 0);

  /// An operand and its place: 0 VA, 1 VB, 2 VC, 3 VD; or LReg[place] (lanewise_recorder.h).
  using Operand = std::pair<unsigned, Value>;
  Value instruction(isa::Op op, unsigned mod, std::int32_t imm,
                    std::initializer_list<Operand> operands);
  Value unary(isa::Op op, unsigned mod, Value vc, std::int32_t imm = 0);
  Value two_address(isa::Op op, unsigned mod, Value vc, Value vd);
  Value result(Value instruction, unsigned index);

  /// SFPLOAD and SFPSTORE with the ADDR_MOD section that moves nothing.
  Value load(std::int32_t address, unsigned mode = 0);
  void store(Value value, std::int32_t address, unsigned mode = 0);

  Value compare(Value left, compiler::Relation relation, Value right,
                compiler::NumberType type = compiler::NumberType::Float);
  Value both(Value left, Value right) { return add(compiler::Kind::And, {left, right}); }
  Value either(Value left, Value right) { return add(compiler::Kind::Or, {left, right}); }
  Value negation(Value condition) { return add(compiler::Kind::Not, {condition}); }
  Value from_condition(Value condition) { return add(compiler::Kind::FromCondition, {condition}); }

  void begin_if(Value condition) { add(compiler::Kind::If, {condition}); }
  void else_if(Value condition) { add(compiler::Kind::ElseIf, {condition}); }
  void begin_else() { add(compiler::Kind::Else, {}); }
  /// `conditions`: number of begin_if() and else_if() of the chain.
  void end_if(std::int32_t conditions = 1) { add(compiler::Kind::EndIf, {}, conditions); }
  void begin_block() { add(compiler::Kind::Block, {}); }
  void end_block() { add(compiler::Kind::EndBlock, {}); }
  void narrow(Value condition) { add(compiler::Kind::Narrow, {condition}); }

  /// The value of a variable of context `declared` after `variable = value`.
  Value assign(Value old_value, Value value, std::uint32_t declared);

  void write_lreg(unsigned lreg, Value value);
  void write_const(unsigned lreg, Value value);
  void raw(std::uint32_t word);
  /// dst_reg++ and the like: INCRWC that SFPI itself issues.
  void advance(std::uint32_t rows);
  /// A raw word by its fields.
  void raw(isa::Op op, std::initializer_list<std::pair<std::string_view, std::uint32_t>> fields);
  void print(std::string_view label, compiler::NumberType type, Value value);

  /// The recording; source line n is site n. Nothing may be written any more.
  compiler::Recording take();

 private:
  Value add(compiler::Kind kind, std::initializer_list<Value> operands, std::int32_t imm = 0);
  Value append(const lanewise_node& node);

  Arch arch_;
  sfpi::RecordingBuilder builder_;
  std::uint32_t line_ = 0;
  std::uint32_t last_line_ = 0;
};

} // namespace lanewise::oracle
