// A kernel without a compiler: calls the recorder through its C interface, as sfpi.h does.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

#include "source/sfpi/recorder.h"

namespace lanewise::sfpi {

class AbiKernel {
 public:
  explicit AbiKernel(lanewise_recorder* recorder) : recorder_(recorder) {}

  std::uint32_t add(const lanewise_node& node) {
    return recorder_->node(recorder_->self, &node, nullptr);
  }
  std::uint32_t add(LanewiseKind kind, std::initializer_list<std::uint32_t> operands = {},
                    std::int32_t imm = 0) {
    lanewise_node node;
    node.kind = kind;
    node.imm = imm;
    std::size_t index = 0;
    for (const std::uint32_t operand : operands) node.operand[index++] = operand;
    return add(node);
  }
  std::uint32_t instruction(std::uint8_t opcode, std::initializer_list<std::uint32_t> operands,
                            std::uint8_t mod = 0, std::int32_t imm = 0) {
    lanewise_node node;
    node.kind = LanewiseKind::Instruction;
    node.opcode = opcode;
    node.mod = mod;
    node.imm = imm;
    std::size_t index = 0;
    for (const std::uint32_t operand : operands) node.operand[index++] = operand;
    return add(node);
  }
  std::uint32_t constant(std::int32_t bits) { return add(LanewiseKind::Constant, {}, bits); }
  std::uint32_t undefined() { return add(LanewiseKind::Undefined); }
  std::uint32_t less(std::uint32_t a, std::uint32_t b) {
    return add(LanewiseKind::Compare, {a, b});
  }
  std::uint32_t assign(std::uint32_t old_value, std::uint32_t value, std::uint32_t declared) {
    return recorder_->assign(recorder_->self, old_value, value, declared, nullptr);
  }
  std::uint32_t context() { return recorder_->context(recorder_->self); }
  std::uint32_t text(const char* text) { return recorder_->text(recorder_->self, text); }
  void fail(const char* message, const char* remedy) {
    recorder_->fail(recorder_->self, message, remedy, nullptr);
  }

 private:
  lanewise_recorder* recorder_;
};

/// What a kernel leaves behind.
inline RawRecording record(const std::function<void(AbiKernel&)>& kernel,
                           Arch arch = Arch::Blackhole) {
  Recorder recorder(arch, "test");
  recorder.run([&] {
    AbiKernel abi(recorder.abi());
    kernel(abi);
  });
  return recorder.take();
}

/// The message with which a kernel is rejected; empty if it is not.
inline std::string mistake_of(const std::function<void(AbiKernel&)>& kernel,
                              Arch arch = Arch::Blackhole) {
  const RawRecording raw = record(kernel, arch);
  return raw.failure ? raw.failure->mistake.message : "";
}

} // namespace lanewise::sfpi
