#include "study/tune/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/source_line.h"
#include "chip/isa/arch.h"
#include "chip/isa/config.h"
#include "chip/isa/disassembler.h"
#include "study/tune/emit_contract.h"
#include "study/tune/row_body.h"
#include "study/tune/row_macros.h"
#include "study/tune/row_registers.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

constexpr unsigned kMisc = 8, kFirstSequence = 4;
constexpr unsigned kAllCountInstructions = 0xF00;

class Emitter {
 public:
  Emitter(const Rows& rows, const Formed& formed, const Placement& placement,
          const EmitOptions& options)
      : rows_(rows),
        formed_(formed),
        at_(placement),
        arch_(formed.graph.arch),
        registers_(formed, placement),
        macros_(macros_of(formed, placement, registers_)),
        body_(rows, formed, placement, registers_, macros_) {
    tuned_.arch = arch_;
    tuned_.options = options;
    tuned_.body = body_.length();
    tuned_.is_recorded = body_.length() <= kReplaySlots;
    tuned_.macros = static_cast<unsigned>(macros_.sequences.size());
    tuned_.templates = static_cast<unsigned>(macros_.templates.size());
    tuned_.registers =
        at_.registers_used + static_cast<unsigned>(formed_.general_constants.size()) +
        static_cast<unsigned>(formed_.table.size()) + (at_.indirect == kNone ? 0 : 1);
  }

  Expected<Tuned> run() {
    if (tuned_.templates > kTemplates)
      return Unexpected(Fault{.kind = FaultKind::Unsupported,
                              .message = "the placement needs more than four templates"});
    enter();
    init();
    tile();
    tuned_.contract = contract_of(rows_, formed_, at_, registers_, tuned_);
    if (!tuned_.is_recorded) tuned_.loops = longest_loop(tuned_.words, tuned_.body);
    return std::move(tuned_);
  }

 private:
  static constexpr unsigned kTemplates = 4;

  // ------------------------------------------------------------------ what runs once
  void add(std::uint32_t word, WordPart part, std::string comment = {}) {
    tuned_.words.push_back({word, part, std::move(comment)});
  }

  void set_register(unsigned lreg, std::uint32_t bits, const std::string& comment) {
    for (const std::uint32_t word : load_immediate_words(arch_, lreg, bits))
      add(word, WordPart::Init, comment);
  }

  void configure(unsigned destination, std::uint32_t bits, const std::string& comment) {
    set_register(0, bits, comment);
    add(set_config_word(arch_, destination, 0, false), WordPart::Init);
  }

  /// Only what the row needs: its own conditions, and -1.0 as a constant.
  void enter() {
    const bool flags = std::ranges::any_of(
        formed_.meanings, [](const Meaning& each) { return each.control != isa::Op::SFPNOP; });
    const bool minus_one =
        !formed_.takes_minus_one && std::ranges::any_of(formed_.graph.nodes, [](const Node& each) {
          return each.kind == NodeKind::Constant && each.bits == kMinusOneBits32;
        });
    tuned_.entry = entry_words(arch_, flags, minus_one);
  }

  void init() {
    for (const auto& [bits, lreg] : formed_.constants) {
      if (is_programmable_constant(lreg))
        configure(lreg, bits, fmt::format("L{} = {:08x}", lreg, bits));
    }
    for (unsigned i = 0; i < macros_.templates.size(); ++i) {
      const std::uint32_t word = macros_.templates[i];
      configure(i, word, fmt::format("template {}: {}", i, isa::disassemble(arch_, word)));
    }
    for (unsigned i = 0; i < macros_.sequences.size(); ++i)
      configure(kFirstSequence + i, macros_.sequences[i], fmt::format("macro {}", i));
    if (!macros_.sequences.empty()) {
      add(set_config_word(arch_, kMisc, formed_.graph.store_mode, true), WordPart::Init,
          "Misc: mode of the stores; delays count cycles");
    }
    for (unsigned i = 0; i < formed_.general_constants.size(); ++i)
      set_register(registers_.of_general(i), formed_.general_constants[i], "constant");
    if (at_.indirect != kNone) set_register(kIndexRegister, at_.indirect, "indirect destination");
    // LReg[0] is what SFPCONFIG takes, until here.
    for (const auto& [lreg, bits] : formed_.table) set_register(lreg, bits, "look-up table");
    program_mover();
    if (!tuned_.is_recorded) return;
    add(nop_word(arch_), WordPart::Init);
    add(replay_word(arch_, 0, tuned_.body, true), WordPart::Init, "records the body");
    for (const Slot& slot : body_.slots()) add(slot.word, WordPart::Body, slot.comment);
  }

  void program_mover() {
    for (const std::uint32_t word : moving_section_words(arch_, rows_.stride))
      add(word, WordPart::Init,
          fmt::format("ADDR_MOD_{}: Dst moves by {}", moving_section(arch_), rows_.stride));
  }

  // ------------------------------------------------------------------ a tile
  /// Wormhole: LLK sets the base around the Vector Unit's part of each tile, and Matrix Unit
  /// instructions in between need the other sections. So it is set in the tile, not once.
  void take_sections() {
    if (!arch_params(arch_).front_end.addr_mod_has_base) return;
    const unsigned word = isa::config_place(isa::ConfigField::ADDR_MOD_SET_Base).word_of(arch_);
    push(set_thread_config_word(arch_, word, 1), "the sections of the Vector Unit");
    ++tuned_.predicted_cycles;
  }

  void tile() {
    take_sections();
    if (tuned_.options.counts_instructions) arm();
    if (formed_.takes_minus_one) take_minus_one();
    const std::uint64_t last = body_.last_cycle();
    for (std::uint64_t cycle = 0; cycle <= last; ++cycle) {
      const unsigned index = static_cast<unsigned>(cycle % body_.length());
      const Slot& slot = body_.slots()[index];
      if (!slot.is_memory || body_.is_of_a_row(slot, cycle)) {
        play(index);
      } else if (slot.moves && cycle > slot.time && body_.access_follows(cycle)) {
        push(advance_word(arch_, rows_.stride), "in the place of the next row");
        if (tuned_.options.counts_instructions) push(nop_word(arch_), "counts");
        ++moved_;
      } else {
        push(nop_word(arch_), "");
      }
    }
    flush();
    tuned_.predicted_cycles += last + 1;
    if (tuned_.options.counts_instructions) tuned_.predicted_cycles += moved_;
    moved_ += body_.row_count();
    for (unsigned i = 0; i < tuned_.options.pads; ++i) push(nop_word(arch_), "");
    tuned_.predicted_cycles += tuned_.options.pads;
    if (formed_.takes_minus_one) give_minus_one_back();
    if (tuned_.options.counts_instructions) disarm();
    tuned_.dst_counter = (moved_ * rows_.stride) & 0x3FF;
  }

  /// LReg[11] is -1.0 for everybody else: it holds a constant of the row only within a tile.
  void take_minus_one() {
    for (const auto& [bits, lreg] : formed_.constants) {
      if (lreg != kMinusOneRegister) continue;
      std::vector<std::uint32_t> words = load_immediate_words(arch_, 0, bits);
      words.push_back(set_config_word(arch_, kMinusOneRegister, 0, false));
      for (const std::uint32_t word : words) push(word, "L11 is a constant of the row");
      tuned_.predicted_cycles += words.size();
    }
  }
  void give_minus_one_back() {
    push(set_config_word(arch_, kMinusOneRegister, 0, true), "L11 = -1.0 again");
    ++tuned_.predicted_cycles;
  }

  /// Misc counts instructions in the tile only: whoever comes next does not expect it (VU 5.5).
  void arm() {
    push(set_config_word(arch_, kMisc, formed_.graph.store_mode | kAllCountInstructions, true),
         "delays count instructions");
    push(nop_word(arch_), "");
    tuned_.predicted_cycles += kArmWords + kDisarmWords;
  }
  void disarm() {
    push(set_config_word(arch_, kMisc, formed_.graph.store_mode, true), "delays count cycles");
  }
  static constexpr unsigned kArmWords = 2, kDisarmWords = 1;

  void play(unsigned slot) {
    const Slot& played = body_.slots()[slot];
    if (!tuned_.is_recorded) return add(played.word, WordPart::Tile, played.comment);
    const bool goes_on = run_length_ > 0 && slot == run_first_ + run_length_;
    if (!goes_on) flush();
    if (run_length_ == 0) run_first_ = slot;
    ++run_length_;
  }
  void flush() {
    if (run_length_ > 0) add(replay_word(arch_, run_first_, run_length_, false), WordPart::Tile);
    run_length_ = 0;
  }
  void push(std::uint32_t word, const std::string& comment) {
    flush();
    add(word, WordPart::Tile, comment);
  }

  const Rows& rows_;
  const Formed& formed_;
  const Placement& at_;
  Arch arch_;
  RowRegisters registers_;
  RowMacros macros_;
  RowBody body_;
  Tuned tuned_;
  unsigned moved_ = 0;                      ///< times that the Dst counter has moved
  unsigned run_first_ = 0, run_length_ = 0; ///< of slots to be replayed
};

} // namespace

unsigned cycles_behind(const Row& row, const Placement& placement) {
  const unsigned end = *std::ranges::max_element(placement.time);
  return end - std::min(end, last_issue(row, placement));
}

Expected<Tuned> emit(const Rows& rows, const Formed& formed, const Placement& placement,
                     const EmitOptions& options) {
  return Emitter(rows, formed, placement, options).run();
}

} // namespace lanewise::tune
