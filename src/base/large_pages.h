// Large pages for large tables: the system hands memory out page by page, and each page costs a
// fault of the processor.
#pragma once

#include <cstddef>

namespace lanewise {

/// The system's large page on the processors that the project knows.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// From this size on large pages are asked for. At both ends a part of one may lie unused, which is
/// less than the table where tables lie side by side, as those of one program do.
inline constexpr std::size_t kLargeTable = kLargePage / 2;

/// Asks for large pages where `size` bytes lie, if they are many. A wish: a system that has none
/// goes on as before.
void ask_for_large_pages(void* begin, std::size_t size) noexcept;

} // namespace lanewise
