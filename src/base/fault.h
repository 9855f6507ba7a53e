// Faults are values: what went wrong, in which instruction, lane and source line, what to do about
// it, and where the rule is documented. The library returns them; only the command line prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace lanewise {

/// The categories of the design, worst last within a severity.
enum class FaultKind : std::uint8_t {
  NonContractual,     ///< silicon is known to do this, but nobody promises that it stays so
  Hazard,             ///< instructions too close together for the hardware
  UnpredictableValue, ///< the result is a value that no source gives
  Unsupported,        ///< this program does not execute that; it says so instead of pretending
  UndefinedBehavior,  ///< the ISA gives no meaning to it
  BadInput            ///< a file, an option or a line of assembly that cannot be understood
};

/// "NonContractual", "Hazard", ...
std::string_view fault_kind_name(FaultKind kind);

/// Whether a program with such a fault still has results that hold on silicon as it is today.
constexpr bool leaves_results_valid(FaultKind kind) {
  return kind == FaultKind::NonContractual;
}

struct Fault {
  FaultKind kind = FaultKind::BadInput;
  std::string message;          ///< one sentence: what is wrong
  std::string remedy = {};      ///< one sentence: what to do
  std::string rule = {};        ///< where the rule is documented, e.g. "VU C9"
  std::string instruction = {}; ///< mnemonic, where there is one
  std::string file = {};        ///< source file or other input, where there is one
  std::uint32_t line = 0;       ///< source line, from 1; 0 = none
  std::uint32_t column = 0;     ///< source column, from 1; 0 = none
  std::optional<std::uint8_t> lane = std::nullopt; ///< first lane concerned, 0..31

  friend bool operator==(const Fault&, const Fault&) = default;
};

/// "file:line:column: UndefinedBehavior: SFPPUSHC, lane 3: message; remedy [rule]".
std::string to_string(const Fault& fault);

/// A value, or the fault that stands in its way.
template <class T>
using Expected = tl::expected<T, Fault>;
using Unexpected = tl::unexpected<Fault>;

/// Nothing stands in the way. For where that is said millions of times: `return {}` fills the room
/// of a fault with zeros first.
inline Expected<void> no_fault() {
  Expected<void> result;
  return result;
}

/// A BadInput fault at a place of an input.
inline Unexpected bad_input(std::string message, std::string remedy = {}, std::uint32_t line = 0,
                            std::uint32_t column = 0) {
  return Unexpected(Fault{.kind = FaultKind::BadInput,
                          .message = std::move(message),
                          .remedy = std::move(remedy),
                          .line = line,
                          .column = column});
}

} // namespace lanewise
