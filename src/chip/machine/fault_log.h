// Faults that depend on the state of the machine, noted cheaply while instructions execute.
#pragma once

#include <cstdint>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"

namespace lanewise {

/// What can go wrong at run time; fault_log.cpp has category, text and rule of each.
enum class RuntimeFault : std::uint8_t {
  PushOnFullStack,
  PopFromEmptyStack,
  MutateEmptyStack,
  FullStackPeek,
  IndexRegisterWritten,
  Mul24Addend,
  ConfigWordOutOfRange,
  ConfigBitsOfNoField,
  ScalarModeUnknown,
  DestBaseIgnored,
  NeedsSchedule,
  WaitsForSrcA,
  WaitsForSrcB,
  FlipOfForeignBank,
  BiasWithoutUse,
  ZeroAccOutOfRange,
  ZeroAccOtherBank,
  ZeroAccBankOpen,
  MoveOfOtherWidth,
  MoveOfTf32Low,
  MoveIntoInvalidRow,
  MoveOfMissingHalf,
  MoveOfMissingTf32,
  MatrixFormatUnknown,
  MatrixMixedExponents,
  MatrixDenormalSums,
  MatrixNegativeZero,
  MatrixStochasticRounding,
  MatrixUnalignedSrcA,
  MatrixStrayExponent,
  MatrixElementwisePhase,
  MatrixFp16Forced,
  MatrixPoolFp16,
  ExecutedTemplate, ///< what execution_faults() says about the word
};

/// One entry per kind, instruction word and source line, with the lanes and the number of times.
struct RuntimeFaultRecord {
  RuntimeFault what;
  std::uint32_t word;
  std::uint32_t line;
  std::uint32_t lanes;
  std::uint64_t count;

  friend bool operator==(const RuntimeFaultRecord&, const RuntimeFaultRecord&) = default;
};

class FaultLog {
 public:
  /// Notes a fault. Different places beyond kMaxRecords are counted, not kept.
  void add(RuntimeFault what, std::uint32_t word, std::uint32_t line, std::uint32_t lanes);
  void clear();

  const std::vector<RuntimeFaultRecord>& records() const { return records_; }
  std::uint64_t dropped() const { return dropped_; }

  /// The records as faults, in the order in which they first happened.
  std::vector<Fault> to_faults(Arch arch) const;

  static constexpr std::size_t kMaxRecords = 256;

 private:
  static constexpr unsigned kPlaceBits = 10;
  static constexpr std::uint32_t kPlaces = 1U << kPlaceBits; ///< most are always free
  static constexpr std::uint16_t kNoRecord = 0xFFFF;

  std::uint16_t& place_of(RuntimeFault what, std::uint32_t word, std::uint32_t line);

  std::vector<RuntimeFaultRecord> records_;
  /// Numbers of records, by a hash of what they are of, the next free place where that is taken.
  /// Empty where there are no records.
  std::vector<std::uint16_t> places_;
  std::uint64_t dropped_ = 0;
};

} // namespace lanewise
