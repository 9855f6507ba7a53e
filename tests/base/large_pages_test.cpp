// Large pages are asked for where tables are large, and nowhere else.
#include "base/large_pages.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>

namespace lanewise {
namespace {

/// Memory of its own, from a large page on and `ahead` bytes further.
class Mapping {
 public:
  explicit Mapping(std::size_t ahead) : memory_(map()) {
    const auto at = reinterpret_cast<std::uintptr_t>(memory_);
    first_ = memory_ + (kLargePage - at % kLargePage) % kLargePage;
    begin_ = first_ + ahead;
  }
  ~Mapping() { ::munmap(memory_, kSize); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  char* begin() const { return begin_; }
  /// Whether the system has been asked for large pages at that distance from `begin`.
  bool is_advised(std::ptrdiff_t offset) const {
    const auto wanted = reinterpret_cast<std::uintptr_t>(begin_ + offset);
    std::ifstream maps("/proc/self/smaps");
    bool inside = false;
    for (std::string line; std::getline(maps, line);) {
      std::uintptr_t from = 0, to = 0;
      char dash = 0;
      if (std::istringstream range(line); range >> std::hex >> from >> dash >> to && dash == '-')
        inside = from <= wanted && wanted < to;
      if (inside && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
    }
    return false;
  }

 private:
  static constexpr std::size_t kSize = 8 * kLargePage;
  static char* map() {
    return static_cast<char*>(
        ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }

  char *memory_, *first_, *begin_;
};

/// A table that needs more than one.
constexpr std::size_t kTable = 2 * kLargePage;

/// A kernel that is built without large pages refuses them.
bool has_large_pages() {
  return std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").is_open();
}

TEST(LargePages, AreAskedForWhereATableIsLarge) {
  if (!has_large_pages()) GTEST_SKIP() << "this kernel has none";
  const Mapping whole(0);
  ask_for_large_pages(whole.begin(), kTable);
  EXPECT_TRUE(whole.is_advised(0));
  EXPECT_TRUE(whole.is_advised(kTable - 1));
  EXPECT_FALSE(whole.is_advised(kTable)) << "what lies behind it is another's";
}

TEST(LargePages, AreAskedForFromHalfAPageOn) {
  if (!has_large_pages()) GTEST_SKIP() << "this kernel has none";
  const Mapping half(0);
  ask_for_large_pages(half.begin(), kLargeTable);
  EXPECT_TRUE(half.is_advised(0));
}

TEST(LargePages, AreWholeAtBothEnds) {
  if (!has_large_pages()) GTEST_SKIP() << "this kernel has none";
  constexpr std::ptrdiff_t kAhead = 16;
  const Mapping moved(kAhead);
  ask_for_large_pages(moved.begin(), kTable);
  EXPECT_TRUE(moved.is_advised(-kAhead));
  EXPECT_TRUE(moved.is_advised(kTable - 1));
  EXPECT_TRUE(moved.is_advised(kTable + kLargePage - kAhead - 1));
  EXPECT_FALSE(moved.is_advised(kTable + kLargePage - kAhead));
}

TEST(LargePages, AreNotAskedForWhereATableIsSmall) {
  const Mapping small(0);
  ask_for_large_pages(small.begin(), kLargeTable - 1);
  EXPECT_FALSE(small.is_advised(0));
}

TEST(LargePages, LeaveErrnoAlone) {
  errno = EAGAIN;
  // Nothing is there, which the system refuses.
  ask_for_large_pages(nullptr, kLargeTable);
  EXPECT_EQ(errno, EAGAIN);
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

// What the heap writes between tables is on no page of theirs.
TEST(LargePages, AreATablesOwn) {
  for (const std::size_t size : {kLargeTable, kTable, kTable + 1}) {
    const Memory table(allocate(size));
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(table.get()) % kLargePage, 0U) << size;
    const std::size_t pages = (size + kLargePage - 1) / kLargePage;
    EXPECT_GE(::malloc_usable_size(table.get()), pages * kLargePage) << size;
  }
}

TEST(LargePages, AreNotTakenForWhatIsSmall) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kLargeTable - 1}) {
    const Memory small(allocate(size));
    ASSERT_NE(small, nullptr);
    EXPECT_LT(::malloc_usable_size(small.get()), size + kLargePage / 2) << size;
  }
}

TEST(LargePages, AreNoneWhereThereIsNoMemory) {
  EXPECT_EQ(allocate(std::numeric_limits<std::size_t>::max()), nullptr);
#ifndef LANEWISE_SANITIZED // whose allocator ends the process
  EXPECT_EQ(allocate(std::numeric_limits<std::size_t>::max() / 2), nullptr);
#endif
}

} // namespace
} // namespace lanewise
