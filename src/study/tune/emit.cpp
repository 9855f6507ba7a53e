#include "study/tune/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/source_line.h"
#include "chip/isa/arch.h"
#include "chip/isa/config.h"
#include "chip/isa/disassembler.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

constexpr unsigned kMisc = 8, kFirstSequence = 4;
constexpr unsigned kAllCountInstructions = 0xF00;

/// A slot of the body.
struct Slot {
  std::uint32_t word = 0;
  std::string comment = {};
  unsigned time = 0;      ///< in its row
  bool is_free = true;    ///< SFPNOP
  bool is_memory = false; ///< does something to Dst, the counters or the flags
  bool moves = false;     ///< moves the Dst counter
};

class Emitter {
 public:
  Emitter(const Rows& rows, const Formed& formed, const Placement& placement,
          const EmitOptions& options)
      : rows_(rows),
        formed_(formed),
        at_(placement),
        arch_(formed.graph.arch),
        length_(placement.interval * placement.copies),
        is_recorded_(length_ <= kReplaySlots) {
    tuned_.arch = arch_;
    tuned_.options = options;
    tuned_.body = length_;
    tuned_.is_recorded = is_recorded_;
  }

  Expected<Tuned> run() {
    find_mover();
    number_macros();
    make_body();
    enter();
    init();
    if (!templates_fit_)
      return Unexpected(Fault{.kind = FaultKind::Unsupported,
                              .message = "the placement needs more than four templates"});
    tile();
    contract();
    if (!is_recorded_) tuned_.loops = longest_loop(tuned_.words, length_);
    return std::move(tuned_);
  }

 private:
  // ------------------------------------------------------------------ registers
  unsigned constant_register(std::uint32_t bits) const {
    const auto found = formed_.constants.find(bits);
    if (found != formed_.constants.end()) return found->second;
    const auto general = std::ranges::find(formed_.general_constants, bits);
    return general_register(static_cast<std::size_t>(general - formed_.general_constants.begin()));
  }
  unsigned general_register(std::size_t constant) const {
    return formed_.registers.at(first_general_constant() + constant);
  }
  unsigned first_general_constant() const {
    return formed_.machine.registers - (at_.indirect == kNone ? 0 : 1);
  }

  const Node& node(unsigned i) const { return formed_.graph.nodes[formed_.meanings[i].node]; }

  unsigned register_of(unsigned operation, unsigned copy) const {
    const unsigned lreg = at_.registers[operation][copy];
    return lreg == kNone ? 0 : formed_.registers[lreg];
  }

  /// The operation that computes a node of the graph.
  unsigned operation_of(NodeId id) const {
    for (unsigned i = 0; i < formed_.meanings.size(); ++i) {
      if (!formed_.meanings[i].is_store && formed_.meanings[i].node == id) return i;
    }
    return kNone;
  }

  unsigned node_register(NodeId id, unsigned copy) const {
    const Node& each = formed_.graph.nodes[id];
    return each.kind == NodeKind::Constant ? constant_register(each.bits)
                                           : register_of(operation_of(id), copy);
  }

  OperandRegisters registers_for(unsigned i, unsigned copy) const {
    OperandRegisters registers;
    const Node& each = node(i);
    if (formed_.meanings[i].encoding == Encoding::Immediate)
      immediate_operands(each, copy, registers);
    else
      for (std::size_t k = 0; k < free_operands(each); ++k)
        registers.operands.push_back(node_register(each.operands[k], copy));
    registers.result = register_of(i, copy);
    return registers;
  }

  void immediate_operands(const Node& each, unsigned copy, OperandRegisters& registers) const {
    if (each.op == isa::Op::SFPMOV) { // SFPLOADI
      registers.immediate = formed_.graph.nodes[each.operands[0]].bits;
      return;
    }
    const auto is_constant = [&](unsigned k) {
      return formed_.graph.nodes[each.operands[k]].kind == NodeKind::Constant;
    };
    const unsigned value = is_constant(0) ? 1 : 0;
    registers.adds =
        is_constant(1 - value) && formed_.graph.nodes[each.operands[1 - value]].bits == kOneBits;
    const NodeId constant = each.operands[registers.adds ? 2 : 1 - value];
    registers.operands = {node_register(each.operands[value], copy)};
    registers.immediate = formed_.graph.nodes[constant].bits;
  }

  // ------------------------------------------------------------------ addresses
  struct Access {
    unsigned time;
    unsigned operation; ///< kNone: a macro whose load is not used
    unsigned macro;     ///< kNone: an instruction of its own
  };

  /// The first access of a row moves the counter on to the next one.
  void find_mover() {
    for (unsigned i = 0; i < formed_.row.operations.size(); ++i) {
      const Unit unit = formed_.row.operations[i].unit;
      const bool is_access = unit == Unit::Load || (unit == Unit::Store && at_.carrier[i] == kNone);
      if (is_access) accesses_.push_back({at_.time[i], i, kNone});
    }
    for (unsigned m = 0; m < at_.macros.size(); ++m) {
      if (at_.macros[m].load == kNone) accesses_.push_back({at_.macros[m].time, kNone, m});
    }
    mover_time_ = std::ranges::min_element(accesses_, {}, &Access::time)->time;
  }

  /// What an access adds to the counter: rows whose first access has been made since are taken
  /// back.
  int address(unsigned time, int offset) const {
    const unsigned rows = (time - mover_time_ + at_.interval - 1) / at_.interval;
    return offset - static_cast<int>(rows * rows_.stride) + base();
  }
  /// The first row's address, where it is not the counter's own.
  int base() const { return static_cast<int>(rows_.addresses.front()); }

  unsigned addr_mod(unsigned time) const {
    return time == mover_time_ ? moving_field(arch_) : still_field(arch_);
  }

  // ------------------------------------------------------------------ macros
  /// Operations that a macro carries, without its load.
  std::vector<unsigned> carried_by(unsigned macro) const {
    std::vector<unsigned> carried;
    for (unsigned i = 0; i < formed_.row.operations.size(); ++i) {
      if (formed_.row.operations[i].unit != Unit::Load && at_.carrier[i] == macro)
        carried.push_back(i);
    }
    return carried;
  }

  void number_macros() {
    for (unsigned m = 0; m < at_.macros.size(); ++m) {
      if (carried_by(m).empty()) continue;
      sequence_of_[m] = tuned_.macros++;
      sequences_.push_back(sequence(m));
    }
    tuned_.templates = static_cast<unsigned>(templates_.size());
    templates_fit_ = templates_.size() <= 4;
  }

  std::uint32_t sequence(unsigned macro) {
    std::uint32_t word = 0;
    for (const unsigned i : carried_by(macro)) {
      const unsigned delay = at_.time[i] - at_.macros[macro].time - 1;
      word |= sequence_byte(i, delay) << (8 * byte_of(formed_.row.operations[i].unit));
    }
    return word;
  }

  static unsigned byte_of(Unit unit) {
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
    // Of Encoding::Immediate, the only operand is the first one.
    const std::uint32_t word =
        template_word(arch_, node(i), formed_.meanings[i].encoding, registers_for(i, 0),
                      form.macro_operand, form.destination == Destination::Indirect);
    const auto found = std::ranges::find(templates_, word);
    if (found != templates_.end()) return static_cast<unsigned>(found - templates_.begin());
    templates_.push_back(word);
    return static_cast<unsigned>(templates_.size() - 1);
  }

  // ------------------------------------------------------------------ the body
  void make_body() {
    body_.assign(length_, {.word = nop_word(arch_)});
    for (unsigned i = 0; i < formed_.row.operations.size(); ++i) put_operation(i);
    for (unsigned m = 0; m < at_.macros.size(); ++m) {
      if (at_.macros[m].load == kNone) put_macro(m, rows_.row.store_mode, 0);
    }
    last_issue_ = 0;
    for (const Slot& slot : body_) {
      if (!slot.is_free) last_issue_ = std::max(last_issue_, slot.time);
    }
  }

  template <class Word>
  void put(unsigned time, bool is_memory, const std::string& comment, Word word) {
    const bool is_access =
        std::ranges::any_of(accesses_, [&](const Access& access) { return access.time == time; });
    for (unsigned copy = 0; copy < at_.copies; ++copy) {
      Slot& slot = body_[(time + copy * at_.interval) % length_];
      slot = {.word = word(copy),
              .comment = comment,
              .time = time,
              .is_free = false,
              .is_memory = is_memory,
              .moves = is_access && time == mover_time_};
    }
  }

  void put_operation(unsigned i) {
    const Unit unit = formed_.row.operations[i].unit;
    const unsigned time = at_.time[i];
    if (unit == Unit::Load) return put_load(i);
    if (at_.carrier[i] != kNone) return;
    if (unit == Unit::Store) {
      const NodeId value = formed_.meanings[i].node;
      put(time, true, "the result", [&](unsigned copy) {
        return store_word(arch_, node_register(value, copy), formed_.graph.store_mode,
                          addr_mod(time), address(time, 0));
      });
      return;
    }
    if (formed_.meanings[i].control != isa::Op::SFPNOP) {
      const std::uint32_t word = control_word(arch_, formed_.meanings[i].control);
      return put(time, true, "", [&](unsigned) { return word; });
    }
    const unsigned tied = formed_.row.operations[i].issued[at_.form[i]].tied;
    put(time, formed_.meanings[i].is_predicated, "", [&](unsigned copy) {
      return issued_word(arch_, node(i), formed_.meanings[i].encoding, registers_for(i, copy),
                         tied);
    });
  }

  void put_load(unsigned i) {
    const Node& load = node(i);
    const unsigned time = at_.time[i];
    const unsigned macro = at_.carrier[i];
    if (macro != kNone && sequence_of_.contains(macro))
      return put_macro(macro, load.mode, load.offset);
    put(time, true, "", [&](unsigned copy) {
      return load_word(arch_, register_of(i, copy), load.mode, addr_mod(time),
                       address(time, load.offset));
    });
  }

  void put_macro(unsigned m, unsigned mode, int offset) {
    const Macro& macro = at_.macros[m];
    put(macro.time, true, carried_text(m), [&](unsigned copy) {
      return macro_word(arch_, sequence_of_.at(m), formed_.registers[macro.registers[copy]], mode,
                        addr_mod(macro.time), address(macro.time, offset));
    });
  }

  std::string carried_text(unsigned m) const {
    std::string text = "carries";
    for (const unsigned i : carried_by(m)) {
      const bool is_store = formed_.meanings[i].is_store;
      text +=
          fmt::format(" {}+{}", is_store ? "SFPSTORE" : isa::find_row(arch_, node(i).op)->mnemonic,
                      at_.time[i] - at_.macros[m].time);
    }
    return text;
  }

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
    for (unsigned i = 0; i < templates_.size(); ++i)
      configure(i, templates_[i],
                fmt::format("template {}: {}", i, isa::disassemble(arch_, templates_[i])));
    for (unsigned i = 0; i < sequences_.size(); ++i)
      configure(kFirstSequence + i, sequences_[i], fmt::format("macro {}", i));
    if (!sequences_.empty()) {
      add(set_config_word(arch_, kMisc, formed_.graph.store_mode, true), WordPart::Init,
          "Misc: mode of the stores; delays count cycles");
    }
    for (unsigned i = 0; i < formed_.general_constants.size(); ++i)
      set_register(general_register(i), formed_.general_constants[i], "constant");
    if (at_.indirect != kNone) set_register(kIndexRegister, at_.indirect, "indirect destination");
    // LReg[0] is what SFPCONFIG takes, until here.
    for (const auto& [lreg, bits] : formed_.table) set_register(lreg, bits, "look-up table");
    program_mover();
    if (!is_recorded_) return;
    add(nop_word(arch_), WordPart::Init);
    add(replay_word(arch_, 0, length_, true), WordPart::Init, "records the body");
    for (const Slot& slot : body_) add(slot.word, WordPart::Body, slot.comment);
  }

  void program_mover() {
    for (const std::uint32_t word : moving_section_words(arch_, rows_.stride))
      add(word, WordPart::Init,
          fmt::format("ADDR_MOD_{}: Dst moves by {}", moving_section(arch_), rows_.stride));
  }

  // ------------------------------------------------------------------ a tile
  unsigned row_count() const { return static_cast<unsigned>(rows_.addresses.size()); }

  /// Whether the slot belongs to one of the rows, in this cycle.
  bool is_of_a_row(const Slot& slot, std::uint64_t cycle) const {
    if (cycle < slot.time) return false;
    return (cycle - slot.time) / at_.interval < row_count();
  }

  /// Whether an access to Dst follows for which the counter has to move on.
  bool access_follows(std::uint64_t cycle) const {
    return std::ranges::any_of(accesses_, [&](const Access& access) {
      return access.time + std::uint64_t{at_.interval} * (row_count() - 1) > cycle;
    });
  }

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
    const std::uint64_t last = std::uint64_t{at_.interval} * (row_count() - 1) + last_issue_;
    for (std::uint64_t cycle = 0; cycle <= last; ++cycle) {
      const unsigned slot = static_cast<unsigned>(cycle % length_);
      if (!body_[slot].is_memory || is_of_a_row(body_[slot], cycle)) {
        play(slot);
      } else if (body_[slot].moves && cycle > body_[slot].time && access_follows(cycle)) {
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
    moved_ += row_count();
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
    if (!is_recorded_) return add(body_[slot].word, WordPart::Tile, body_[slot].comment);
    const bool goes_on = run_length_ > 0 && slot == run_first_ + run_length_ && slot < length_;
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

  // ------------------------------------------------------------------ contract
  void say(std::string sentence) { tuned_.contract.sentences.push_back(std::move(sentence)); }

  void contract() {
    tuned_.registers =
        at_.registers_used + static_cast<unsigned>(formed_.general_constants.size()) +
        static_cast<unsigned>(formed_.table.size()) + (at_.indirect == kNone ? 0 : 1);
    if (is_recorded_)
      say(fmt::format("Replay {} the body from the init part on.",
                      range_text("slot", 0, length_ - 1, "holds", "hold")));
    else
      say("Its body is pushed by the core, word by word: it takes no replay slots.");
    say(fmt::format("ADDR_MOD_{} moves Dst by {}.", moving_section(arch_), rows_.stride));
    if (arch_params(arch_).front_end.addr_mod_has_base)
      say("ADDR_MOD_SET_Base is 1 from its beginning on, as LLK sets it for the Vector Unit.");
    registers_contract();
    macros_contract();
    say(fmt::format("The Dst counter has moved by {} at the end (the plain kernel's by {}).",
                    tuned_.dst_counter, rows_.dst_counter));
  }

  void registers_contract() {
    std::string programmed;
    for (const auto& [bits, lreg] : formed_.constants) {
      if (is_programmable_constant(lreg)) programmed += fmt::format(" LReg[{}]", lreg);
    }
    if (!programmed.empty()) say("Constants from the init part on:" + programmed + ".");
    if (formed_.takes_minus_one)
      say("LReg[11] is a constant of the row within a tile, and -1.0 again at its end.");
    table_contract();
    const unsigned last = kIndexRegister;
    if (!formed_.general_constants.empty() || at_.indirect != kNone)
      say(fmt::format("{} from tile to tile what the init part puts there.",
                      range_text("LReg", first_general_constant(), last, "keeps", "keep")));
  }

  void table_contract() {
    std::string registers;
    for (const auto& [lreg, bits] : formed_.table) registers += fmt::format(" LReg[{}]", lreg);
    if (!registers.empty()) say("The look-up table from the init part on:" + registers + ".");
  }

  void macros_contract() {
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

  /// "slot 3 holds", "slots 0 to 3 hold".
  static std::string range_text(const std::string& what, unsigned first, unsigned last,
                                const std::string& one, const std::string& many) {
    const std::string& verb = first == last ? one : many;
    const std::string text = first == last ? fmt::format("{} {}", what, first)
                                           : fmt::format("{}s {} to {}", what, first, last);
    return verb.empty() ? text : text + " " + verb;
  }

  const Rows& rows_;
  const Formed& formed_;
  const Placement& at_;
  Arch arch_;
  unsigned length_;
  bool is_recorded_;
  Tuned tuned_;
  std::vector<Access> accesses_;
  unsigned mover_time_ = 0;
  std::map<unsigned, unsigned> sequence_of_; ///< macro -> sequence
  std::vector<std::uint32_t> sequences_, templates_;
  std::vector<Slot> body_;
  unsigned last_issue_ = 0, moved_ = 0;
  unsigned run_first_ = 0, run_length_ = 0;
  bool templates_fit_ = true;
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
