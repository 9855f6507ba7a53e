#include "machine/fault_log.h"

#include <fmt/format.h>

#include <bit>
#include <string>

#include "isa/encoding.h"

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
    case RuntimeFault::DestBaseIgnored:
      return {FaultKind::NonContractual,
              "sets DEST_REGW_BASE, which silicon does not instantiate: Dst addresses ignore it",
              "use DEST_TARGET_REG_CFG_MATH_Offset", "VU C17"};
    case RuntimeFault::NeedsSchedule:
      return {FaultKind::Unsupported,
              "was executed without a schedule, so only its load took place",
              "execute the ops of timing::schedule()", "VU 5.5"};
  }
  return {};
}

} // namespace

void FaultLog::add(RuntimeFault what, std::uint32_t word, std::uint32_t line, std::uint32_t lanes) {
  for (RuntimeFaultRecord& record : records_) {
    if (record.what == what && record.word == word && record.line == line) {
      record.lanes |= lanes;
      ++record.count;
      return;
    }
  }
  if (records_.size() == kMaxRecords) {
    ++dropped_;
    return;
  }
  records_.push_back({what, word, line, lanes, 1});
}

void FaultLog::clear() {
  records_.clear();
  dropped_ = 0;
}

std::vector<Fault> FaultLog::to_faults(Arch arch) const {
  std::vector<Fault> faults;
  for (const RuntimeFaultRecord& record : records_) {
    const Description text = describe(record.what);
    Fault fault{.kind = text.kind,
                .message = std::string(text.message),
                .remedy = std::string(text.remedy),
                .rule = std::string(text.rule),
                .line = record.line};
    if (record.count > 1) fault.message += fmt::format(" ({} times)", record.count);
    // Settings made from outside have no instruction word.
    const isa::Row* row = record.word == 0 ? nullptr : isa::decode(arch, record.word).row;
    if (row != nullptr) fault.instruction = row->mnemonic;
    if (record.lanes != 0) fault.lane = static_cast<std::uint8_t>(std::countr_zero(record.lanes));
    faults.push_back(std::move(fault));
  }
  return faults;
}

} // namespace lanewise
