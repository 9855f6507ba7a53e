#include "chip/isa/fields.h"
#include "chip/isa/matrix_ops.h"
#include "chip/machine/frontend/static_findings.h"

namespace lanewise {

namespace {

using isa::field;
using isa::Op;

constexpr StaticFinding kLegacy{
    FaultKind::NonContractual,
    "is left over from older chips: it computes as with sources of 0, and changes Dst all the same",
    "leave it out", "MU 7, CONV3S1"};

constexpr StaticFinding kIgnoredCarriageReturn{
    FaultKind::NonContractual,
    "sets a carriage return of SrcA or SrcB without its mask bit, which has no effect",
    "set the mask bit as well", "MU 7, SETRWC"};

/// Blackhole's kernels mark the rows of a 16-row block as valid after unpacking into Dst.
bool is_known_revert(Arch arch, std::uint32_t zeroacc) {
  return arch_params(arch).matrix.zeroacc_picks_half && field<"Mode", Op::ZEROACC>(zeroacc) == 1;
}

} // namespace

std::vector<StaticFinding> matrix_findings(Arch arch, const isa::Decoded& d) {
  std::vector<StaticFinding> found;
  const auto add = [&](bool condition, const StaticFinding& finding) {
    if (condition) found.push_back(finding);
  };
  const Op op = d.row->op;
  const std::uint32_t word = d.word;
  add(isa::is_matrix_legacy(op), kLegacy);
  switch (op) {
    case Op::ELWMUL:
      add(field<"AddDst", Op::ELWMUL>(word) != 0,
          {FaultKind::NonContractual, "sets bit 21; ELWMUL adds to Dst in any case", "leave it 0",
           "MU 7, ELWMUL"});
      break;
    case Op::GAPOOL:
      add(field<"Pool16x16", Op::GAPOOL>(word) == 0,
          {FaultKind::NonContractual,
           "asks for pools of 1x16, which nobody has documented; executed as 16x16",
           "set Pool16x16, as kernels do", "MU 7, GAPOOL"});
      add(field<"IndexEn", Op::GAPOOL>(word) != 0,
          {FaultKind::NonContractual, "sets index_en, which has no meaning for sums", "leave it 0",
           "MU 7, GAPOOL"});
      break;
    case Op::ZEROACC:
      add(field<"Revert", Op::ZEROACC>(arch, word) != 0 && !is_known_revert(arch, word),
          {FaultKind::UndefinedBehavior, "makes cleared rows valid again, which is not defined",
           "clear Revert", "MU 7, ZEROACC"});
      break;
    case Op::SETRWC:
      add((field<"SrcACr", Op::SETRWC>(word) != 0 && field<"SrcA", Op::SETRWC>(word) == 0) ||
              (field<"SrcBCr", Op::SETRWC>(word) != 0 && field<"SrcB", Op::SETRWC>(word) == 0),
          kIgnoredCarriageReturn);
      break;
    case Op::CLEARDVALID:
      add(field<"Reset", Op::CLEARDVALID>(word) != 0,
          {FaultKind::NonContractual,
           "resets the ownership of all banks, which loses data on hardware",
           "hand banks over one by one", "MU 7, CLEARDVALID (tt-metal 22383)"});
      break;
    case Op::SHIFTXA:
      add(field<"Direction", Op::SHIFTXA>(word) < 2,
          {FaultKind::UndefinedBehavior, "has a direction that means nothing; nothing was shifted",
           "use 2 (toward column 15) or 3 (toward column 0)", "MU 7, SHIFTXA"});
      add(field<"Log2Amount", Op::SHIFTXA>(word) != 0,
          {FaultKind::NonContractual,
           "asks for more than one column, which is not documented; "
           "shifted by one",
           "leave Log2Amount 0", "MU 4"});
      break;
    default: break;
  }
  return found;
}

} // namespace lanewise
