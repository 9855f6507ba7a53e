// Whether a kernel's loads and stores stay within Dst, as dst_reg's indices mean them.
#pragma once

#include <cstdint>
#include <optional>

#include "base/fault.h"
#include "chip/machine/state.h"
#include "source/compiler/ir.h"

namespace lanewise::oracle {

/// The source of the rule, by which these faults can be told apart.
inline constexpr const char* kDstRangeRule = "VU C17";

/// An address is taken modulo 1024, so that a wrong index reaches other elements, and a negative
/// one is right where the counter has moved far enough before.
class DstRange {
 public:
  /// After an instruction word has run; `dst_before` is the counter before it. `dst_reg++` behind
  /// the end of Dst begins from the front, too.
  void follow(const MachineState& state, std::uint32_t word, std::uint32_t dst_before);

  /// NonContractual if an SFPLOAD or SFPSTORE node lies outside, at what it reaches instead.
  std::optional<Fault> check(const compiler::Recording& recording, const compiler::Node& node,
                             const MachineState& state) const;

 private:
  std::int32_t turns_ = 0; ///< addresses by which the counter has been lapped
};

} // namespace lanewise::oracle
