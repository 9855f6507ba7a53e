#include "chip/isa/documentation.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "chip/isa/table.h"

namespace lanewise::isa {
namespace {

// Notes that several instructions share. Macros, because the rows join them with their own notes as
// adjacent string literals.
#define TEMPLATE_WRITE                                                                       \
  "VD 12..15 with DISABLE_BACKDOOR_LOAD = 0 stores the word in a macro template instead of " \
  "executing it [VU C13].\n"
#define GUARD_RESULT                                                                \
  "Does nothing at all, to flags neither, unless VD is 0..7, or 16 in a macro [VU " \
  "C14].\n" TEMPLATE_WRITE
#define GUARD_TEMPLATE                                                                        \
  "Executes for every VD that is not a template write, but a result for VD 8..15 is dropped " \
  "[VU C14].\n" TEMPLATE_WRITE
#define GUARD_WRITES_BELOW_8 "Only VD 0..7 is written [VU C14].\n" TEMPLATE_WRITE
#define GUARD_SELECTOR                                                                           \
  "VD means nothing, except that VD 12..15 with DISABLE_BACKDOOR_LOAD = 0 stores the word in a " \
  "macro template instead of executing it [VU C13].\n"
#define MAD_CLASS                                                                                \
  "The result takes two cycles. Wormhole: the next instruction must not read it; put SFPNOP or " \
  "something unrelated there [VU 5.4]. Blackhole waits by itself, but overlooks some readers "   \
  "[VU 5.2, 5.3].\n"
#define FUSED                                                                                      \
  "Denormal inputs count as zero; the product keeps more than single precision, but not all its "  \
  "bits; results round to nearest, ties to even, and tiny ones become zero [VU 3.1].\n"            \
  "A NaN result is 7FC00000 on Blackhole; on Wormhole it is 7F800001 with a sign and bits of the " \
  "sum, and there is no -0 [VU 3.1, 3.2].\n"
#define RMWCIB_OPERATION(byte)                  \
  "bank = CFG_STATE_ID_StateID of the thread\n" \
  "b = byte " #byte                             \
  " of Config[bank][Index4]\n"                  \
  "b = (NewValue & Mask) | (b & ~Mask), in one piece"
#define RMWCIB_NOTES                                                                 \
  "Takes one cycle; cannot write thread configuration, for which there is SETC16.\n" \
  "Drain the Vector Unit before writing configuration that SFPLOAD and SFPSTORE read [VU 5.6]."

constexpr auto kDocumentation = std::to_array<Documentation>({
#define DOCUMENTED(mnemonic, summary, operation, notes) \
  Documentation{Op::mnemonic, summary, operation, notes},
#define SUMMARY(mnemonic, summary) Documentation{Op::mnemonic, summary, {}, {}},
#include "chip/isa/documentation.def"
#undef SUMMARY
#undef DOCUMENTED
});

#undef RMWCIB_NOTES
#undef RMWCIB_OPERATION
#undef FUSED
#undef MAD_CLASS
#undef GUARD_SELECTOR
#undef GUARD_WRITES_BELOW_8
#undef GUARD_TEMPLATE
#undef GUARD_RESULT
#undef TEMPLATE_WRITE

constexpr bool follows_the_table() {
  for (std::size_t index = 0; index < kDocumentation.size(); ++index) {
    if (static_cast<std::size_t>(kDocumentation[index].op) != index) return false;
  }
  return kDocumentation.size() == static_cast<std::size_t>(kTable.back().op) + 1;
}

static_assert(
    follows_the_table(),
    "documentation.def must have one entry per mnemonic, in the order of instructions.def");

} // namespace

const Documentation& documentation(Op op) {
  return kDocumentation[static_cast<std::size_t>(op)];
}

std::string_view grayskull_notes(Op op) {
  switch (op) {
#define GRAYSKULL(mnemonic, notes) \
  case Op::mnemonic:               \
    return notes;
#include "chip/isa/documentation_grayskull.def"
#undef GRAYSKULL
    default: return {};
  }
}

} // namespace lanewise::isa
