// What a program's memories hold before its kernels begin, and what its buffers hold afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "source/programs/layout.h"
#include "source/sfpi/include/section/lanewise_launch.h"

namespace lanewise::launch {

/// The banks of DRAM within memory that holds all of them, each as long as the others.
std::vector<std::span<std::uint8_t>> dram_banks(const programs::Program& program,
                                                std::span<std::uint8_t> memory);

/// L1 of a core.
using L1OfCore = std::function<std::span<std::uint8_t>(const programs::Core&)>;

/// Of a program that has one core.
inline L1OfCore only_l1(std::span<std::uint8_t> l1) {
  return [l1](const programs::Core&) { return l1; };
}

/// The contents of buffers that are given.
void fill_buffers(const programs::Program& program, const programs::Layout& layout,
                  const L1OfCore& l1, std::span<std::uint8_t> dram);

/// Arguments and semaphores of a core.
void fill_core(const programs::Program& program, const programs::Layout& layout,
               std::span<std::uint8_t> l1);

/// The contents of the buffers, page after page.
std::vector<std::vector<std::uint8_t>> buffer_contents(const programs::Program& program,
                                                       const programs::Layout& layout,
                                                       const L1OfCore& l1,
                                                       std::span<std::uint8_t> dram);

/// What the kernel of a processor is started with.
lanewise_launch launch_data(const programs::Program& program, const programs::Layout& layout,
                            programs::Processor processor);

} // namespace lanewise::launch
