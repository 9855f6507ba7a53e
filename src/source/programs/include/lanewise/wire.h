// How a host program and the process that plays its device talk, over one socket: the host asks,
// and waits for the answer. Compiled into both.
//
//   ask:     WireHeader (an Ask), the text of a description, a zero, contents of buffers
//   answer:  WireHeader (an Answer), contents of a buffer or the text of a message
//
// The descriptions are those of 'lanewise kernels' (docs/programs.md, "Descriptions").
#pragma once

#include <cstdint>

namespace lanewise_host {

inline constexpr std::uint32_t kWireMagic = 0x3157'4C00; // "\0LW1"

enum class Ask : std::uint32_t {
  Run = 1,     ///< the program that is described
  Write = 2,   ///< the contents that follow, into the one buffer that is described
  Read = 3,    ///< the contents of the one buffer that is described
  Refused = 4, ///< nothing: the text says what the host program wanted that is not there
  Grid = 5     ///< columns and rows of the device, as 4x2; nothing for what the environment says
};

enum class Answer : std::uint32_t {
  Done = 1,    ///< what was asked
  Found = 2,   ///< the kernels came to their end, and something is wrong with them
  Stopped = 3, ///< the kernels did not come to their end
  Refused = 4, ///< nothing was done; the text says why
};

struct WireHeader {
  std::uint32_t magic = kWireMagic;
  std::uint32_t what = 0;  ///< an Ask or an Answer
  std::uint64_t bytes = 0; ///< that follow
};

/// The variable that has the number of the socket, where the device has started the host program.
inline constexpr const char* kChannelVariable = "LANEWISE_CHANNEL";

} // namespace lanewise_host
