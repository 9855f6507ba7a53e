#include "base/large_pages.h"

#include <cerrno>
#include <cstdlib>
#include <limits>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace lanewise {

void ask_for_large_pages([[maybe_unused]] void* begin, std::size_t size) noexcept {
  if (size < kLargeTable) return;
#ifdef MADV_HUGEPAGE
  // Who allocates does not expect that errno changes.
  const int before = errno;
  // Whole large pages, also where the table has only a part of one. Behind the heap there may be
  // nothing; what is there is taken nevertheless.
  char* const first = static_cast<char*>(begin);
  const std::size_t ahead = reinterpret_cast<std::size_t>(first) % kLargePage;
  const std::size_t pages = (ahead + size + kLargePage - 1) / kLargePage;
  ::madvise(first - ahead, pages * kLargePage, MADV_HUGEPAGE);
  errno = before;
#endif
}

void* allocate(std::size_t size) noexcept {
  if (size < kLargeTable) return std::malloc(size != 0 ? size : 1);
  if (size > std::numeric_limits<std::size_t>::max() - kLargePage) return nullptr;
  const std::size_t pages = (size + kLargePage - 1) / kLargePage;
  void* const table = std::aligned_alloc(kLargePage, pages * kLargePage);
  if (table != nullptr) ask_for_large_pages(table, size);
  return table;
}

} // namespace lanewise
