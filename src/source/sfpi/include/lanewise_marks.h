// Words that stand for SFPI in the code of a core (sfpi_marks.h). Their opcode is none of
// Wormhole's or Blackhole's.
#pragma once

#include <cstdint>

/// An operation, for which instructions are pushed; and one of which no instruction comes, but from
/// which on a recording would be open (run/section/vector_code.h).
inline constexpr std::uint32_t kLanewiseVectorMark = 0xBE000001,
                               kLanewiseVectorOpening = 0xBE000000;
