// A test of LLK, compiled for the three cores: its sections as RV32 programs, which CoreFeeder
// executes.
//
// SFPI's vectors are nothing that the compiler knows: each of its operations leaves a mark in the
// code (source/sfpi/include/sfpi_marks.h), in whose place the words are pushed that the same
// section has pushed on the host (vector_marks.h).
#pragma once

#include <array>
#include <string>

#include "base/fault.h"
#include "binary/elf/image.h"
#include "chip/isa/program.h"
#include "run/section/test_source.h"
#include "run/section/zones.h"

namespace lanewise::section {

/// Where in L1 the cores' programs lie, with what their start code puts into the cores' own RAM: as
/// LLK's tests have it, below everything that a test uses.
inline constexpr std::uint32_t kCoreCode = 0x6000, kCoreCodeEnd = 0x15000;

using CoreImages = std::array<elf::Image, kThreads>;

/// The linked programs of the three sections, compiled at the same time, or from the cache. Error:
/// BadInput; there is no compiler for RV32, or as of compile_sections().
Expected<SectionObjects> compile_for_cores(const TestSource& source);

/// A test for the host and for the cores.
struct HostAndCoreObjects {
  SectionObjects sections; ///< as of compile_sections()
  SectionObjects programs; ///< as of compile_for_cores()
};

/// Both, compiled at the same time, or from the cache: what their files are is looked up once.
/// Error: as of compile_for_cores() and compile_sections().
Expected<HostAndCoreObjects> compile_for_both(const TestSource& source);

/// Error: BadInput; one of the files is not what compile_for_cores() made.
Expected<CoreImages> read_core_images(const SectionObjects& programs);

/// Where a core's profiler has its buffer; nothing if the test was compiled without one.
std::optional<ZoneBuffer> zone_buffer_of(const elf::Image& image);

} // namespace lanewise::section
