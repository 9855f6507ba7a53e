// Programs of rows for tests of the tuner: the body of one row in assembly, 32 times.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "source/assembly/assembly.h"
#include "study/tune/tune.h"

namespace lanewise::tune {

inline Program assembled_program(Arch arch, const std::string& source) {
  auto program = assembly::assemble(arch, source, "test.tt");
  EXPECT_TRUE(program) << (program ? "" : to_string(program.error())) << source;
  return program ? *program : Program{};
}

/// A row finds its value in L0 and leaves the result in L0; `once` comes before all rows.
inline Plain plain_rows(Arch arch, std::string_view body, std::string_view once = "",
                        unsigned rows = 32) {
  const unsigned still = arch == Arch::Blackhole ? 7 : 3;
  return {arch,
          assembled_program(arch, fmt::format("{}\n.repeat {}\nSFPLOAD L0, SRCB, {}, 0\n{}\n"
                                              "SFPSTORE L0, SRCB, {}, 0\nINCRWC DstInc=2\n.endr\n",
                                              once, rows, still, body, still))};
}

} // namespace lanewise::tune
