// Large pages for large tables: the system hands memory out page by page, and each page costs a
// fault of the processor.
#pragma once

#include <cstddef>

namespace lanewise {

/// The system's large page on the processors that the project knows.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// From this size on large pages are asked for. At the end a part of one may lie unused.
inline constexpr std::size_t kLargeTable = kLargePage / 2;

/// Asks for large pages where `size` bytes lie, if they are many. A wish: a system that has none
/// goes on as before.
void ask_for_large_pages(void* begin, std::size_t size) noexcept;

/// Memory as of std::malloc(), for std::free(): a large table has large pages for itself. The heap
/// writes beside what it hands out, and where it has done so before large pages are asked for, the
/// system goes on with small ones. nullptr if there is no memory.
void* allocate(std::size_t size) noexcept;

} // namespace lanewise
