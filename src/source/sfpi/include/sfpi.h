// SFPI, the interface to the vectors of Tensix' Vector Unit, for the host's own C++ compiler.
//
// A kernel that includes this header and runs leaves a line of nodes in the recorder of the
// lanewise that has loaded it (lanewise_recorder.h): every operation on vectors appends one, while
// scalar C++ simply runs. Names and meanings are those of SFPI's releases; see sfpi_chip.h for
// which.
//
//   sfpi_chip.h       the chip and the epoch of the interface
//   sfpi_constants.h  names of modes and modifiers
//   names/            those that only some chips have
//   sfpi_node.h       how an operation reaches the recorder (sfpi_recording.h), or in the code of a
//                     core leaves a mark (sfpi_marks.h)
//   sfpi_emit.h       raw instruction words
//   sfpi_scalar.h     16-bit scalars, modes of functions
//   sfpi_registers.h  dst_reg, l_reg
//   sfpi_vector.h     vFloat, vInt, vUInt and narrower types, constant registers
//   sfpi_operand.h    which operands an operator takes
//   sfpi_operators.h  + - * & | ^ ~ << >> and assignments
//   sfpi_predicate.h  comparisons, v_if and its like
//   sfpi_builtins.h   the vendor compiler's own functions that kernels call by name
//   the library: sfpi_fields.h, sfpi_tables.h, sfpi_coefficients.h, sfpi_convert.h,
//     sfpi_exchange.h, sfpi_numbers.h
//
// Everything is compiled as C++17 or later, and written to be cheap to compile: a kernel is
// compiled each time that it changes.
#pragma once

/// SFPI's functions must be inlined on a RISC-V core. Here they are functions that a debugger can
/// step into.
#ifndef sfpi_inline
#if defined(LANEWISE_MARKS)
#define sfpi_inline inline __attribute__((always_inline))
#else
#define sfpi_inline inline
#endif
#endif

#include "sfpi_builtins.h"
#include "sfpi_chip.h"
#include "sfpi_coefficients.h"
#include "sfpi_constants.h"
#include "sfpi_convert.h"
#include "sfpi_exchange.h"
#include "sfpi_fields.h"
#include "sfpi_numbers.h"
#include "sfpi_predicate.h"
#include "sfpi_tables.h"
