// ckernel_template: the double loop that the MOP expander issues.
//
//   for (outer) { start; for (inner) { op0 [op1] } end0 end1 }
//
// The chip keeps the loop in the MOP expander's configuration and unrolls it in front of the
// coprocessor. Here run() issues the unrolled instructions (ISA: MOPExpander, ExpandTemplate1).
#pragma once

#include <cstdint>

#include "ckernel.h"

namespace ckernel {

/// The configuration of the MOP expander.
struct double_loop {
  std::uint32_t outer = 0, inner = 0;
  std::uint32_t start = TT_OP_NOP, end0 = TT_OP_NOP, end1 = TT_OP_NOP;
  std::uint32_t op0 = TT_OP_NOP, op1 = TT_OP_NOP;
  std::uint32_t last_of_all = TT_OP_NOP, last_of_inner = TT_OP_NOP;

  static bool is_nop(std::uint32_t word) { return word >> 24 == TT_OP_NOP >> 24; }

  void issue() const {
    constexpr std::uint32_t kCountMask = 127;
    const bool alternates = !is_nop(op1);
    const std::uint32_t length = (inner & kCountMask) * (alternates ? 2 : 1);
    std::uint32_t rounds = outer & kCountMask;
    if (rounds == 1 && is_nop(start) && length == 0 && !is_nop(end0)) {
      rounds += 128; // hardware bug, as documented
    }
    for (std::uint32_t j = 0; j < rounds; ++j) {
      if (!is_nop(start)) ::lanewise_sfpi::emit(start);
      for (std::uint32_t i = 0; i + 1 < length; ++i) {
        ::lanewise_sfpi::emit(alternates && i % 2 != 0 ? op1 : op0);
      }
      if (length != 0) ::lanewise_sfpi::emit(j + 1 == rounds ? last_of_all : last_of_inner);
      if (is_nop(end0)) continue;
      ::lanewise_sfpi::emit(end0);
      if (!is_nop(end1)) ::lanewise_sfpi::emit(end1);
    }
  }
};

class ckernel_template {
 public:
  ckernel_template(std::uint32_t outer_loop_len, std::uint32_t inner_loop_len)
      : ckernel_template(outer_loop_len, inner_loop_len, TT_OP_NOP) {}
  ckernel_template(std::uint32_t outer_loop_len, std::uint32_t inner_loop_len, std::uint32_t op)
      : ckernel_template(outer_loop_len, inner_loop_len, op, TT_OP_NOP) {
    loop_.last_of_all = loop_.last_of_inner = op;
  }
  ckernel_template(std::uint32_t outer_loop_len, std::uint32_t inner_loop_len, std::uint32_t op0,
                   std::uint32_t op1) {
    loop_.outer = outer_loop_len;
    loop_.inner = inner_loop_len;
    loop_.op0 = op0;
    loop_.op1 = loop_.last_of_all = loop_.last_of_inner = op1;
  }

  void set_loop_op0(std::uint32_t op) { loop_.op0 = op; }
  void set_loop_op1(std::uint32_t op) { loop_.op1 = op; }
  void set_start_op(std::uint32_t op) { loop_.start = op; }
  void set_end_op(std::uint32_t op) { set_end_ops(op, TT_OP_NOP); }
  void set_end_ops(std::uint32_t op0, std::uint32_t op1) {
    loop_.end0 = op0;
    loop_.end1 = op1;
  }
  /// Instead of the last instruction of an inner loop, unless the outer loop ends there, too.
  void set_last_inner_loop_instr(std::uint32_t op) { loop_.last_of_inner = op; }
  /// Instead of the very last instruction of the inner loops.
  void set_last_outer_loop_instr(std::uint32_t op) { loop_.last_of_all = op; }

  void program() const { programmed_ = loop_; }
  /// Issues the loop that was programmed last.
  static void run() { programmed_.issue(); }
  void program_and_run() const {
    program();
    run();
  }

 private:
  static inline double_loop programmed_;
  double_loop loop_;
};

} // namespace ckernel
