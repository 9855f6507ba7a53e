// Instructions on virtual registers: the form between instruction selection and instruction words.
//
// A virtual register is written as often as the program needs: a write under a predicate keeps the
// lanes that are not enabled. Since the program is a straight line, its life is one interval.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/def_use.h"
#include "chip/isa/row.h"

namespace lanewise::compiler {

/// A register operand: none, LReg 0..15, or a virtual register.
class Reg {
 public:
  constexpr Reg() = default;
  static constexpr Reg physical(unsigned number) { return Reg(static_cast<std::int32_t>(number)); }
  static constexpr Reg virt(unsigned number) {
    return Reg(static_cast<std::int32_t>(number) + kFirst);
  }

  constexpr bool is_none() const { return code_ < 0; }
  constexpr bool is_virtual() const { return code_ >= kFirst; }
  constexpr bool is_physical() const { return code_ >= 0 && code_ < kFirst; }
  /// LReg number, or the number of the virtual register.
  constexpr unsigned number() const {
    return static_cast<unsigned>(code_ >= kFirst ? code_ - kFirst : code_);
  }
  friend constexpr bool operator==(Reg, Reg) = default;

 private:
  static constexpr std::int32_t kFirst = 16;
  explicit constexpr Reg(std::int32_t code) : code_(code) {}
  std::int32_t code_ = -1;
};

/// LRegs with a meaning of their own (seed 000, 1.2), beside ArchParams::vector.zero_lreg.
inline constexpr Reg kOne = Reg::physical(10);
inline constexpr Reg kMinusOne = Reg::physical(11);
inline constexpr unsigned kAllocatable =
    8; ///< LReg[0..7]; ArchParams::vector.lregs says how many there are

/// Seed 000, 4.1; ArchParams::vector.usable_flag_stack says how many work.
inline constexpr unsigned kFlagStackEntries = 8;

/// Mode of SFPMOV that copies all lanes, whatever the predicate (VU C30).
extern const std::uint8_t kMovAllLanes;

/// A virtual register that an instruction needs in a certain LReg.
struct Pin {
  Reg reg;
  std::uint8_t lreg = 0;
  bool written = false; ///< the instruction leaves a result there, too
};

enum class InstrKind : std::uint8_t {
  Tensix,    ///< an instruction with the fields below
  Raw,       ///< a word of the kernel, verbatim
  ReadLReg,  ///< vd := LReg[imm]; nothing if both are one register in the end
  WriteLReg, ///< LReg[imm] := vc; likewise
};

struct Instr {
  InstrKind kind = InstrKind::Tensix;
  isa::Op op = isa::Op::SFPNOP;
  std::uint8_t mod = 0;
  std::uint8_t addr_mod = 0;
  bool reads_vd = false; ///< two-address: VD is an operand
  bool keeps_vd = false; ///< written under a predicate, and the other lanes of VD matter
  std::int32_t imm = 0;
  std::uint32_t word = 0;  ///< Raw
  bool is_authors = false; ///< Raw, and not one that SFPI itself issues: its place is as written
  bool computed = false;   ///< Raw: ProgramWord::computed
  /// Raw: the words that execute here, see find_executed_words(). Usually just `word`.
  std::vector<std::uint32_t> executes;
  bool plays_unknown = false; ///< Raw: REPLAY of slots that something else has filled
  Reg va, vb, vc, vd;
  std::vector<Pin> pins; ///< LUT and TRANSP operands, SFPCONFIG's source
  std::uint32_t site = 0;
};

/// Where a virtual register comes from, for messages.
struct RegOrigin {
  std::uint32_t site = 0;
  bool is_constant = false;
  std::uint32_t constant = 0; ///< its bits
  bool is_copy = false;       ///< made for one instruction that wants the value in a certain LReg
};

struct Code {
  Arch arch = kDefaultArch;
  std::vector<Instr> instrs;
  std::vector<RegOrigin> origins; ///< of each virtual register

  Reg new_reg(std::uint32_t site) {
    origins.push_back({.site = site});
    return Reg::virt(static_cast<unsigned>(origins.size() - 1));
  }
};

/// Calls `visit(reg)` for each register that the instruction reads, the lanes that a write keeps
/// included.
template <class Visit>
void for_each_use(const Instr& instr, Visit visit) {
  if (!instr.va.is_none()) visit(instr.va);
  if (!instr.vb.is_none()) visit(instr.vb);
  if (!instr.vc.is_none()) visit(instr.vc);
  if ((instr.reads_vd || instr.keeps_vd) && !instr.vd.is_none()) visit(instr.vd);
  for (const Pin& pin : instr.pins) visit(pin.reg);
}

/// Calls `visit(reg)` for each register operand, to change it.
template <class Visit>
void for_each_operand(Instr& instr, Visit visit) {
  for (Reg* reg : {&instr.va, &instr.vb, &instr.vc, &instr.vd}) {
    if (!reg->is_none()) visit(*reg);
  }
  for (Pin& pin : instr.pins) visit(pin.reg);
}

/// Whether VD is a register that the instruction writes.
bool writes_vd(const Instr& instr);

constexpr bool is_op(const Instr& instr, isa::Op op) {
  return instr.kind == InstrKind::Tensix && instr.op == op;
}

/// Whether a register can be written. What SFPSWAP would write to a constant is lost (VU C33).
constexpr bool is_writable(Reg reg) {
  return reg.is_virtual() || reg.number() < kAllocatable;
}

/// Calls `visit(reg)` for each register that the instruction writes.
template <class Visit>
void for_each_def(const Instr& instr, Visit visit) {
  const bool swaps = is_op(instr, isa::Op::SFPSWAP);
  if (writes_vd(instr) && is_writable(instr.vd)) visit(instr.vd);
  if (swaps && is_writable(instr.vc)) visit(instr.vc);
  for (const Pin& pin : instr.pins) {
    if (pin.written) visit(pin.reg);
  }
}

/// LRegs 0..7 that the instruction changes beside the registers it names: SFPTRANSP's LReg[4..7],
/// and whatever a raw word may write.
isa::LRegSet clobbered(Arch arch, const Instr& instr);

/// Fills `executes` of all raw words. To be called when all instructions are there.
void find_executed_words(Code& code);

/// LRegs 0..7 that a word of Instr::executes reads and writes. One that only sets up a macro
/// template does neither.
isa::LRegSet raw_reads(Arch arch, std::uint32_t word, bool tracks_index = true);
isa::LRegSet raw_writes(Arch arch, std::uint32_t word, bool tracks_index = true);

/// SFPMOV to all lanes, whatever the predicate.
Instr move_all_lanes(Reg to, Reg from, std::uint32_t site);

/// The instruction word. All registers must be physical.
std::uint32_t encode(Arch arch, const Instr& instr);

/// One line per instruction, `%n` for virtual registers.
std::string to_text(const Code& code);

} // namespace lanewise::compiler
