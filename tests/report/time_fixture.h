// A timed program from a few lines of assembly, as `lanewise time` makes it.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>

#include "report/time/report.h"
#include "run/execution/tile_runner.h"
#include "source/assembly/assembly.h"

namespace lanewise::test {

/// `computed`: the words whose fields are variables, as if a kernel had given them so.
inline report::TimeReport timed(Arch arch, std::string_view source,
                                std::initializer_list<std::size_t> computed = {}) {
  report::TimeReport result;
  result.arch = arch;
  auto program = assembly::assemble(arch, source, "test.tt");
  if (!program) {
    ADD_FAILURE() << to_string(program.error());
    return result;
  }
  for (const std::size_t word : computed) program->words[word].computed = true;
  auto made = execution::schedule_on_tile(arch, *program, {});
  if (!made) {
    ADD_FAILURE() << to_string(made.error());
    return result;
  }
  result.timing =
      timing::time_program(made->start, *program, false, made->program, std::move(made->schedule));
  result.program = *program;
  result.prepared = std::move(made->program);
  std::istringstream lines{std::string(source)};
  for (std::string line; std::getline(lines, line);) result.source.push_back(line);
  return result;
}

/// LOAD, LUT, STORE, INCRWC: on Blackhole the store waits inside the Vector Unit (T4).
inline constexpr std::string_view kTanhRow =
    "SFPLOAD L3, SRCB, 3, 0\nSFPLUT L3, SGN_RETAIN\nSFPSTORE L3, SRCB, 3, 0\nINCRWC DstInc=2\n";

/// Two SFPSWAPs, the second of which waits, and a third that finds the unit taken (T3).
inline constexpr std::string_view kSwaps =
    "SFPSWAP L0, L1, 0\nSFPSWAP L2, L3, 0\nSFPSWAP L4, L5, 0\n";

/// A macro that has its SFPABS one cycle and its SFPSTORE two cycles after the load (VU 5.5):
/// template 0 and the bytes Simple 04, Store 0B.
inline constexpr std::string_view kMacro =
    "SFPABS L0, L12, FLOAT\nSFPLOADI L0, 10, 0x0004\nSFPLOADI L0, 8, 0x0B00\nSFPCONFIG 0, 4, 0\n"
    "SFPNOP\nSFPLOADMACRO 0, 1, SRCB, 3, 0, 0\nSFPNOP\nSFPNOP\nSFPNOP\n";

} // namespace lanewise::test
