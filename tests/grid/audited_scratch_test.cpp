// Both cores of a tile that move data run one kernel, each for its own page.
#include "grid/audited.h"

namespace lanewise::grid {
namespace scratch {

enum Mistake : std::uint32_t {
  kNone,
  kShared, ///< both read into the same scratch
  kInTurns ///< none: the same, but one waits for a word of the other
};

constexpr std::string_view kText = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), own = get_arg_val<uint32_t>(2);
  const auto all = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(1), 1024);
  auto* const turn = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  const uint32_t place = get_write_ptr(0) + (mistake == 0 ? own % 2 * 1024 : 0);
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(place);
  if (mistake == 2 && own % 2 == 1) noc_semaphore_wait(turn, 1);
  noc_async_read_page(own, all, place); // line 10
  noc_async_read_barrier();
  for (uint32_t i = 0; i < 256; ++i) words[i] = words[i] + own; (void)words[255]; // line 12
  noc_async_write_page(own, all, place); // line 13
  noc_async_write_barrier();
  if (mistake == 2 && own % 2 == 0) noc_semaphore_set(turn, 1);
}
)";

class AuditedScratch : public Audited {
 protected:
  void SetUp() override {
    Audited::SetUp();
    make(R"({
      "grid": [2, 1],
      "buffers": [{"name": "all", "memory": "dram", "bytes": 4096, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [{"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 1024,
                            "cores": [[0, 0, 1, 0]]}],
      "semaphores": [{"id": 0, "cores": [[0, 0, 1, 0]]}],
      "kernels": [
        {"file": "own.cpp", "processor": "riscv_0", "cores": [[0, 0, 1, 0]],
         "compile_args": [{"accessor": "all"}],
         "runtime_args_at": [{"core": [0, 0], "args": [0, {"buffer": "all"}, 0]},
                             {"core": [1, 0], "args": [0, {"buffer": "all"}, 2]}]},
        {"file": "own.cpp", "processor": "riscv_1", "cores": [[0, 0, 1, 0]],
         "compile_args": [{"accessor": "all"}],
         "runtime_args_at": [{"core": [0, 0], "args": [0, {"buffer": "all"}, 1]},
                             {"core": [1, 0], "args": [0, {"buffer": "all"}, 3]}]}]})",
         {kText, kText});
  }
};

TEST_F(AuditedScratch, APlaceForEachHasNoFinding) {
  for (const std::uint32_t version : {kNone, kInTurns}) {
    expect_right(version, {7});
    for (std::uint32_t page = 0; page < 4; ++page)
      EXPECT_EQ(words[std::size_t{page} * 256], 7 + page);
  }
}

// 51217: a reshard runs one kernel on both, with one place for what is not aligned.
TEST_F(AuditedScratch, OnePlaceForBothIsFound) {
  expect_found(kShared, {":10: UndefinedBehavior: core (", "has the NoC read into 0x",
                         "and the read of ", ":10 of ", "nothing says whose data stay",
                         "give each a place of its own", "[programs 13]"});
}

} // namespace scratch
} // namespace lanewise::grid
