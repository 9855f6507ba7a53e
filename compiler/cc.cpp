#include "compiler/cc.h"

#include <algorithm>
#include <optional>

#include "isa/encoding.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

/// SFPENCC that enables all lanes, and its operands (seed 000).
constexpr std::uint8_t kEnccBoth = 10;
constexpr std::int32_t kEnccAll = 3;

bool is(const Instr& instr, Op op) {
  return instr.kind == InstrKind::Tensix && instr.op == op;
}

/// What a raw word does to the flags.
enum class FlagEffect { None, EnablesAll, Unknown };

FlagEffect flag_effect(Arch arch, std::uint32_t word) {
  const isa::Decoded d = isa::decode(arch, word);
  if (d.row == nullptr) return FlagEffect::Unknown;
  switch (d.row->op) {
    case Op::SFPENCC: { // VU C7: modes 0 and 10 with both bits
      const bool sets_flags = d["Mod1"] == 0 || (d["Mod1"] == kEnccBoth && d["Imm2"] == kEnccAll);
      return sets_flags ? FlagEffect::EnablesAll : FlagEffect::Unknown;
    }
    case Op::SFPIADD:
      return (d["Mod1"] & 4) != 0 && (d["Mod1"] & 8) == 0 ? FlagEffect::None : FlagEffect::Unknown;
    case Op::SFPEXEXP:
    case Op::SFPLZ: return (d["Mod1"] & 10) == 0 ? FlagEffect::None : FlagEffect::Unknown;
    case Op::SFPLE:
    case Op::SFPGT: return (d["Mod1"] & 7) == 0 ? FlagEffect::None : FlagEffect::Unknown;
    case Op::SFPSETCC:
    case Op::SFPPUSHC:
    case Op::SFPPOPC:
    case Op::SFPCOMPC:
    case Op::SFPLOADMACRO:
    case Op::MOP:
    case Op::REPLAY: return FlagEffect::Unknown;
    default: return FlagEffect::None;
  }
}

class Simplifier {
 public:
  explicit Simplifier(Code& code) : code_(code), instrs_(code.instrs) {}

  void run() {
    while (remove_one_pair()) {
    }
    remove_outermost();
    std::erase_if(instrs_, [](const Instr& instr) { return is(instr, Op::SFPNOP); });
  }

 private:
  /// The SFPPOPC of a SFPPUSHC, and whether a SFPCOMPC needs what it saved.
  struct Pair {
    std::size_t pop = 0;
    bool has_complement = false;
  };

  std::optional<Pair> pair_of(std::size_t push) const {
    Pair pair;
    unsigned depth = 0;
    for (std::size_t i = push; i < instrs_.size(); ++i) {
      if (is(instrs_[i], Op::SFPPUSHC)) ++depth;
      if (is(instrs_[i], Op::SFPCOMPC) && depth == 1) pair.has_complement = true;
      if (is(instrs_[i], Op::SFPPOPC) && --depth == 0) {
        pair.pop = i;
        return pair;
      }
    }
    return std::nullopt;
  }

  void erase(std::size_t push, std::size_t pop) {
    instrs_.erase(instrs_.begin() + static_cast<std::ptrdiff_t>(pop));
    instrs_.erase(instrs_.begin() + static_cast<std::ptrdiff_t>(push));
  }

  /// A pair around nothing, or one that ends where its enclosing pair ends.
  bool remove_one_pair() {
    for (std::size_t i = instrs_.size(); i-- > 0;) {
      if (!is(instrs_[i], Op::SFPPUSHC)) continue;
      const auto pair = pair_of(i);
      if (!pair) continue;
      const bool ends_with_other =
          pair->pop + 1 < instrs_.size() && is(instrs_[pair->pop + 1], Op::SFPPOPC);
      if (pair->pop == i + 1 || (ends_with_other && !pair->has_complement)) {
        erase(i, pair->pop);
        return true;
      }
    }
    return false;
  }

  void remove_outermost() {
    bool all_enabled = true; // at the entry of a kernel
    for (std::size_t i = 0; i < instrs_.size(); ++i) {
      if (instrs_[i].kind == InstrKind::Raw) {
        const FlagEffect effect = flag_effect(code_.arch, instrs_[i].word);
        if (effect != FlagEffect::None) all_enabled = effect == FlagEffect::EnablesAll;
      }
      if (!is(instrs_[i], Op::SFPPUSHC)) continue;
      const auto pair = pair_of(i);
      if (!pair) return;
      const bool has_raw_flags = std::any_of(
          instrs_.begin() + static_cast<std::ptrdiff_t>(i),
          instrs_.begin() + static_cast<std::ptrdiff_t>(pair->pop), [&](const Instr& instr) {
            return instr.kind == InstrKind::Raw &&
                   flag_effect(code_.arch, instr.word) == FlagEffect::Unknown;
          });
      if (all_enabled && !has_raw_flags) {
        instrs_[i].op = Op::SFPNOP; // erased at the end
        Instr& end = instrs_[pair->pop];
        end.op = Op::SFPENCC;
        end.mod = kEnccBoth;
        end.imm = kEnccAll;
      } else if (has_raw_flags) {
        all_enabled = false;
      }
      i = pair->pop;
    }
  }

  Code& code_;
  std::vector<Instr>& instrs_;
};

} // namespace

void simplify_predicates(Code& code) {
  Simplifier(code).run();
}

} // namespace lanewise::compiler
