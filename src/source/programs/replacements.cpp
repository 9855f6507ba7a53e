#include "source/programs/replacements.h"

#include <fmt/format.h>

#include "source/sfpi/core_code.h"

namespace lanewise::programs {

namespace {

/// Registers of the NIUs, which the checkout reaches by pointers of its own in five functions, the
/// counters of circular buffers, and the loops that wait for L1 (docs/programs.md, "How it works").
const Replacements kMoverRegisters{
    {"volatile uint32_t* ptr = (volatile uint32_t*)offset;",
     "const lanewise_register ptr(offset);"},
    {"*(volatile uint32_t*)offset =", "*lanewise_register(offset) ="},
    {"inline __attribute__((always_inline)) uint32_t reg_read(uint32_t addr) {",
     "inline __attribute__((always_inline)) uint32_t reg_read(uint32_t addr) { "
     "if (lanewise_is_register(addr)) return *lanewise_register(addr);"},
    {"pages_received_ptr[0] +=", "lanewise_at(pages_received_ptr)[0] +="},
    {"pages_acked_ptr[0] +=", "lanewise_at(pages_acked_ptr)[0] +="},
    {"get_cb_tiles_received_ptr(operand)[0]", "lanewise_at(get_cb_tiles_received_ptr(operand))[0]"},
    {"get_cb_tiles_acked_ptr(operand)[0]", "lanewise_at(get_cb_tiles_acked_ptr(operand))[0]"},
    {"inline __attribute__((always_inline)) void invalidate_l1_cache() {",
     "inline __attribute__((always_inline)) void invalidate_l1_cache() { lanewise_yield();"}};

/// Where kernels say what they are about to do with pages of circular buffers and buffers
/// (lanewise_calls.h): what is checked goes by it. A checkout in which a function looks different
/// is checked by what its registers show.
Replacements intents_of_movers() {
  Replacements all{{"return num_pages <= pages_received;",
                    "return num_pages <= pages_received && lanewise_waits(operand, num_pages);"},
                   {"return num_pages <= static_cast<int32_t>(free_space_pages_wrap);",
                    "return num_pages <= static_cast<int32_t>(free_space_pages_wrap) && "
                    "lanewise_reserves(operand, num_pages);"}};
  const auto begin_with = [&](const std::string& function, const std::string& call) {
    all.emplace_back(function, function + " " + call);
  };
  begin_with("void cb_wait_front(int32_t operand, int32_t num_pages) {",
             "lanewise_waits(operand, num_pages);");
  begin_with("void cb_reserve_back(int32_t operand, int32_t num_pages) {",
             "lanewise_reserves(operand, num_pages);");
  begin_with("void cb_push_back(const int32_t operand, const int32_t num_pages) {",
             "lanewise_pushes(operand, num_pages);");
  begin_with("void cb_pop_front(int32_t operand, int32_t num_pages) {",
             "lanewise_pops(operand, num_pages);");
  // What is left of tt_l1_ptr once macros are expanded.
  for (const char* const attribute : {"", "__attribute__(()) ", "__attribute__((rvtt_l1_ptr)) "})
    for (const char* const how : {"", "_min"})
      begin_with(fmt::format("void noc_semaphore_wait{}(volatile {}uint32_t* sem_addr, "
                             "uint32_t val) {{",
                             how, attribute),
                 fmt::format("const lanewise_wait lanewise_this(sem_addr, val, {});",
                             *how == 0 ? "false" : "true"));
  for (const char* const answers : {"writes", "atomics"}) {
    const std::string counts = fmt::format("noc_nonposted_{}_acked[noc] += num_dests;", answers);
    all.emplace_back(counts, "lanewise_expects(noc, num_dests); " + counts);
  }
  for (const char* const offset : {"uint32_t", "uintptr_t"})
    begin_with(fmt::format("std::uint64_t get_noc_addr(const uint32_t id, const {} offset = 0, "
                           "uint8_t noc = noc_index) const {{",
                           offset),
               "lanewise_means_by(*this, id, 0);");
  return all;
}

const Replacements kThreadIntents{
    {"inline void llk_wait_tiles(int operand, std::int32_t num_tiles) {",
     "inline void llk_wait_tiles(int operand, std::int32_t num_tiles) { lanewise_waits(operand, "
     "num_tiles);"},
    {"inline void llk_wait_for_free_tiles(const std::int32_t operand, const std::int32_t "
     "num_tiles) "
     "{",
     "inline void llk_wait_for_free_tiles(const std::int32_t operand, const std::int32_t "
     "num_tiles) "
     "{ lanewise_reserves(operand, num_tiles);"},
    {"get_local_cb_interface(input).tiles_acked += num_tiles;",
     "lanewise_pops(operand, num_tiles); get_local_cb_interface(input).tiles_acked += num_tiles;"},
    {"get_local_cb_interface(output).tiles_received += num_tiles;",
     "lanewise_pushes(operand, num_tiles); get_local_cb_interface(output).tiles_received += "
     "num_tiles;"}};

Replacements joined(Replacements all, const Replacements& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

} // namespace

const Replacements& mover_replacements() {
  static const Replacements all = joined(kMoverRegisters, intents_of_movers());
  return all;
}

const Replacements& thread_replacements() {
  static const Replacements all = joined(sfpi::register_replacements(), kThreadIntents);
  return all;
}

} // namespace lanewise::programs
