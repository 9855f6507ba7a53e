#include "source/compiler/fold_flags.h"

#include <algorithm>
#include <optional>

#include "chip/isa/fields.h"
#include "source/compiler/lane_change.h"

namespace lanewise::compiler {

namespace {

using isa::kMode;
using isa::Op;

constexpr auto kTestNegative = kMode<Op::SFPSETCC, "LREG_LT0">;
constexpr auto kTestNotNegative = kMode<Op::SFPSETCC, "LREG_GTE0">;
constexpr auto kTestZero = kMode<Op::SFPSETCC, "LREG_EQ0">;
/// Flag bits of SFPIADD, and those of SFPEXEXP and SFPLZ (VU C26, C27).
constexpr auto kSumWithoutFlag = kMode<Op::SFPIADD, "CC_NONE">;
constexpr auto kSetFlag = kMode<Op::SFPLZ, "CC_NE0">;
constexpr auto kInvertFlag = kMode<Op::SFPLZ, "CC_COMP">;
static_assert(kSetFlag == kMode<Op::SFPEXEXP, "SET_CC_SGN_EXP">);
static_assert(kInvertFlag == kMode<Op::SFPEXEXP, "SET_CC_COMP_EXP"> &&
              kInvertFlag == kMode<Op::SFPIADD, "CC_GTE0">);

bool tests_sign(const Instr& test) {
  return test.mod == kTestNegative || test.mod == kTestNotNegative;
}

/// What is folded beside SFPEXEXP and sums of their own.
struct Rules {
  bool zero_counts, sums_of_variables;
};

/// Whether the operation, which sets no flags yet, can set those of the test.
bool can_set(const Instr& instr, const Instr& test, const Rules& rules) {
  if (instr.kind != InstrKind::Tensix || !instr.vd.is_virtual()) return false;
  const bool sets_result = instr.vd == test.vc;
  if (instr.op == Op::SFPIADD)
    return tests_sign(test) && sets_result && (!instr.keeps_vd || rules.sums_of_variables) &&
           (instr.mod & (kSumWithoutFlag | kInvertFlag)) == kSumWithoutFlag;
  if (instr.op == Op::SFPEXEXP) return tests_sign(test) && sets_result && instr.mod == 0;
  return rules.zero_counts && instr.op == Op::SFPLZ && !tests_sign(test) && instr.vc == test.vc &&
         !sets_result && instr.mod == 0;
}

std::uint8_t mode_with_flags(const Instr& instr, const Instr& test) {
  const bool inverts = test.mod == kTestNotNegative || test.mod == kTestZero;
  const unsigned base =
      instr.op == Op::SFPIADD ? instr.mod & ~kSumWithoutFlag : instr.mod | kSetFlag;
  return static_cast<std::uint8_t>(base | (inverts ? kInvertFlag : 0U));
}

bool reads(const Instr& instr, Reg reg) {
  bool found = false;
  for_each_use(instr, [&](Reg each) { found |= each == reg; });
  return found;
}

bool writes(const Instr& instr, Reg reg) {
  bool found = false;
  for_each_def(instr, [&](Reg each) { found |= each == reg; });
  return found;
}

class Folder {
 public:
  Folder(Code& code, const Rules& rules)
      : arch_(code.arch), rules_(rules), instrs_(code.instrs), reads_(code.origins.size()) {
    for (const Instr& instr : instrs_) {
      for_each_use(instr, [&](Reg reg) {
        if (reg.is_virtual()) ++reads_[reg.number()];
      });
    }
  }

  void run() {
    std::vector<bool> moved(instrs_.size());
    for (std::size_t i = 0; i < instrs_.size(); ++i) {
      const Instr& test = instrs_[i];
      if (!is_op(test, Op::SFPSETCC) || !test.vc.is_virtual() || test.mod > kTestZero) continue;
      const auto setter = find_setter(i, moved);
      if (!setter) continue;
      Instr folded = instrs_[*setter];
      folded.mod = mode_with_flags(folded, test);
      --reads_[test.vc.number()];
      instrs_[i] = std::move(folded);
      moved[*setter] = true;
    }
    std::size_t next = 0;
    std::erase_if(instrs_, [&](const Instr&) { return moved[next++]; });
  }

 private:
  std::optional<std::size_t> find_setter(std::size_t test, const std::vector<bool>& moved) const {
    constexpr std::size_t kReach = 64; // farther apart, it is not one expression
    bool narrower = false;
    for (std::size_t i = test; i-- > 0 && test - i <= kReach;) {
      if (moved[i]) continue;
      const Instr& instr = instrs_[i];
      if (can_set(instr, instrs_[test], rules_))
        return may_move(i, test, narrower, moved) ? std::optional(i) : std::nullopt;
      if (writes(instr, instrs_[test].vc)) return std::nullopt;
      const LaneChange change = lane_change(arch_, instr);
      if (change == LaneChange::Other) return std::nullopt;
      narrower |= change == LaneChange::Narrower;
    }
    return std::nullopt;
  }

  /// `narrower`: fewer lanes are enabled at the test, so that nobody else may want the result.
  bool may_move(std::size_t from, std::size_t to, bool narrower,
                const std::vector<bool>& moved) const {
    const Instr& instr = instrs_[from];
    const unsigned own = instr.vd == instrs_[to].vc ? 1 : 0; // read by the test
    if (narrower && (instr.keeps_vd || reads_[instr.vd.number()] != own)) return false;
    for (std::size_t i = from + 1; i < to; ++i) {
      if (moved[i]) continue;
      const Instr& other = instrs_[i];
      if (reads(other, instr.vd) || writes(other, instr.vd)) return false;
      if (!instr.vc.is_none() && writes(other, instr.vc)) return false;
    }
    return true;
  }

  Arch arch_;
  Rules rules_;
  std::vector<Instr>& instrs_;
  std::vector<unsigned> reads_; ///< of each virtual register
};

} // namespace

void fold_flags(Code& code, int epoch, bool as_vendor) {
  constexpr int kFirstWithoutCounts = 762; // the vendor's compiler does not do it any more
  // power_binary_tile of silicon has a SFPSETCC for each of its seven sums (docs/timing.md).
  constexpr int kWithoutSums = 769;
  Folder(code, {.zero_counts = epoch < kFirstWithoutCounts,
                .sums_of_variables = !as_vendor || epoch != kWithoutSums})
      .run();
}

} // namespace lanewise::compiler
