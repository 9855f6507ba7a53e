#include "chip/isa/effects.h"

#include <array>

#include "chip/isa/effect_rules.h"

namespace lanewise::isa {

using rules::Instruction;

template <class Answer>
using Rule = Answer (*)(const Instruction&);

/// The columns of VECTOR in effects.def. Outside of the Vector Unit, an instruction does nothing to
/// what they are about.
struct VectorRules {
  Rule<LRegSet> reads = rules::reads::none;
  Rule<LRegSet> writes = rules::writes::none;
  Rule<LaneChange> change = rules::change::none;
  Rule<StackUse> stack = rules::stack::none;
  Rule<RandomUse> random = rules::random::never;
  Rule<LaneScope> scope = rules::scope::all;
  Rule<Movement> from = rules::from::computed;
  Rule<ResultKind> result = rules::result::integer;
  Rule<WrittenHalf> half = rules::half::both;
  Rule<bool> guard = rules::guard::open;
  UnnamedModes unnamed = UnnamedModes::Ignored;
  Rule<bool> immediate = rules::immediate::always;
  LRegSet (*believes)(const Instruction&, LRegSet read) = rules::believes::nothing;
  Rule<Pace> pace = rules::pace::single;
  Rule<bool> port = rules::port::own;
};

/// A row of effects.def.
struct EffectRow {
  Op op;
  bool is_vector;
  MatrixKind kind;
  MatrixHold hold;
  unsigned operations;
  Executor executor;
  unsigned parts_read, parts_written;
  VectorRules rules;
};

/// The rows, with names as effects.def writes them.
namespace effect_rows {

using namespace part;
constexpr Executor yes = Executor::Machine, tile = Executor::Tile, no = Executor::Nobody;

constexpr auto kAll = std::to_array<EffectRow>({
#define VECTOR(mnemonic, reads_, writes_, change_, stack_, random_, scope_, from_, result_, half_, \
               guard_, unnamed_, immediate_, believes_, pace_, port_, parts_read, parts_written)   \
  EffectRow{Op::mnemonic,                                                                          \
            true,                                                                                  \
            MatrixKind::None,                                                                      \
            MatrixHold::Free,                                                                      \
            0,                                                                                     \
            yes,                                                                                   \
            parts_read,                                                                            \
            parts_written,                                                                         \
            {.reads = rules::reads::reads_,                                                        \
             .writes = rules::writes::writes_,                                                     \
             .change = rules::change::change_,                                                     \
             .stack = rules::stack::stack_,                                                        \
             .random = rules::random::random_,                                                     \
             .scope = rules::scope::scope_,                                                        \
             .from = rules::from::from_,                                                           \
             .result = rules::result::result_,                                                     \
             .half = rules::half::half_,                                                           \
             .guard = rules::guard::guard_,                                                        \
             .unnamed = UnnamedModes::unnamed_,                                                    \
             .immediate = rules::immediate::immediate_,                                            \
             .believes = rules::believes::believes_,                                               \
             .pace = rules::pace::pace_,                                                           \
             .port = rules::port::port_}},
#define MATRIX(mnemonic, kind, hold, operations, executed, parts_read, parts_written) \
  EffectRow{Op::mnemonic,     false,         MatrixKind::kind,                        \
            MatrixHold::hold, operations,    executed,                                \
            parts_read,       parts_written, {}},
#define OTHER(mnemonic, executed, parts_read, parts_written)                                   \
  EffectRow{Op::mnemonic,  false, MatrixKind::None, MatrixHold::Free, 0, executed, parts_read, \
            parts_written, {}},
#include "chip/isa/effects.def"
#undef OTHER
#undef MATRIX
#undef VECTOR
});

} // namespace effect_rows

namespace {

constexpr const auto& kEffects = effect_rows::kAll;

/// The first row of each mnemonic is an INSTRUCTION; VARIANTs follow.
consteval bool effects_follow_the_table() {
  std::size_t next = 0;
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (i > 0 && kTable[i].op == kTable[i - 1].op) continue;
    if (next == kEffects.size() || kEffects[next].op != kTable[i].op ||
        kEffects[next].is_vector != (kTable[i].unit == Unit::Vector))
      return false;
    ++next;
  }
  return next == kEffects.size();
}
static_assert(
    effects_follow_the_table(),
    "effects.def must have one row per mnemonic, in the order of instructions.def, VECTOR "
    "for those of the Vector Unit");

constexpr const EffectRow& row_of(Op op) {
  return kEffects[static_cast<std::size_t>(op)];
}

/// For a word with an opcode that the chip lacks.
constexpr EffectRow kNothing{Op::NOP,          false,       MatrixKind::None,
                             MatrixHold::Free, 0,           Executor::Nobody,
                             part::kNone,      part::kNone, {}};

constexpr unsigned kModes = 16;

/// What modifiers.def has names for.
struct NamedModes {
  std::uint16_t values = 0; ///< bit m: a name applies to modifier m
  std::uint8_t bits = 0;    ///< bits of the modifier that some name is about
};

constexpr NamedModes named_modes(Arch arch, Op op) {
  NamedModes named;
  for (const Modifier& each : modifiers(op)) {
    if (!includes(each.chips, arch)) continue;
    named.bits |= each.mask;
    for (unsigned mode = 0; mode < kModes; ++mode)
      named.values |= static_cast<std::uint16_t>(each.applies_to(mode) ? 1U << mode : 0U);
  }
  return named;
}

constexpr auto named_modes_of_every_op(Arch arch) {
  std::array<NamedModes, kEffects.size()> all{};
  for (const EffectRow& row : kEffects) {
    // Nobody asks for those whose unnamed modes are ignored.
    if (row.rules.unnamed != UnnamedModes::Ignored)
      all[static_cast<std::size_t>(row.op)] = named_modes(arch, row.op);
  }
  return all;
}

constexpr auto kNamedModes = for_every_arch(named_modes_of_every_op);

const NamedModes& named_modes_of(Arch arch, Op op) {
  return kNamedModes[static_cast<std::size_t>(arch)][static_cast<std::size_t>(op)];
}

/// A word without operands.
std::uint32_t word_of(Arch arch, Op op, unsigned modifier) {
  const Row* row = find_row(arch, op);
  if (row == nullptr) return 0; // no chip has opcode 0
  const Place& place = row->operands.modifier;
  return std::uint32_t{row->opcode} << 24 | (modifier & place.mask) << place.low;
}

/// The modes of an instruction, as a mask, in which something holds on some chip, of a rule that
/// depends on nothing else.
template <class Holds>
std::uint16_t modes_in_which(Op op, Holds holds) {
  unsigned modes = 0;
  for (const Arch arch : kArchs) {
    for (unsigned mode = 0; mode < kModes; ++mode)
      modes |= static_cast<unsigned>(holds(Effects(arch, op, mode))) << mode;
  }
  return static_cast<std::uint16_t>(modes);
}

/// The answer for every instruction.
template <class Holds>
auto modes_of_every_op(Holds holds) {
  std::array<std::uint16_t, kEffects.size()> answers{};
  for (const EffectRow& row : kEffects)
    answers[static_cast<std::size_t>(row.op)] = modes_in_which(row.op, holds);
  return answers;
}

} // namespace

Effects::Effects(Arch arch, std::uint32_t word)
    : arch_(arch),
      decoded_(decode(arch, word)),
      modifier_(decoded_.row == nullptr ? 0 : modifier_of(decoded_)),
      effects_(decoded_.row == nullptr ? &kNothing : &row_of(decoded_.row->op)) {}

Effects::Effects(Arch arch, Op op, unsigned modifier)
    : Effects(arch, word_of(arch, op, modifier)) {}

LRegSet Effects::lregs_read(bool tracks_index) const {
  return effects_->rules.reads({arch_, decoded_, modifier_, tracks_index});
}

LRegSet Effects::lregs_written(bool tracks_index) const {
  return effects_->rules.writes({arch_, decoded_, modifier_, tracks_index});
}

LRegSet Effects::lregs_believed_read() const {
  return effects_->rules.believes({arch_, decoded_, modifier_}, lregs_read(false));
}

LaneChange Effects::lane_change() const {
  return effects_->rules.change({arch_, decoded_, modifier_});
}

StackUse Effects::stack_use() const {
  return effects_->rules.stack({arch_, decoded_, modifier_});
}

RandomUse Effects::random_use() const {
  return effects_->rules.random({arch_, decoded_, modifier_});
}

bool Effects::steps_random_numbers() const {
  return random_use() == RandomUse::IfStochastic || depends_on_random_numbers();
}

bool Effects::depends_on_random_numbers() const {
  constexpr std::uint32_t kPrngSource = 9; // VU C30
  switch (random_use()) {
    case RandomUse::Never: return false;
    case RandomUse::Always: return true;
    case RandomUse::IfSource:
      return decoded_.row->operands.vc.extract(decoded_.word) == kPrngSource;
    case RandomUse::IfStochastic: // Blackhole's modes 1 and 3, Wormhole's one bit
      return ((decoded_["RoundingMode"] | decoded_["Stochastic"]) & 1) != 0;
  }
  return false;
}

LaneScope Effects::lane_scope() const {
  return effects_->rules.scope({arch_, decoded_, modifier_});
}

Movement Effects::movement() const {
  return effects_->rules.from({arch_, decoded_, modifier_});
}

ResultKind Effects::result() const {
  return effects_->rules.result({arch_, decoded_, modifier_});
}

WrittenHalf Effects::written_half() const {
  return effects_->rules.half({arch_, decoded_, modifier_});
}

Pace Effects::pace() const {
  return effects_->rules.pace({arch_, decoded_, modifier_});
}

bool Effects::shares_result_port() const {
  return effects_->rules.port({arch_, decoded_, modifier_});
}

bool Effects::needs_writable_vd() const {
  return effects_->rules.guard({arch_, decoded_, modifier_});
}

bool Effects::uses_immediate() const {
  return effects_->rules.immediate({arch_, decoded_, modifier_});
}

unsigned Effects::reserved_modifier_bits() const {
  if (effects_->rules.unnamed != UnnamedModes::Reserved) return 0;
  return modifier_ & ~unsigned{named_modes_of(arch_, effects_->op).bits};
}

bool Effects::has_undefined_mode() const {
  if (effects_->rules.unnamed != UnnamedModes::LeftOut) return false;
  return (named_modes_of(arch_, effects_->op).values >> modifier_ & 1U) == 0;
}

bool Effects::is_template_write() const {
  constexpr std::uint32_t kFirstTemplate = 12;
  // SFPCONFIG and SFPLOADMACRO have no such VD.
  return effects_->is_vector &&
         decoded_.row->operands.vd.extract(decoded_.word) >= kFirstTemplate &&
         arch_params(arch_).vector.vd_selects_templates;
}

unsigned Effects::parts_read() const {
  return effects_->parts_read;
}

unsigned Effects::parts_written() const {
  return effects_->parts_written;
}

bool may_change_lanes(Op op) {
  static const auto kAnswers =
      modes_of_every_op([](const Effects& e) { return e.lane_change() != LaneChange::None; });
  return kAnswers[static_cast<std::size_t>(op)] != 0;
}

bool may_enable_lanes(Op op) {
  static const auto kAnswers =
      modes_of_every_op([](const Effects& e) { return e.lane_change() == LaneChange::Other; });
  return kAnswers[static_cast<std::size_t>(op)] != 0;
}

bool may_draw_random_numbers(Op op) {
  static const auto kAnswers =
      modes_of_every_op([](const Effects& e) { return e.random_use() != RandomUse::Never; });
  return kAnswers[static_cast<std::size_t>(op)] != 0;
}

bool may_hold_unit(Op op) {
  static const auto kAnswers = modes_of_every_op(
      [](const Effects& e) { return e.pace() == Pace::Exclusive || e.pace() == Pace::Shuffle; });
  return kAnswers[static_cast<std::size_t>(op)] != 0;
}

bool writes_lregs(Op op, unsigned modifier) {
  static const auto kAnswers =
      modes_of_every_op([](const Effects& e) { return (e.lregs_written() & kGeneralLRegs) != 0; });
  return (kAnswers[static_cast<std::size_t>(op)] >> modifier & 1U) != 0;
}

bool may_write_lregs(Op op) {
  for (unsigned mode = 0; mode < kModes; ++mode) {
    if (writes_lregs(op, mode)) return true;
  }
  return false;
}

unsigned parts_read(Op op) {
  return row_of(op).parts_read;
}

unsigned parts_written(Op op) {
  return row_of(op).parts_written;
}

MatrixHold matrix_hold(Op op) {
  return row_of(op).hold;
}

unsigned matrix_operations(Op op) {
  return row_of(op).operations;
}

MatrixKind matrix_kind(Op op) {
  return row_of(op).kind;
}

Executor executor_of(Op op) {
  return row_of(op).executor;
}

} // namespace lanewise::isa
