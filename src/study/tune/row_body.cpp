#include "study/tune/row_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "chip/isa/row.h"
#include "study/tune/words.h"

namespace lanewise::tune {

RowBody::RowBody(const Rows& rows, const Formed& formed, const Placement& placement,
                 const RowRegisters& registers, const RowMacros& macros)
    : rows_(rows),
      formed_(formed),
      at_(placement),
      registers_(registers),
      macros_(macros),
      arch_(formed.graph.arch) {
  find_accesses();
  slots_.assign(std::size_t{at_.interval} * at_.copies, {.word = nop_word(arch_)});
  for (unsigned i = 0; i < formed_.row.operations.size(); ++i) put_operation(i);
  for (unsigned m = 0; m < at_.macros.size(); ++m) {
    if (at_.macros[m].load == kNone) put_macro(m, rows_.row.store_mode, 0);
  }
}

std::uint64_t RowBody::last_cycle() const {
  unsigned last_issue = 0;
  for (const Slot& slot : slots_)
    if (!slot.is_free) last_issue = std::max(last_issue, slot.time);
  return std::uint64_t{at_.interval} * (row_count() - 1) + last_issue;
}

bool RowBody::is_of_a_row(const Slot& slot, std::uint64_t cycle) const {
  if (cycle < slot.time) return false;
  return (cycle - slot.time) / at_.interval < row_count();
}

bool RowBody::access_follows(std::uint64_t cycle) const {
  return std::ranges::any_of(accesses_, [&](unsigned time) {
    return time + std::uint64_t{at_.interval} * (row_count() - 1) > cycle;
  });
}

/// Loads and stores of their own, and macros, which load even where nobody uses it.
void RowBody::find_accesses() {
  for (unsigned i = 0; i < formed_.row.operations.size(); ++i) {
    const Unit unit = formed_.row.operations[i].unit;
    if (unit == Unit::Load || (unit == Unit::Store && at_.carrier[i] == kNone))
      accesses_.push_back(at_.time[i]);
  }
  for (const Macro& macro : at_.macros)
    if (macro.load == kNone) accesses_.push_back(macro.time);
  mover_time_ = std::ranges::min(accesses_);
}

/// What an access adds to the counter: rows whose first access has been made since are taken back.
int RowBody::address(unsigned time, int offset) const {
  const unsigned rows = (time - mover_time_ + at_.interval - 1) / at_.interval;
  // The first row's address, where it is not the counter's own.
  const int base = static_cast<int>(rows_.addresses.front());
  return offset - static_cast<int>(rows * rows_.stride) + base;
}

unsigned RowBody::addr_mod(unsigned time) const {
  return time == mover_time_ ? moving_field(arch_) : still_field(arch_);
}

template <class Word>
void RowBody::put(unsigned time, bool is_memory, const std::string& comment, Word word) {
  for (unsigned copy = 0; copy < at_.copies; ++copy) {
    slots_[(time + copy * at_.interval) % length()] = {.word = word(copy),
                                                       .comment = comment,
                                                       .time = time,
                                                       .is_free = false,
                                                       .is_memory = is_memory,
                                                       .moves = time == mover_time_};
  }
}

void RowBody::put_operation(unsigned i) {
  const Unit unit = formed_.row.operations[i].unit;
  const unsigned time = at_.time[i];
  if (unit == Unit::Load) return put_load(i);
  if (at_.carrier[i] != kNone) return;
  const Meaning& meaning = formed_.meanings[i];
  if (unit == Unit::Store) {
    put(time, true, "the result", [&](unsigned copy) {
      return store_word(arch_, registers_.of_node(meaning.node, copy), formed_.graph.store_mode,
                        addr_mod(time), address(time, 0));
    });
    return;
  }
  if (meaning.control != isa::Op::SFPNOP) {
    const std::uint32_t word = control_word(arch_, meaning.control);
    return put(time, true, "", [&](unsigned) { return word; });
  }
  const unsigned tied = formed_.row.operations[i].issued[at_.form[i]].tied;
  put(time, meaning.is_predicated, "", [&](unsigned copy) {
    return issued_word(arch_, node(i), meaning.encoding, registers_.of_operands(i, copy), tied);
  });
}

void RowBody::put_load(unsigned i) {
  const Node& load = node(i);
  const unsigned time = at_.time[i];
  const unsigned macro = at_.carrier[i];
  if (macro != kNone && macros_.sequence_of.contains(macro))
    return put_macro(macro, load.mode, load.offset);
  put(time, true, "", [&](unsigned copy) {
    return load_word(arch_, registers_.of_operation(i, copy), load.mode, addr_mod(time),
                     address(time, load.offset));
  });
}

void RowBody::put_macro(unsigned m, unsigned mode, int offset) {
  const Macro& macro = at_.macros[m];
  put(macro.time, true, carried_text(m), [&](unsigned copy) {
    return macro_word(arch_, macros_.sequence_of.at(m), formed_.registers[macro.registers[copy]],
                      mode, addr_mod(macro.time), address(macro.time, offset));
  });
}

std::string RowBody::carried_text(unsigned m) const {
  std::string text = "carries";
  for (const unsigned i : carried_by(formed_.row, at_, m)) {
    const bool is_store = formed_.meanings[i].is_store;
    text +=
        fmt::format(" {}+{}", is_store ? "SFPSTORE" : isa::find_row(arch_, node(i).op)->mnemonic,
                    at_.time[i] - at_.macros[m].time);
  }
  return text;
}

} // namespace lanewise::tune
