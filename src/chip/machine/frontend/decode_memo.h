// Words that a front end has decoded: programs repeat them, in loops most of all, and many differ
// in a number alone.
#pragma once

#include <cstdint>
#include <vector>

#include "chip/isa/encoding.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/simd_level.h"

namespace lanewise {

/// Micro-ops by the form of their word (isa::form_of()), of words that can be executed and of which
/// nothing is to be reported. Each form has one place, which the last one to come keeps; there are
/// more places once forms have taken each other's.
class DecodeMemo {
 public:
  explicit DecodeMemo(Arch arch) : forms_(&isa::form_masks(arch)), arch_(arch) {}

  /// Micro-ops of another x86-64 level are forgotten.
  void use_level(SimdLevel level) {
    if (level != level_) *this = DecodeMemo(arch_);
    level_ = level;
  }

  /// What the word decodes to, whatever its line was, if one of its form has been decoded; else
  /// nullptr. Until the next call.
  const MicroOp* find(std::uint32_t word) {
    const std::uint32_t mask = (*forms_)[isa::opcode_of(word)];
    MicroOp& op = ops_[place(word & mask)];
    if (op.word == word) return op.kernel == nullptr ? nullptr : &op;
    if (((op.word ^ word) & mask) != 0 || op.kernel == nullptr) return nullptr;
    put_numbers(op, word);
    return &op;
  }

  void remember(const MicroOp& op) {
    if (ops_[place_of(op)].kernel != nullptr && ++replaced_ >= ops_.size()) grow();
    ops_[place_of(op)] = op;
  }

 private:
  static constexpr unsigned kFewestBits = 8, kMostBits = 12, kGrowth = 2;

  /// The upper bits of a product with 2^32 over the golden ratio: words that differ in any field
  /// are spread.
  std::size_t place(std::uint32_t form) const { return form * 0x9E3779B1U >> (32 - bits_); }
  std::size_t place_of(const MicroOp& op) const {
    return place(op.word & (*forms_)[isa::opcode_of(op.word)]);
  }

  /// Those of another word of the same form.
  void put_numbers(MicroOp& op, std::uint32_t word) const {
    const isa::OperandPlaces& places = isa::decode(arch_, word).row->operands;
    op.word = word;
    op.immediate = places.extract_immediate(word);
    op.addr_mod = static_cast<std::uint8_t>(places.addr_mod.extract(word));
  }

  void grow() {
    replaced_ = 0;
    if (bits_ == kMostBits) return;
    bits_ += kGrowth;
    std::vector<MicroOp> before(std::size_t{1} << bits_);
    before.swap(ops_);
    for (const MicroOp& each : before) {
      if (each.kernel != nullptr) ops_[place_of(each)] = each;
    }
  }

  const isa::FormMasks* forms_; ///< of the chip
  Arch arch_;
  unsigned bits_ = kFewestBits;
  std::size_t replaced_ = 0; ///< since there are so many places
  std::vector<MicroOp> ops_ = std::vector<MicroOp>(std::size_t{1} << kFewestBits);
  SimdLevel level_ = SimdLevel::Baseline;
};

} // namespace lanewise
