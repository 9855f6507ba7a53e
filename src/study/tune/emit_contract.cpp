#include "study/tune/emit_contract.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "study/tune/emit.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

/// "slot 3 holds", "slots 0 to 3 hold".
std::string range_text(const std::string& what, unsigned first, unsigned last,
                       const std::string& one, const std::string& many) {
  const std::string& verb = first == last ? one : many;
  const std::string text = first == last ? fmt::format("{} {}", what, first)
                                         : fmt::format("{}s {} to {}", what, first, last);
  return verb.empty() ? text : text + " " + verb;
}

class ContractWriter {
 public:
  ContractWriter(const Rows& rows, const Formed& formed, const Placement& placement,
                 const RowRegisters& registers, const Tuned& tuned)
      : rows_(rows), formed_(formed), at_(placement), registers_(registers), tuned_(tuned) {}

  Contract run() {
    if (tuned_.is_recorded)
      say(fmt::format("Replay {} the body from the init part on.",
                      range_text("slot", 0, tuned_.body - 1, "holds", "hold")));
    else
      say("Its body is pushed by the core, word by word: it takes no replay slots.");
    say(fmt::format("ADDR_MOD_{} moves Dst by {}.", moving_section(tuned_.arch), rows_.stride));
    if (arch_params(tuned_.arch).front_end.addr_mod_has_base)
      say("ADDR_MOD_SET_Base is 1 from its beginning on, as LLK sets it for the Vector Unit.");
    say_registers();
    say_macros();
    say(fmt::format("The Dst counter has moved by {} at the end (the plain kernel's by {}).",
                    tuned_.dst_counter, rows_.dst_counter));
    return std::move(contract_);
  }

 private:
  void say(std::string sentence) { contract_.sentences.push_back(std::move(sentence)); }

  void say_registers() {
    std::string programmed, table;
    for (const auto& [bits, lreg] : formed_.constants) {
      if (is_programmable_constant(lreg)) programmed += fmt::format(" LReg[{}]", lreg);
    }
    for (const auto& [lreg, bits] : formed_.table) table += fmt::format(" LReg[{}]", lreg);
    if (!programmed.empty()) say("Constants from the init part on:" + programmed + ".");
    if (formed_.takes_minus_one)
      say("LReg[11] is a constant of the row within a tile, and -1.0 again at its end.");
    if (!table.empty()) say("The look-up table from the init part on:" + table + ".");
    if (!formed_.general_constants.empty() || at_.indirect != kNone)
      say(fmt::format(
          "{} from tile to tile what the init part puts there.",
          range_text("LReg", registers_.first_general(), kIndexRegister, "keeps", "keep")));
  }

  void say_macros() {
    if (tuned_.macros == 0) return;
    std::string text = range_text("Macro", 0, tuned_.macros - 1, "", "");
    if (tuned_.templates != 0)
      text += " and " + range_text("template", 0, tuned_.templates - 1, "", "");
    say(text + fmt::format(" are its own, with Misc 0x{:x}.", formed_.graph.store_mode));
    const unsigned behind = cycles_behind(formed_.row, at_);
    if (behind > tuned_.options.pads)
      say(fmt::format("Macros work for up to {} cycles behind the last word.",
                      behind - tuned_.options.pads));
  }

  const Rows& rows_;
  const Formed& formed_;
  const Placement& at_;
  const RowRegisters& registers_;
  const Tuned& tuned_;
  Contract contract_;
};

} // namespace

Contract contract_of(const Rows& rows, const Formed& formed, const Placement& placement,
                     const RowRegisters& registers, const Tuned& tuned) {
  return ContractWriter(rows, formed, placement, registers, tuned).run();
}

} // namespace lanewise::tune
