// Kernels with Lanewise's own headers say what they do, so that each rule has what it goes by
// (docs/programs.md, "What is checked"): mistakes that people make, several in a program.
#include "launch/own_programs.h"

namespace lanewise::launch {
namespace {

class OwnRules : public OwnHeadersTest {
 protected:
  /// The example of sums with a kernel that is changed: the first of each pair becomes the second.
  void change(const std::string& kernel,
              const std::vector<std::pair<std::string, std::string>>& changes) {
    std::string text = text_of_example("kernels/" + kernel);
    for (const auto& [from, to] : changes) {
      const std::size_t at = text.find(from);
      ASSERT_NE(at, std::string::npos) << from;
      text.replace(at, from.size(), to);
    }
    for (programs::Kernel& each : program().kernels) {
      if (!each.file.ends_with(kernel)) continue;
      each.file.clear();
      each.text = text;
    }
  }
  /// One kernel that moves data, over a buffer of 64 words in DRAM and one in L1.
  void make_mover(const std::string& body, const std::string& other = "") {
    parse(R"({
      "buffers": [
        {"name": "dram", "memory": "dram", "bytes": 256, "page_bytes": 64, "format": "UInt32", "layout": "rows", "input": "ramp"},
        {"name": "l1", "memory": "l1", "bytes": 4096, "page_bytes": 4096},
        {"name": "empty", "memory": "dram", "bytes": 64, "page_bytes": 64}],
      "circular_buffers": [{"index": 3, "format": "UInt32", "pages": 4, "page_bytes": 64}],
      "semaphores": [{"id": 0, "initial": 0}],
      "kernels": [{"text": "-", "processor": "riscv_0", "compile_args": [{"accessor": "dram"}, {"accessor": "empty"}],
                   "runtime_args": [{"buffer": "dram"}, {"buffer": "l1"}, {"buffer": "empty"}]}]})");
    program().kernels[0].text = text_of_mover(body);
    if (other.empty()) return;
    programs::Kernel second = program().kernels[0];
    second.processor = programs::Processor::Riscv1;
    second.noc = 1 - second.noc;
    second.text = text_of_mover(other);
    program().kernels.push_back(std::move(second));
  }
  static std::string text_of_mover(const std::string& body) {
    return R"(#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const auto dram = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  const auto empty = TensorAccessor(TensorAccessorArgs<2>(), get_arg_val<uint32_t>(2));
  auto* const l1 = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(1));
)" + body + "\n}\n";
  }

  void expect_found(const std::vector<std::string>& all) {
    outcome = run();
    const std::string text = text_of(outcome);
    std::string missing;
    for (const std::string& each : all)
      if (text.find(each) == std::string::npos) missing += each + "\n";
    EXPECT_EQ(missing, "") << "is not in\n" << text;
  }

  LaunchOutcome outcome;
};

TEST_F(OwnRules, OfAReader) {
  read_example("vector_add.json");
  change("read_pair.cpp",
         {{"  cb_reserve_back(1, 1);\n", ""},
          {"noc_async_read_barrier();", ""},
          {"tile < tiles", "tile <= tiles"},
          {"cb_push_back(1, 1);\n  }", "cb_push_back(1, 1);\n  }\n  noc_async_read_barrier();"}});
  expect_found({"ncrisc: pushes a page of c_0", "[programs 1]", // reads that are under way
                "asks for the address of page 4 of buffer 'a' (buffers[0]), which has 4",
                "[programs 9]", "has the NoC read into page 0 of c_1", "has reserved none",
                "[programs 5]"});
}

TEST_F(OwnRules, OfAWriter) {
  read_example("vector_add.json");
  change("write.cpp", {{"cb_wait_front(16, 1);", ""},
                       {"noc_async_writes_flushed();", ""},
                       {"  noc_async_write_barrier();", ""}});
  expect_found({"has the NoC write page 0 of c_16", "and has waited for none", "[programs 5]",
                "pops a page of c_16", "[programs 2]", "[programs 3]"});
}

TEST_F(OwnRules, OfAComputeKernel) {
  read_example("vector_add.json");
  change("add.cpp", {{"cb_wait_front(1, 1);", ""},
                     {"cb_reserve_back(16, 1);", ""},
                     {"tile_regs_wait(); // the section for PACK", ""}});
  expect_found({"unpacks page", "of c_1", "and has waited for none", "[programs 5]",
                "packs into page", "of c_16", "and has reserved none",
                "packs from Dst, which is not the pack thread's", "[programs 16]"});
}

TEST_F(OwnRules, OfTheNumberOfPages) {
  read_example("vector_add.json");
  change("write.cpp", {{"cb_pop_front(16, 1);", "cb_pop_front(16, 1 + tile / 3);"}});
  expect_found({"c_16", "[programs 6]"});
}

TEST_F(OwnRules, OfLoadsAndStores) {
  make_mover(R"(
  cb_reserve_back(3, 1);
  auto* const page = reinterpret_cast<volatile uint32_t*>(get_write_ptr(3));
  noc_async_read_page(0, dram, get_write_ptr(3));
  l1[0] = page[0];                // before the barrier
  noc_async_read_barrier();
  l1[1] = page[16];               // not reserved
  l1[2] = l1[700];                // never written
  noc_async_read_page(0, empty, get_write_ptr(3));
  noc_async_read_barrier();
  reinterpret_cast<volatile uint32_t*>(get_arg_addr(0))[0] = 1;
  cb_push_back(3, 1);
  cb_wait_front(3, 1);
  noc_async_write(get_read_ptr(3), dram.get_noc_addr(1), 64);
  page[1] = 5;                    // before it has left
  noc_async_write_barrier();
  cb_pop_front(3, 1);)");
  expect_found({":10: UndefinedBehavior: brisc: loads from 0x",
                "into which the read of line 9 is still under way", "[programs 1]",
                ":12: NonContractual: brisc: loads from page 1 of c_3", "[programs 5]",
                ":13: UnpredictableValue: brisc: loads 4 bytes from 0x", "[programs 8]",
                ":14: UnpredictableValue: brisc: asks for", "where nothing of buffer 'empty'",
                ":16: UndefinedBehavior: brisc: writes 0x", "where arguments of kernels are",
                "[programs 9]", ":20: UndefinedBehavior: brisc: stores to 0x", "has not left",
                "[programs 2]"});
}

// It waits for its write before it fills the page again, whoever has popped it meanwhile.
TEST_F(OwnRules, WhoFillsAPageMayBeDoneWithItAfterItIsPopped) {
  const std::string fills =
                        "  cb_reserve_back(3, 1);\n"
                        "  *reinterpret_cast<volatile uint32_t*>(get_write_ptr(3)) = 7;\n"
                        "  const uint32_t page = get_write_ptr(3); "
                        "(void)*reinterpret_cast<volatile uint32_t*>(page);\n"
                        "  noc_async_write(page, dram.get_noc_addr(1), 64);\n"
                        "  cb_push_back(3, 1);\n"
                        "  noc_semaphore_wait(reinterpret_cast<volatile "
                        "uint32_t*>(get_semaphore(0)), 1);\n",
                    pops =
                        "  cb_wait_front(3, 1);\n  cb_pop_front(3, 1);\n"
                        "  noc_semaphore_inc(get_noc_addr(get_semaphore(0)), 1);\n"
                        "  noc_async_atomic_barrier();";
  make_mover(fills + "  noc_async_write_barrier();", pops);
  expect_found({});
  EXPECT_EQ(text_of(outcome), "");
  make_mover(fills +
                 "  noc_async_read_page(0, dram, page);  noc_async_write_barrier();"
                 "  noc_async_read_barrier();",
             pops);
  expect_found({":12: UndefinedBehavior: brisc: asks for a read", "has not left", "[programs 2]"});
}

// As long as the core's cache is off, the loop ends.
TEST_F(OwnRules, OfALoopThatWaits) {
  const std::string waits =
                        "  while (*reinterpret_cast<volatile uint32_t*>(get_semaphore(0)) != 1);",
                    sets =
                        "  noc_semaphore_inc(get_noc_addr(get_semaphore(0)), 1);\n"
                        "  noc_async_atomic_barrier();";
  make_mover(waits, sets);
  expect_found({":6: NonContractual: brisc: waits for 0x", "[programs 14]"});
  EXPECT_TRUE(outcome.is_done());
  make_mover("  noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(0)), 1);",
             sets);
  expect_found({});
  EXPECT_EQ(text_of(outcome), "");
}

// The functions that ask whether pages are there have waited where they are.
TEST_F(OwnRules, WhoAsksForPagesHasWaited) {
  make_mover(R"(
  while (!cb_pages_reservable_at_back(3, 2)) invalidate_l1_cache();
  noc_async_read_page(0, dram, get_write_ptr(3));
  noc_async_read_barrier();
  cb_push_back(3, 1);
  while (!cb_pages_available_at_front(3, 1)) invalidate_l1_cache();
  l1[0] = *reinterpret_cast<volatile uint32_t*>(get_read_ptr(3));
  cb_pop_front(3, 1);)");
  expect_found({});
  EXPECT_EQ(text_of(outcome), "");
}

TEST_F(OwnRules, WithoutTellingAccessesLoadsAreNotSeen) {
  make_mover(R"(
  l1[2] = l1[700];
  cb_wait_front(3, 0);
  noc_async_read_page(4, dram, get_write_ptr(3));
  noc_async_read_barrier();)");
  auto objects = programs::compile_program(program(), layout = *programs::lay_out(program()),
                                           {.checkout = {}, .tells_accesses = false});
  ASSERT_TRUE(objects.has_value());
  const auto ran = launch_program(program(), layout, *objects, {});
  ASSERT_TRUE(ran.has_value());
  const std::string text = text_of(*ran);
  EXPECT_EQ(text.find("[programs 8]"), std::string::npos) << text;
  EXPECT_NE(text.find("asks for the address of page 4"), std::string::npos) << text;
}

} // namespace
} // namespace lanewise::launch
