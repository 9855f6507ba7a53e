#include "run/section/move.h"

#include <cstddef>

namespace lanewise::section {
namespace {

/// Prefixes and what follows them (AMD64 manual, volume 3, 1.2).
struct MoveReader {
  const std::uint8_t* at;
  const std::uint8_t* first;
  bool has_operand_prefix = false; ///< 66: 16 bits
  bool has_address_prefix = false; ///< 67: addresses of 32 bits
  std::uint8_t rex = 0;

  explicit MoveReader(const std::uint8_t* code) : at(code), first(code) {
    constexpr std::uint8_t kOperandSize = 0x66, kAddressSize = 0x67;
    for (; *at == kOperandSize || *at == kAddressSize; ++at) {
      has_operand_prefix |= *at == kOperandSize;
      has_address_prefix |= *at == kAddressSize;
    }
    if ((*at & 0xF0) == 0x40) rex = *at++;
  }

  bool is_wide() const { return (rex & 8) != 0; }
  std::uint8_t operand_bytes() const { return is_wide() ? 8 : has_operand_prefix ? 2 : 4; }

  std::uint64_t little_endian(unsigned count) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{*at++} << (8 * i);
    return value;
  }
};

std::uint64_t sign_extended(std::uint64_t value, unsigned bytes) {
  const unsigned unused = 64 - 8 * bytes;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

/// The ModRM byte and all that belongs to the place in memory; the number of the register, or
/// nothing if there is no memory.
std::optional<std::uint8_t> read_place(MoveReader& reader) {
  const std::uint8_t mod_rm = *reader.at++;
  const unsigned mode = mod_rm >> 6, base = mod_rm & 7;
  constexpr unsigned kRegister = 3, kHasIndex = 4, kNoBase = 5;
  if (mode == kRegister) return std::nullopt;
  unsigned displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;
  if (base == kHasIndex) {
    const std::uint8_t index = *reader.at++;
    if (mode == 0 && (index & 7) == kNoBase) displacement = 4;
  } else if (mode == 0 && base == kNoBase) {
    displacement = 4; // relative to the instruction pointer
  }
  reader.at += displacement;
  return static_cast<std::uint8_t>((mod_rm >> 3 & 7) | (reader.rex & 4) << 1);
}

/// Registers 4..7 of one byte are the second bytes of 0..3 unless there is a REX prefix.
void set_register(Move& move, std::uint8_t number, bool is_byte, std::uint8_t rex) {
  move.high_byte = is_byte && rex == 0 && number >= 4;
  move.register_index = move.high_byte ? static_cast<std::uint8_t>(number - 4) : number;
}

/// MOVZX and MOVSX: 0F B6, B7, BE, BF.
std::optional<Move> read_extension(MoveReader& reader) {
  const std::uint8_t opcode = *reader.at++;
  if ((opcode & 0xF6) != 0xB6) return std::nullopt;
  Move move{.bytes = static_cast<std::uint8_t>((opcode & 1) != 0 ? 2 : 1),
            .register_bytes = reader.operand_bytes(),
            .sign_extends = (opcode & 8) != 0};
  const auto number = read_place(reader);
  if (!number) return std::nullopt;
  move.register_index = *number;
  return move;
}

/// A0..A3: AL or EAX and an address that stands in the instruction.
Move read_accumulator_move(MoveReader& reader, std::uint8_t opcode) {
  const bool is_byte = (opcode & 1) == 0;
  const std::uint8_t bytes = is_byte ? std::uint8_t{1} : reader.operand_bytes();
  reader.at += reader.has_address_prefix ? 4 : 8;
  return {.is_store = (opcode & 2) != 0, .bytes = bytes, .register_bytes = bytes};
}

std::optional<Move> read_move(MoveReader& reader) {
  constexpr std::uint8_t kStoreByte = 0x88, kStore = 0x89, kLoadByte = 0x8A, kLoad = 0x8B,
                         kStoreImmediateByte = 0xC6, kStoreImmediate = 0xC7, kLoadSigned = 0x63,
                         kTwoBytes = 0x0F;
  const std::uint8_t opcode = *reader.at++;
  if (opcode == kTwoBytes) return read_extension(reader);
  if ((opcode & 0xFC) == 0xA0) return read_accumulator_move(reader, opcode);
  const bool is_byte = opcode == kStoreByte || opcode == kLoadByte || opcode == kStoreImmediateByte;
  const bool is_immediate = opcode == kStoreImmediateByte || opcode == kStoreImmediate;
  const bool is_store = is_immediate || opcode == kStoreByte || opcode == kStore;
  const bool is_signed = opcode == kLoadSigned && reader.is_wide();
  if (!is_store && opcode != kLoadByte && opcode != kLoad && !is_signed) return std::nullopt;

  Move move{.is_store = is_store,
            .bytes = is_byte     ? std::uint8_t{1}
                     : is_signed ? std::uint8_t{4}
                                 : reader.operand_bytes(),
            .is_immediate = is_immediate,
            .register_bytes = is_byte ? std::uint8_t{1} : reader.operand_bytes(),
            .sign_extends = is_signed};
  const auto number = read_place(reader);
  if (!number) return std::nullopt;
  set_register(move, *number, is_byte, reader.rex);
  if (is_immediate) {
    const unsigned count = move.bytes == 8 ? 4 : move.bytes;
    move.immediate = sign_extended(reader.little_endian(count), count);
  }
  return move;
}

std::uint64_t low_bytes(unsigned count) {
  return count == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * count)) - 1;
}

} // namespace

std::optional<Move> decode_move(const std::uint8_t* code) {
  MoveReader reader(code);
  auto move = read_move(reader);
  if (move) move->length = static_cast<std::uint8_t>(reader.at - reader.first);
  return move;
}

std::uint64_t loaded_register(const Move& move, std::uint64_t before, std::uint64_t value) {
  const std::uint64_t extended = move.sign_extends ? sign_extended(value, move.bytes) : value;
  // Writing 4 bytes of a register clears the others.
  if (move.register_bytes >= 4) return extended & low_bytes(move.register_bytes);
  const unsigned shift = move.high_byte ? 8 : 0;
  const std::uint64_t written = low_bytes(move.register_bytes) << shift;
  return (before & ~written) | (extended << shift & written);
}

std::uint64_t stored_value(const Move& move, std::uint64_t register_value) {
  const std::uint64_t value = move.is_immediate ? move.immediate
                              : move.high_byte  ? register_value >> 8
                                                : register_value;
  return value & low_bytes(move.bytes);
}

} // namespace lanewise::section
