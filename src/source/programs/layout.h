// Where everything of a program lies: buffers in DRAM and L1, circular buffers, arguments and
// semaphores; by the rules of tt-metal's allocators, as one core sees it (grid.h for many).
//
//   L1:  0x10000  arguments of the kernels, each in front of a page that nobody may read
//        0x16000  semaphores, 16 bytes each
//        l1_begin circular buffers, upwards in their order; buffers downwards from the end
//
// What is below 0x10000 has no place in a process of the host; kernels reach it by the NoC only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "source/programs/program.h"

namespace lanewise::programs {

inline constexpr unsigned kProcessors = 3;
inline constexpr std::uint32_t kArguments = 0x10000, kSemaphores = 0x16000;
inline constexpr std::uint32_t kSemaphoreBytes = 16;
inline constexpr unsigned kMostSemaphores = 16, kMostArguments = 341;
inline constexpr std::uint32_t kGuardBytes = 0x1000;

/// Whether a semaphore lies there.
constexpr bool is_semaphore(std::uint64_t address) {
  return address >= kSemaphores &&
         address < kSemaphores + std::uint64_t{kMostSemaphores} * kSemaphoreBytes;
}

/// The next multiple.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

struct BufferPlace {
  std::uint64_t address = 0;
  std::uint64_t aligned_page = 0; ///< bytes from a page to the next of the same bank
  std::uint64_t pages = 0;
  std::uint64_t bank_bytes = 0; ///< that it takes of each bank
};

struct CbPlace {
  unsigned index = 0;
  std::size_t buffer = 0; ///< which of Program::circular_buffers it is of
  std::uint32_t address = 0, bytes = 0, pages = 0, page_bytes = 0;
};

struct ArgumentPlace {
  std::uint32_t own = 0, common = 0; ///< where they begin
  std::uint32_t own_words = 0, common_words = 0;
  std::uint32_t guard = 0; ///< the page behind the last
};

struct Layout {
  std::vector<BufferPlace> buffers; ///< as Program::buffers
  std::vector<Core> l1_banks;       ///< of buffers without shards (banks.h)
  std::vector<CbPlace> circular_buffers;
  std::array<ArgumentPlace, kProcessors> arguments; ///< by Processor
  std::uint64_t dram_bytes = 0;                     ///< of each bank, up to the last buffer's end
  std::uint32_t cb_end = 0;                         ///< of circular buffers in memory of their own
};

/// Error: BadInput of what cannot be: kernels or indices that clash, sizes that do not fit, what is
/// not in its memory; the first in the program's order, with its origin.
Expected<Layout> lay_out(const Program& program);

/// The steps of lay_out(): where everything lies, and whether circular buffers and buffers in L1
/// are apart. Error of check_l1(): BadInput that names one of either.
Expected<Layout> place_all(const Program& program);
Expected<void> check_l1(const Program& program, const Layout& layout);

/// Where the buffers lie, of a program that may have nothing else. Error: as lay_out().
Expected<Layout> lay_out_buffers(const Program& program);

/// A number, or the address of a buffer. Precondition: as lay_out() has checked.
std::uint32_t resolve(const Program& program, const Layout& layout, const Argument& argument);

/// What a kernel's compile-time arguments are, with accessors written out.
std::vector<std::uint32_t> resolve_compile_args(const Program& program, const Layout& layout,
                                                std::span<const CompileArgument> arguments);

} // namespace lanewise::programs
