// Loads and stores of x86-64, as g++ writes them for a volatile access: what a section's core does
// at an address where the host has nothing, from the bytes of its machine code.
#pragma once

#include <cstdint>
#include <optional>

namespace lanewise::section {

/// A MOV, MOVZX, MOVSX or MOVSXD between a register, or an immediate, and memory.
struct Move {
  bool is_store = false;
  std::uint8_t bytes = 0;          ///< of memory: 1, 2, 4 or 8
  std::uint8_t register_index = 0; ///< as the machine code numbers them, 0..15
  bool high_byte = false;          ///< AH, CH, DH or BH: bits 15:8 of registers 0..3
  bool is_immediate = false;       ///< a store of `immediate`
  std::uint64_t immediate = 0;
  std::uint8_t register_bytes = 0; ///< of a load: how much of the register is written
  bool sign_extends = false;
  std::uint8_t length = 0; ///< of the instruction, in bytes
};

/// Nothing for any other instruction. Reads no more than an instruction may have: 15 bytes.
std::optional<Move> decode_move(const std::uint8_t* code);

/// The register after a load of `value` from memory.
std::uint64_t loaded_register(const Move& move, std::uint64_t before, std::uint64_t value);

/// What a store writes, given its register.
std::uint64_t stored_value(const Move& move, std::uint64_t register_value);

} // namespace lanewise::section
