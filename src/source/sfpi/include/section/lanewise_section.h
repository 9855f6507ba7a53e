// Comes first in every section of a test (run/section/test_source.h): what the RISC-V instructions
// in its inline assembly become for the host's assembler.
//
// Instructions are macros of the assembler, which go before its own mnemonics. The compiler writes
// mnemonics of x86 with a suffix (andl), so that "and" with three operands is RISC-V's.
#pragma once

#include "../lanewise_recorder.h"

// A Tensix instruction is pushed by a call that keeps all registers, whose address lanewise puts
// there before the section runs (run/section/push_call.h). It goes below the 128 bytes under the
// stack pointer that are the compiler's.
asm(R"(
.pushsection .data
.balign 8
.globl lanewise_push
lanewise_push:
lanewise_push_of_this:
  .quad 0
.popsection
.macro .ttinsn word
  leaq -136(%rsp), %rsp
  movl \word, (%rsp)
  call *lanewise_push_of_this(%rip)
  leaq 136(%rsp), %rsp
.endm
)");

/// LLK's instruction buffer: a store pushes the word.
struct lanewise_instruction_buffer {
  struct Place {
    __attribute__((always_inline)) void operator=(unsigned word) const {
      asm volatile(".ttinsn %0" : : "ri"(word) : "memory");
    }
  };
  __attribute__((always_inline)) constexpr Place operator[](unsigned) const { return {}; }
};

// Loads and stores of a core, and what makes it wait for them.
asm(R"(
.macro lw register, place
  movl \place, \register
.endm
.macro sw register, place
  movl \register, \place
.endm
.macro and operands:vararg
.endm
.macro andi operands:vararg
.endm
.macro fence operands:vararg
.endm
)");

// What a test counts a loop with.
asm(R"(
.macro addi register, source, number
  leal \number(\source), \register
.endm
.macro bgtu left, right, label
  .ifc \right, zero
    cmpl $0, \left
  .else
    cmpl \right, \left
  .endif
  ja \label
.endm
)");

// Control and status registers: switches of the core that change nothing but its speed.
asm(R"(
.macro csrr operands:vararg
.endm
.macro csrw operands:vararg
.endm
.macro csrs operands:vararg
.endm
.macro csrc operands:vararg
.endm
.macro csrrs operands:vararg
.endm
.macro csrrc operands:vararg
.endm
.macro csrrw operands:vararg
.endm
)");

// An assertion that does not hold ends here.
asm(R"(
.macro ebreak
  ud2
.endm
)");
