// What an instruction touches: registers read and written, lanes, flags, random numbers, Dst,
// counters, configuration, and how long it takes.
//
// The answers stand in effects.def, one row per instruction, and depend on its mode where they
// must. Whoever asks what an instruction does asks here; a test executes random words of every
// opcode and looks whether it is true.
#pragma once

#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/isa/encoding.h"
#include "chip/isa/lreg_sets.h"

namespace lanewise::isa {

/// What becomes of the enabled lanes by way of LaneFlags and UseLaneFlagsForLaneEnable.
enum class LaneChange : std::uint8_t {
  None,
  Narrower, ///< only lanes that were enabled before are so afterwards
  Other     ///< anything
};

/// What becomes of the flag stack.
enum class StackUse : std::uint8_t {
  None,
  Push,
  Pop,
  Look,   ///< reads the top entry
  Spoil,  ///< reads the top entry, which Wormhole copies into the bottom one of a full stack (VU
          ///< C10)
  Narrow, ///< the top entry keeps some of its lanes
  Change  ///< the top entry becomes anything
};

/// When a number is drawn from the PRNG, which steps it in every enabled lane.
enum class RandomUse : std::uint8_t {
  Never,
  Always,
  IfSource,    ///< if VC names the PRNG (VU C30)
  IfStochastic ///< always, and looked at if the rounding mode says so (VU 3.5, C45)
};

/// Where the bits of a result come from.
enum class Movement : std::uint8_t {
  Computed,        ///< from the same lane of the operands, by more than copying
  Copied,          ///< an operand's bits, in their lane, perhaps with another sign
  Transposed,      ///< SFPTRANSP: rows of four registers
  ChainedCopy,     ///< SFPSHFT2: registers and rows move up
  RotatedWithCopy, ///< SFPSHFT2: rotated, and registers move up
  Rotated,         ///< SFPSHFT2: by one lane in each row
  Shifted          ///< SFPSHFT2: by one lane in each row, which leaves one to be filled
};

/// Whether results come from other lanes.
constexpr bool moves_lanes(Movement movement) {
  return movement != Movement::Computed && movement != Movement::Copied;
}

/// Whether results are bits of the operands and nothing else, in their lanes or in others.
constexpr bool only_moves(Movement movement) {
  return movement != Movement::Computed && movement != Movement::Shifted; // which fills lanes
}

/// Lanes in which LRegs, or for a store Dst, may be written.
enum class LaneScope : std::uint8_t {
  Enabled,
  All,    ///< whatever the flags and ROW_MASK say (VU C6)
  Columns ///< SFPCONFIG: all rows of the columns that row 0 enables (VU C37)
};

/// What a result is, for those who care whether it is a float.
enum class ResultKind : std::uint8_t {
  Integer,
  Float,
  LikeVc, ///< what VC is
  Moved,  ///< what the registers were that it comes from
  Loaded  ///< as the mode of the access to Dst says
};

/// Which half of a register is written; the other one stays.
enum class WrittenHalf : std::uint8_t { Both, Low, High };

/// How long an instruction works, and what it keeps from working meanwhile (VU 5.1 to 5.4).
enum class Pace : std::uint8_t {
  Single,    ///< one cycle
  Pipelined, ///< the result is there in the second cycle; the unit takes something else in between
  Exclusive, ///< two cycles, in which the unit accepts SFPNOP only
  Shuffle,   ///< two cycles: as above on Blackhole; Wormhole shares a result port instead
  Settling   ///< SFPCONFIG: the configuration counts from the second cycle on
};

/// What becomes of modifiers that modifiers.def gives no name.
enum class UnnamedModes : std::uint8_t {
  Ignored,  ///< bits without a name do nothing, and nobody minds
  Reserved, ///< bits without a name do nothing; the reference calls them reserved (VU 6)
  LeftOut   ///< values without a name have no meaning; the instruction is left out
};

/// Parts of the machine beside LRegs, flags, flag stack and PRNG, as a mask.
namespace part {
inline constexpr unsigned kNone = 0;
inline constexpr unsigned kDst = 1U << 0;
inline constexpr unsigned kCounters = 1U << 1;     ///< the RWCs, which ADDR_MOD moves
inline constexpr unsigned kConfig = 1U << 2;       ///< backend and thread configuration
inline constexpr unsigned kVectorConfig = 1U << 3; ///< LaneConfig, macro templates, sequences, Misc
inline constexpr unsigned kLatch = 1U << 4;        ///< Wormhole's, behind SFPSHFT2 (VU C36)
inline constexpr unsigned kSources = 1U << 5;      ///< contents of SrcA and SrcB
inline constexpr unsigned kBanks = 1U << 6;        ///< which banks of them are current, and whose
inline constexpr unsigned kShiftRow = 1U << 7;     ///< the row that SHIFTXA starts at (MU 7)
inline constexpr unsigned kScalar = 1U << 8;       ///< scalar registers
inline constexpr unsigned kPrngSeed = 1U << 9;     ///< the state of the PRNG, by its seed
inline constexpr unsigned kInstructions = 1U << 10; ///< brings other words: MOP, REPLAY, macros
inline constexpr unsigned kElsewhere = 1U << 11;    ///< what MachineState does not hold
/// What arithmetic of the Matrix Unit reads.
inline constexpr unsigned kMatrixOperands = kDst | kSources | kBanks | kCounters | kConfig;
} // namespace part

/// Kinds of Matrix Unit instructions (MU 7).
enum class MatrixKind : std::uint8_t {
  None,       ///< another unit's, or one that does not belong to the others
  ElementSum, ///< reads Dst only to accumulate
  Product,    ///< products and pools, which always read Dst
  Legacy,     ///< what older chips left over: computes as with sources of 0
  MoveToDst,
  MoveFromDst,
  Clear ///< ZEROACC
};

/// Who may follow a Matrix Unit instruction while it has the unit to itself (MU 8).
enum class MatrixHold : std::uint8_t {
  Free,   ///< anybody, in the next cycle
  Alone,  ///< nobody, for a cycle
  ToSrcA, ///< others of this kind, for a cycle
  ToSrcB  ///< others of this kind, for three cycles
};

struct EffectRow;

/// An instruction, asked for what it touches. All of it may happen, none of it must.
class Effects {
 public:
  Effects(Arch arch, std::uint32_t word);
  /// An instruction of which only the mode is known: for answers that depend on nothing else.
  Effects(Arch arch, Op op, unsigned modifier);

  Arch arch() const { return arch_; }
  const Row* row() const { return decoded_.row; }
  const Decoded& decoded() const { return decoded_; }
  unsigned modifier() const { return modifier_; }

  /// Every register that it may write, in any lane and state. Indirect VD may reach LReg[0..7].
  /// What may be a template write (VD 12..15) counts as executed. `tracks_index`: whether
  /// ENABLE_DEST_INDEX or CAPTURE_DEFAULT_DEST_INDEX may be on, with which SFPSWAP and SFPLOAD move
  /// index registers, too (VU C33). Of an SFPLOADMACRO, only the load counts here.
  LRegSet lregs_written(bool tracks_index = true) const;
  /// Every register whose value may matter. A partial write (disabled lanes keep their value) does
  /// not count as a read of the destination.
  LRegSet lregs_read(bool tracks_index = true) const;
  /// Registers that Blackhole's stall logic believes it to read in its first cycle (VU 5.2, 5.3).
  LRegSet lregs_believed_read() const;

  LaneChange lane_change() const;
  StackUse stack_use() const;
  RandomUse random_use() const;
  bool steps_random_numbers() const;      ///< whether the PRNG goes on
  bool depends_on_random_numbers() const; ///< whether the number matters
  LaneScope lane_scope() const;
  Movement movement() const;
  ResultKind result() const;
  WrittenHalf written_half() const;
  Pace pace() const;
  /// Wormhole: whether it may not follow a Pace::Shuffle, whatever its registers (VU 5.4).
  bool shares_result_port() const;
  /// Whether it does nothing at all, to flags neither, unless VD can be written (VU C14).
  bool needs_writable_vd() const;
  /// Whether the mode uses the immediate of the instruction.
  bool uses_immediate() const;
  /// Bits of the modifier that are set and reserved (VU 6).
  unsigned reserved_modifier_bits() const;
  /// Whether the modifier has no meaning, so that the instruction is left out.
  bool has_undefined_mode() const;
  /// Whether it writes a macro template instead, as long as DISABLE_BACKDOOR_LOAD is 0 (VU C13).
  bool is_template_write() const;

  unsigned parts_read() const;    ///< of namespace part
  unsigned parts_written() const; ///< of namespace part

 private:
  Arch arch_;
  Decoded decoded_;
  unsigned modifier_;
  const EffectRow* effects_;
};

/// Whether an instruction may change LaneFlags or UseLaneFlagsForLaneEnable in some mode.
bool may_change_lanes(Op op);
/// Whether it may do so in lanes that are not enabled.
bool may_enable_lanes(Op op);
/// Whether it may step the PRNG in some mode.
bool may_draw_random_numbers(Op op);
/// Whether it takes a unit for two cycles in some mode, Pace::Exclusive or Pace::Shuffle.
bool may_hold_unit(Op op);

/// Whether it writes one of LReg[0..7] in some mode.
bool may_write_lregs(Op op);
/// Whether it writes one of LReg[0..7] in a mode, if its VD is one of them.
bool writes_lregs(Op op, unsigned modifier);

/// Parts that it reads or writes in some mode, of namespace part.
unsigned parts_read(Op op);
unsigned parts_written(Op op);
MatrixKind matrix_kind(Op op);
MatrixHold matrix_hold(Op op);
/// Multiplications, additions and comparisons of one instruction at fidelity phase 0, without what
/// it accumulates; 0 of what does no arithmetic.
unsigned matrix_operations(Op op);
/// Who executes an instruction. What the front end expands does not come so far.
enum class Executor : std::uint8_t {
  Nobody,  ///< it is decoded only
  Machine, ///< the machine, of which a program sees one thread
  Tile     ///< the tile around it (chip/tile/), with L1, three threads and what they share
};
Executor executor_of(Op op);

} // namespace lanewise::isa
