#include "source/compiler/cc.h"

#include <vector>

#include "chip/isa/effects.h"
#include "chip/isa/fields.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

/// SFPENCC that enables all lanes, and its operands (seed 000).
constexpr std::uint8_t kEnccBoth =
    isa::kMode<Op::SFPENCC, "EI_R1"> | isa::kMode<Op::SFPENCC, "EU_RI">;
constexpr std::int32_t kEnccAll = 3;

/// What a raw word does to the flags.
enum class FlagEffect { None, EnablesAll, Unknown };

FlagEffect flag_effect(Arch arch, std::uint32_t word) {
  const isa::Effects effects(arch, word);
  if (effects.row() == nullptr) return FlagEffect::Unknown;
  if (effects.row()->op == Op::SFPENCC) { // VU C7: modes 0 and 10 with both bits
    const bool sets_flags = effects.modifier() == 0 || (effects.modifier() == kEnccBoth &&
                                                        effects.decoded()["Imm2"] == kEnccAll);
    return sets_flags ? FlagEffect::EnablesAll : FlagEffect::Unknown;
  }
  const bool brings_words = (effects.parts_written() & isa::part::kInstructions) != 0;
  return effects.lane_change() == isa::LaneChange::None &&
                 effects.stack_use() == isa::StackUse::None && !brings_words
             ? FlagEffect::None
             : FlagEffect::Unknown;
}

/// A SFPPUSHC and its SFPPOPC.
struct Pair {
  std::size_t push = 0, pop = 0;
  unsigned complements = 0;   ///< SFPCOMPCs that need what was saved
  bool has_raw_flags = false; ///< raw words in between do something to the flags
  bool is_outermost = false;
  bool finds_all_enabled =
      false; ///< for outermost ones: nothing but raw words can have changed that
};

class Simplifier {
 public:
  explicit Simplifier(Code& code) : code_(code), instrs_(code.instrs) {}

  void run() {
    find_pairs();
    link();
    for (Pair& pair : pairs_) {
      if (pair.has_raw_flags) continue;
      drop_last_complements(pair);
      const bool is_empty = next_[pair.push] == pair.pop;
      const bool ends_with_other = is_op(at(next_[pair.pop]), Op::SFPPOPC);
      if (is_empty || (ends_with_other && pair.complements == 0)) {
        erase(pair.push);
        erase(pair.pop);
      } else if (pair.is_outermost && pair.finds_all_enabled) {
        enable_all_at_end(pair);
      }
    }
    std::vector<Instr> rest;
    for (std::size_t i = next_[kBegin]; i != end(); i = next_[i])
      rest.push_back(std::move(instrs_[i - 1]));
    instrs_ = std::move(rest);
  }

 private:
  // Instruction i has the number i + 1 in the chain of those that are left.
  static constexpr std::size_t kBegin = 0;
  std::size_t end() const { return instrs_.size() + 1; }
  const Instr& at(std::size_t number) const {
    static const Instr kNothing;
    return number == kBegin || number == end() ? kNothing : instrs_[number - 1];
  }

  void link() {
    for (std::size_t i = 0; i <= end(); ++i) {
      next_.push_back(i + 1);
      previous_.push_back(i - 1);
    }
  }
  void erase(std::size_t number) {
    next_[previous_[number]] = next_[number];
    previous_[next_[number]] = previous_[number];
  }

  /// In the order of their ends: inner ones first.
  void find_pairs() {
    std::vector<Pair> open;
    bool all_enabled = true; // at the entry of a kernel
    for (std::size_t i = 0; i < instrs_.size(); ++i) {
      const Instr& instr = instrs_[i];
      if (instr.kind == InstrKind::Raw) {
        const FlagEffect effect = flag_effect(code_.arch, instr.word);
        if (effect == FlagEffect::EnablesAll && open.empty()) all_enabled = true;
        if (effect != FlagEffect::Unknown) continue;
        all_enabled = false;
        for (Pair& pair : open) pair.has_raw_flags = true;
      } else if (is_op(instr, Op::SFPPUSHC)) {
        open.push_back(
            {.push = i + 1, .is_outermost = open.empty(), .finds_all_enabled = all_enabled});
      } else if (is_op(instr, Op::SFPCOMPC) && !open.empty()) {
        ++open.back().complements;
      } else if (is_op(instr, Op::SFPPOPC) && !open.empty()) {
        open.back().pop = i + 1;
        pairs_.push_back(open.back());
        open.pop_back();
      }
    }
  }

  /// A complement that ends at once, as of an empty v_else, is for nothing.
  void drop_last_complements(Pair& pair) {
    while (is_op(at(previous_[pair.pop]), Op::SFPCOMPC)) {
      erase(previous_[pair.pop]);
      --pair.complements;
    }
  }

  void enable_all_at_end(const Pair& pair) {
    erase(pair.push);
    Instr& last = instrs_[pair.pop - 1];
    last.op = Op::SFPENCC;
    last.mod = kEnccBoth;
    last.imm = kEnccAll;
  }

  Code& code_;
  std::vector<Instr>& instrs_;
  std::vector<Pair> pairs_;
  std::vector<std::size_t> next_, previous_;
};

} // namespace

void simplify_predicates(Code& code) {
  Simplifier(code).run();
}

} // namespace lanewise::compiler
