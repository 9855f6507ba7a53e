// Pages that are popped while a write that another core has asked for still takes from them.
#include "run/launch/popped_pages.h"

#include "launch/own_programs.h"

namespace lanewise::launch {
namespace popped_pages {

constexpr unsigned kUnpacking = 0, kPacking = 2, kBrisc = 3, kNcrisc = 4;
constexpr unsigned kSent = 9, kGathered = 10;

/// BRISC's write takes from pages that the compute kernel pops and fills.
class Pages {
 public:
  void pop(std::uint32_t line = 5) {
    write_.number = ++writes_;
    write_.core = kBrisc;
    write_.line = 17;
    pages_.add(
        write_, {.address = 0x20000, .bytes = 64},
        {.core = kUnpacking, .line = line, .fault = {.message = "pops", .rule = "programs 2"}});
  }
  void leave() { pages_.leave(write_); }
  void tell(unsigned from, unsigned ring, bool is_push, unsigned to) {
    pages_.move(from, ring, is_push);
    pages_.see(to, ring, is_push);
  }
  void pack(std::uint64_t address = 0x20000) { pages_.fill(kPacking, address, 16); }
  std::size_t found() {
    pages_.settle();
    return log_.all.size();
  }

 private:
  FoundLog log_;
  PoppedPages pages_{log_};
  noc::Transaction write_;
  std::uint64_t writes_ = 0;
};

TEST(PoppedPages, WhoHasHeardThatTheyHaveLeftMayFillThem) {
  Pages pages;
  pages.pop();
  pages.leave();
  pages.tell(kBrisc, kGathered, true, kUnpacking);
  pages.pack();
  EXPECT_EQ(pages.found(), 0U);
}

TEST(PoppedPages, OneCoreMayHaveHeardItOfAnother) {
  Pages pages;
  pages.pop();
  pages.leave();
  pages.tell(kBrisc, kSent, false, kNcrisc);
  pages.tell(kNcrisc, kGathered, true, kUnpacking);
  pages.pack(0x20030);
  EXPECT_EQ(pages.found(), 0U);
}

TEST(PoppedPages, WhoHasHeardOfWhatCameBeforeMayNot) {
  Pages pages;
  pages.pop();
  pages.tell(kBrisc, kGathered, true, kUnpacking);
  pages.leave();
  pages.pack();
  EXPECT_EQ(pages.found(), 1U);
}

TEST(PoppedPages, WhatHasNotLeftIsFound) {
  Pages pages;
  pages.pop();
  pages.pack();
  pages.leave();
  EXPECT_EQ(pages.found(), 1U);
}

TEST(PoppedPages, WhatIsFilledBesideThemIsNothing) {
  Pages pages;
  pages.pop();
  pages.pack(0x20040);
  pages.leave();
  pages.tell(kBrisc, kGathered, true, kUnpacking);
  pages.pack(0x2003F);
  EXPECT_EQ(pages.found(), 0U);
}

TEST(PoppedPages, WhereNobodyFillsThemTheLastTimeCounts) {
  Pages never, once;
  never.pop();
  never.leave();
  EXPECT_EQ(never.found(), 1U) << "it is not known who would fill them";
  once.pop();
  once.leave();
  once.tell(kBrisc, kGathered, true, kUnpacking);
  once.pack();
  once.pop();
  once.leave();
  EXPECT_EQ(once.found(), 0U);
  once.pop(6);
  EXPECT_EQ(once.found(), 1U) << "another pop";
}

/// NCRISC pops what it has given to BRISC at once, and fills it anew as soon as there is room in
/// c_4: behind BRISC's flush, if that has one page.
class GivenOn : public OnEachChip {
 protected:
  std::string run_with(unsigned pages) {
    parse(fmt::format(R"({{
      "buffers": [{{"name": "from", "memory": "dram", "bytes": 192, "page_bytes": 64,
                   "format": "UInt32", "layout": "rows"}},
                  {{"name": "to", "memory": "dram", "bytes": 192, "page_bytes": 64,
                   "format": "UInt32", "layout": "rows"}}],
      "circular_buffers": [{{"index": 3, "format": "UInt32", "pages": 1, "page_bytes": 64}},
                           {{"index": 4, "format": "UInt32", "pages": {}, "page_bytes": 64}}],
      "kernels": [
        {{"file": "send.cpp", "processor": "riscv_0", "noc": 1, "compile_args": [{{"accessor": "to"}}],
         "runtime_args": [{{"buffer": "to"}}]}},
        {{"file": "read.cpp", "processor": "riscv_1", "noc": 0, "compile_args": [{{"accessor": "from"}}],
         "runtime_args": [{{"buffer": "from"}}]}}]}})",
                      pages));
    program().buffers[0].contents.assign(192, 7);
    for (programs::Kernel& kernel : program().kernels) kernel.file.clear();
    program().kernels[0].text = R"(#include "dataflow_api.h"
void kernel_main() {
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0), 64);
  for (uint32_t page = 0; page < 3; ++page) {
    cb_wait_front(4, 1);
    noc_async_write_page(page, to, get_read_ptr(3));
    noc_async_writes_flushed();
    cb_pop_front(4, 1);
  }
  noc_async_write_barrier();
}
)";
    program().kernels[1].text = R"(#include "dataflow_api.h"
void kernel_main() {
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0), 64);
  for (uint32_t page = 0; page < 3; ++page) {
    cb_reserve_back(4, 1);
    cb_reserve_back(3, 1);
    noc_async_read_page(page, from, get_write_ptr(3));
    noc_async_read_barrier();
    cb_push_back(3, 1);
    cb_push_back(4, 1);
    cb_pop_front(3, 1);
  }
}
)";
    // BRISC has asked for its write before the page is popped.
    return text_of(run({.schedule = {.order = tile::Order::Random, .seed = 3}}));
  }
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, GivenOn, ::testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

TEST_P(GivenOn, APageThatAnotherCorePopsIsFoundOnlyIfItMayBeFilledTooEarly) {
  EXPECT_EQ(run_with(1).find("[programs 2]"), std::string::npos) << run_with(1);
  EXPECT_NE(run_with(2).find("[programs 2]"), std::string::npos) << run_with(2);
}

} // namespace popped_pages
} // namespace lanewise::launch
