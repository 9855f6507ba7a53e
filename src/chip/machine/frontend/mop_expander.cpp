#include "chip/machine/frontend/mop_expander.h"

#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"

namespace lanewise {

namespace {

constexpr std::uint8_t kNopOpcode = 0x02;

/// Only NOP itself, neither SFPNOP nor DMANOP.
bool is_nop(const ProgramWord& word) {
  return isa::opcode_of(word.word) == kNopOpcode;
}

} // namespace

/// The expansion of one MOP.
class MopExpander::Template {
 public:
  explicit Template(const MopExpander& expander) : expander_(expander) {}

  /// `count` times A0 [A1 A2 A3] [B], or where the mask has a 1, SkipA0 [SkipB].
  MopExpansion masked(std::uint32_t mask, unsigned count) {
    const std::uint32_t flags = number(1);
    const bool has_b = (flags & 1) != 0;
    const bool has_a123 = (flags & 2) != 0;
    for (unsigned i = 0; i < count; ++i, mask >>= 1) {
      if ((mask & 1) != 0) {
        issue(instruction(7));
        if (has_b) issue(instruction(8));
        continue;
      }
      issue(instruction(3));
      for (unsigned a = 4; has_a123 && a <= 6; ++a) issue(instruction(a));
      if (has_b) issue(instruction(2));
    }
    return std::move(result_);
  }

  /// Start, an inner loop, End0 and End1, as often as the outer loop says.
  MopExpansion double_loop() {
    constexpr std::uint32_t kCountMask = 127;
    constexpr std::uint32_t kMissedWrap = 128;
    std::uint32_t outer = number(0) & kCountMask;
    std::uint32_t inner = number(1) & kCountMask;
    const ProgramWord start = instruction(2), end_0 = instruction(3), loop_1 = instruction(6);
    const bool alternates = !is_nop(loop_1);
    if (alternates) inner *= 2;
    // Hardware bug, as documented.
    if (outer == 1 && is_nop(start) && inner == 0 && !is_nop(end_0)) outer += kMissedWrap;
    for (std::uint32_t j = 0; j < outer; ++j) {
      if (!is_nop(start)) issue(start);
      for (std::uint32_t i = 0; i + 1 < inner; ++i)
        issue(alternates && i % 2 != 0 ? loop_1 : instruction(5));
      if (inner != 0) issue(instruction(j + 1 == outer ? 7 : 8));
      if (is_nop(end_0)) continue;
      issue(end_0);
      if (const ProgramWord end_1 = instruction(4); !is_nop(end_1)) issue(end_1);
    }
    return std::move(result_);
  }

 private:
  std::uint32_t number(unsigned index) {
    return written(index) ? expander_.config_[index].word : 0;
  }

  ProgramWord instruction(unsigned index) {
    return written(index) ? expander_.config_[index]
                          : ProgramWord{std::uint32_t{kNopOpcode} << 24, 0};
  }

  bool written(unsigned index) {
    result_.unset |= ~expander_.written_ & 1U << index;
    return (expander_.written_ >> index & 1U) != 0;
  }

  void issue(const ProgramWord& word) { result_.words.push_back(word); }

  const MopExpander& expander_;
  MopExpansion result_;
};

void MopExpander::configure(unsigned index, std::uint32_t value, std::uint32_t line) {
  config_[index] = {value, line};
  written_ |= 1U << index;
}

void MopExpander::forget_lines() {
  for (ProgramWord& word : config_) word.line = 0;
}

MopExpansion MopExpander::expand(std::uint32_t mop) const {
  Template expansion(*this);
  if (isa::field<"Template", isa::Op::MOP>(mop) != 0) return expansion.double_loop();
  const std::uint32_t mask =
      std::uint32_t{mask_high_} << 16 | isa::field<"MaskLo", isa::Op::MOP>(mop);
  return expansion.masked(mask, isa::field<"Count1", isa::Op::MOP>(mop) + 1);
}

} // namespace lanewise
