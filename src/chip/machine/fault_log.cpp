#include "chip/machine/fault_log.h"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <utility>

#include "base/source_line.h"
#include "chip/isa/encoding.h"
#include "chip/machine/frontend/static_faults.h"

namespace lanewise {

namespace {

struct Description {
  FaultKind kind;
  std::string_view message, remedy, rule;
};

Description describe(RuntimeFault what) {
  switch (what) {
    case RuntimeFault::PushOnFullStack:
      return {FaultKind::UndefinedBehavior, "pushes onto a flag stack that already holds 8 entries",
              "nest v_if at most 8 deep; the push was left out", "VU C9"};
    case RuntimeFault::PopFromEmptyStack:
      return {FaultKind::UndefinedBehavior, "pops from an empty flag stack",
              "pair every SFPPOPC with an SFPPUSHC; the pop was left out", "VU C10"};
    case RuntimeFault::MutateEmptyStack:
      return {FaultKind::UndefinedBehavior, "changes the top of an empty flag stack",
              "push an entry first; nothing was changed", "VU C9"};
    case RuntimeFault::FullStackPeek:
      return {FaultKind::NonContractual,
              "reads the top of a full flag stack, which overwrites the bottom entry on Wormhole",
              "keep one of the 8 entries free", "VU C10"};
    case RuntimeFault::IndexRegisterWritten:
      return {FaultKind::UnpredictableValue,
              "writes LReg[4..7] while ENABLE_DEST_INDEX is set, which leaves an unspecified value "
              "there",
              "write them with SFPLOAD, SFPLOADI, SFPSWAP or SFPTRANSP, or clear ENABLE_DEST_INDEX "
              "first",
              "VU C34 (TEN-2932)"};
    case RuntimeFault::Mul24Addend:
      return {FaultKind::NonContractual,
              "multiplies 24-bit integers with an addend that is a normal number", "use L9 as VC",
              "VU 3.7"};
    case RuntimeFault::ConfigWordOutOfRange:
      return {FaultKind::UndefinedBehavior,
              "writes a configuration word that the chip does not have",
              "look the word up in the chip's configuration defines; the write was left out",
              "ISA WRCFG, RMWCIB, SETC16"};
    case RuntimeFault::ConfigBitsOfNoField:
      return {FaultKind::NonContractual,
              "reads bits of a configuration word that no field has and that are not 0; no source "
              "says whether hardware keeps them, here they are kept",
              "write 0 there, or mask them away (docs/configuration.md lists the fields)",
              "core.md Q4"};
    case RuntimeFault::ScalarModeUnknown:
      return {FaultKind::UndefinedBehavior, "has a mode that means nothing",
              "use 0 and, 1 or, 2 xor of BITWOPDMAREG, 0 left, 1 right of SHIFTDMAREG, 0 above, "
              "1 below, 2 equal of CMPDMAREG; the instruction was left out",
              "ISA BITWOPDMAREG, SHIFTDMAREG, CMPDMAREG"};
    case RuntimeFault::DestBaseIgnored:
      return {FaultKind::NonContractual,
              "sets DEST_REGW_BASE, which silicon does not instantiate: Dst addresses ignore it",
              "use DEST_TARGET_REG_CFG_MATH_Offset", "VU C17"};
    case RuntimeFault::NeedsSchedule:
      return {FaultKind::Unsupported,
              "was executed without a schedule, so only its load took place",
              "execute the ops of timing::schedule()", "VU 5.5"};
    case RuntimeFault::WaitsForSrcA:
      return {FaultKind::Hazard,
              "waits for a bank of SrcA that belongs to the unpackers: hardware would wait until "
              "another thread hands it over; executed as if it had come",
              "load the bank and give it to the Matrix Unit first, for instance with SETDVALID",
              "MU 1.2, 8"};
    case RuntimeFault::WaitsForSrcB:
      return {FaultKind::Hazard,
              "waits for a bank of SrcB that belongs to the unpackers: hardware would wait until "
              "another thread hands it over; executed as if it had come",
              "load the bank and give it to the Matrix Unit first, for instance with SETDVALID",
              "MU 1.2, 8"};
    case RuntimeFault::FlipOfForeignBank:
      return {FaultKind::NonContractual,
              "hands over a bank of SrcA or SrcB that does not belong to the Matrix Unit",
              "flip every bank once", "MU 1.2"};
    case RuntimeFault::BiasWithoutUse:
      return {FaultKind::NonContractual,
              "sets the extra ADDR_MOD bit, which Blackhole does not use to choose sections",
              "leave the bias increment 0 on Blackhole", "MU 3.2"};
    case RuntimeFault::ZeroAccOutOfRange:
      return {FaultKind::NonContractual, "clears a block of 16 rows that Dst does not have",
              "use 0..63, with use_32b 0..31, and on Blackhole only the lower half of them unless "
              "the tile mode is absolute; 0xFF clears nothing on purpose",
              "MU 7, ZEROACC"};
    case RuntimeFault::ZeroAccOtherBank:
      return {
          FaultKind::NonContractual,
          "clears rows of the other bank of Dst than the one in which its counters are: silicon "
          "chooses the bank by the row plus the number of the block",
          "clear these rows one by one (mode 0), or set "
          "DEST_ACCESS_CFG_zeroacc_absolute_tile_mode and count blocks from the first of Dst",
          "MU 7, ZEROACC"};
    case RuntimeFault::ZeroAccBankOpen:
      return {FaultKind::UnpredictableValue,
              "chooses its bank of Dst by the row plus the number of the block, which lie in "
              "different banks; nobody has measured this pair, the sum's bits decided",
              "clear these rows one by one (mode 0), or set "
              "DEST_ACCESS_CFG_zeroacc_absolute_tile_mode and count blocks from the first of Dst",
              "MU Q1"};
    case RuntimeFault::MoveOfOtherWidth:
      return {FaultKind::UndefinedBehavior,
              "writes Dst in another width than Fp32_enabled and INT8_math_enabled say, on which "
              "sources disagree; the format of the source and lo decided",
              "move TF32 or use lo if Dst is 32 bits wide, and neither if it is 16 bits wide",
              "MU 7, MOVA2D"};
    case RuntimeFault::MoveOfTf32Low:
      return {FaultKind::UndefinedBehavior,
              "moves TF32 with lo, which damages data on Blackhole (TEN-4245)",
              "move TF32 without lo, or another format with it", "MU 7, MOVA2D"};
    case RuntimeFault::MoveIntoInvalidRow:
      return {FaultKind::UndefinedBehavior,
              "writes a part of a row of Dst that has been cleared, whose other cells then show "
              "what they held before",
              "write the row once without BLOCK_DEST_MOV", "MU 1.1"};
    case RuntimeFault::MoveOfMissingHalf:
      return {FaultKind::UndefinedBehavior,
              "asks for the low half of 16-bit data; it was given the data itself",
              "clear lo, or set ALU_ACC_CTRL_Fp32_enabled", "MU 7, MOVD2A"};
    case RuntimeFault::MoveOfMissingTf32:
      return {FaultKind::UndefinedBehavior, "takes TF32 from 16-bit data; it was given BF16",
              "set the format of the source to BF16, or ALU_ACC_CTRL_Fp32_enabled", "MU 7, MOVD2A"};
    case RuntimeFault::MatrixFormatUnknown:
      return {FaultKind::UndefinedBehavior,
              "computes with format code 12 or 13, which mean nothing; taken for a format with "
              "5-bit exponents",
              "set the format of SrcA and SrcB, on Blackhole that of the bank too", "MU 2.2"};
    case RuntimeFault::MatrixMixedExponents:
      return {FaultKind::UnpredictableValue,
              "computes with 5-bit exponents in one source and 8-bit exponents in the other; "
              "SrcA's format decided",
              "unpack both to formats with exponents of one width", "MU 9"};
    case RuntimeFault::MatrixDenormalSums:
      return {FaultKind::UnpredictableValue,
              "sums products with Zero_Flag_disabled_src set, which is not characterised; "
              "denormals were flushed",
              "clear ALU_ACC_CTRL_Zero_Flag_disabled_src first", "MU 7, MVMUL"};
    case RuntimeFault::MatrixNegativeZero:
      return {
          FaultKind::UnpredictableValue,
          "adds a -0 of SrcB with Zero_Flag_disabled_src set, on which no source can be relied; "
          "it was taken as 0",
          "clear ALU_ACC_CTRL_Zero_Flag_disabled_src, or bring no -0", "MU Q2"};
    case RuntimeFault::MatrixStochasticRounding:
      return {FaultKind::UnpredictableValue,
              "computes with stochastic rounding, which is not documented; rounded to the nearest",
              "clear ALU_ROUNDING_MODE_Fpu_srnd_en", "MU 2.1"};
    case RuntimeFault::MatrixUnalignedSrcA:
      return {FaultKind::NonContractual,
              "begins at a row of SrcA that is no multiple of 16, on which sources disagree",
              "move the SrcA counter in steps of 16", "MU 7, MVMUL"};
    case RuntimeFault::MatrixStrayExponent:
      return {FaultKind::UnpredictableValue,
              "reads source data whose exponents do not fit the format: more than 5 bits, or for "
              "INT8 neither 16 nor 0",
              "load the sources in the format that is configured", "MU 6, 9"};
    case RuntimeFault::MatrixElementwisePhase:
      return {FaultKind::UnpredictableValue,
              "adds in a fidelity phase other than 0, which divides the sum by 32 or 128 in a way "
              "that is not known exactly",
              "keep the fidelity phase 0", "MU 5.7"};
    case RuntimeFault::MatrixFp16Forced:
      return {FaultKind::NonContractual,
              "computes with FP16A_FORCE_Enable, which is documented, but not known to exist in "
              "silicon",
              "set the formats instead", "MU 2.1"};
    case RuntimeFault::MatrixPoolFp16:
      return {FaultKind::UnpredictableValue,
              "takes the maximum of FP16 into 32-bit Dst, whose exponents the documentation "
              "leaves wrong; converted to TF32",
              "use 16-bit Dst, or the index mode", "MU 7, GMPOOL"};
    case RuntimeFault::ExecutedTemplate: break; // has faults of its own
  }
  return {};
}

/// By its number among all lanes of a register: on a chip with two groups, of the first.
std::uint8_t first_lane(Arch arch, std::uint32_t lanes) {
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  return static_cast<std::uint8_t>(lane_groups(arch) == 1 ? lane : lane_number(0, lane));
}

std::vector<Fault> faults_of(Arch arch, const RuntimeFaultRecord& record) {
  if (record.what == RuntimeFault::ExecutedTemplate)
    return execution_faults(arch, record.word, record.line);
  const Description text = describe(record.what);
  Fault fault{.kind = text.kind,
              .message = std::string(text.message),
              .remedy = std::string(text.remedy),
              .rule = std::string(text.rule),
              .line = record.line};
  // Settings made from outside have no instruction word.
  const isa::Row* row = record.word == 0 ? nullptr : isa::decode(arch, record.word).row;
  if (row != nullptr) fault.instruction = row->mnemonic;
  return {std::move(fault)};
}

} // namespace

void FaultLog::add(RuntimeFault what, std::uint32_t word, std::uint32_t line, std::uint32_t lanes) {
  std::uint16_t& place = place_of(what, word, line);
  if (place != kNoRecord) {
    RuntimeFaultRecord& record = records_[place];
    record.lanes |= lanes;
    ++record.count;
    return;
  }
  if (records_.size() == kMaxRecords) {
    ++dropped_;
    return;
  }
  place = static_cast<std::uint16_t>(records_.size());
  records_.push_back({what, word, line, lanes, 1});
}

/// Where the number of the record stands, or would; kNoRecord there if there is none.
std::uint16_t& FaultLog::place_of(RuntimeFault what, std::uint32_t word, std::uint32_t line) {
  if (places_.empty()) places_.assign(kPlaces, kNoRecord);
  constexpr std::uint32_t kSpread = 0x9E3779B1U; // 2^32 by the golden ratio: neighbours far apart
  std::uint32_t hash = (static_cast<std::uint32_t>(what) * kSpread ^ word) * kSpread ^ line;
  hash = hash * kSpread >> (32 - kPlaceBits);
  while (true) {
    std::uint16_t& place = places_[hash];
    if (place == kNoRecord) return place;
    const RuntimeFaultRecord& record = records_[place];
    if (record.what == what && record.word == word && record.line == line) return place;
    hash = (hash + 1) % kPlaces;
  }
}

void FaultLog::clear() {
  records_.clear();
  places_.clear();
  dropped_ = 0;
}

std::vector<Fault> FaultLog::to_faults(Arch arch) const {
  std::vector<Fault> faults;
  for (const RuntimeFaultRecord& record : records_) {
    for (Fault& fault : faults_of(arch, record)) {
      if (record.count > 1) fault.message += fmt::format(" ({} times)", record.count);
      if (record.lanes != 0) fault.lane = first_lane(arch, record.lanes);
      settle_place(fault);
      faults.push_back(std::move(fault));
    }
  }
  return faults;
}

} // namespace lanewise
