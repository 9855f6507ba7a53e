#include "study/tune/row_macros.h"

#include <algorithm>

#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

/// The byte of a sequence that is the unit's.
unsigned byte_of(Unit unit) {
  switch (unit) {
    case Unit::Simple: return 0;
    case Unit::Mad: return 1;
    case Unit::Round: return 2;
    case Unit::Load:
    case Unit::Immediate:
    case Unit::Store: return 3;
  }
  return 0;
}

class MacroWriter {
 public:
  MacroWriter(const Formed& formed, const Placement& placement, const RowRegisters& registers)
      : formed_(formed), at_(placement), registers_(registers) {}

  RowMacros run() {
    for (unsigned m = 0; m < at_.macros.size(); ++m) {
      const std::vector<unsigned> carried = carried_by(formed_.row, at_, m);
      if (carried.empty()) continue;
      macros_.sequence_of[m] = static_cast<unsigned>(macros_.sequences.size());
      macros_.sequences.push_back(sequence(carried, at_.macros[m].time));
    }
    return std::move(macros_);
  }

 private:
  std::uint32_t sequence(const std::vector<unsigned>& carried, unsigned issued) {
    std::uint32_t word = 0;
    for (const unsigned i : carried)
      word |= sequence_byte(i, at_.time[i] - issued - 1)
              << (8 * byte_of(formed_.row.operations[i].unit));
    return word;
  }

  std::uint32_t sequence_byte(unsigned i, unsigned delay) {
    constexpr unsigned kStore = 3, kFirstTemplate = 4, kHidden = 0x40, kSelect = 0x80;
    const CarriedForm& form = formed_.row.operations[i].carried[at_.form[i]];
    if (formed_.row.operations[i].unit == Unit::Store)
      return kStore | delay << 3 | (form.from_hidden ? kHidden : 0) |
             (form.from_first ? kSelect : 0);
    const bool select = formed_.meanings[i].select[at_.form[i]];
    return (kFirstTemplate + template_of(i, form)) | delay << 3 |
           (form.destination == Destination::Hidden ? kHidden : 0) | (select ? kSelect : 0);
  }

  unsigned template_of(unsigned i, const CarriedForm& form) {
    const Meaning& meaning = formed_.meanings[i];
    // Of Encoding::Immediate, the only operand is the first one.
    const std::uint32_t word =
        template_word(formed_.graph.arch, formed_.graph.nodes[meaning.node], meaning.encoding,
                      registers_.of_operands(i, 0), form.macro_operand,
                      form.destination == Destination::Indirect);
    std::vector<std::uint32_t>& templates = macros_.templates;
    const auto found = std::ranges::find(templates, word);
    if (found != templates.end()) return static_cast<unsigned>(found - templates.begin());
    templates.push_back(word);
    return static_cast<unsigned>(templates.size() - 1);
  }

  const Formed& formed_;
  const Placement& at_;
  const RowRegisters& registers_;
  RowMacros macros_;
};

} // namespace

std::vector<unsigned> carried_by(const Row& row, const Placement& placement, unsigned macro) {
  std::vector<unsigned> carried;
  for (unsigned i = 0; i < row.operations.size(); ++i)
    if (row.operations[i].unit != Unit::Load && placement.carrier[i] == macro) carried.push_back(i);
  return carried;
}

RowMacros macros_of(const Formed& formed, const Placement& placement,
                    const RowRegisters& registers) {
  return MacroWriter(formed, placement, registers).run();
}

} // namespace lanewise::tune
