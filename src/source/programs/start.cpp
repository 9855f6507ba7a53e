#include "source/programs/start.h"

#include <fmt/format.h>

#include <array>

#include "chip/tile/tile.h"
#include "source/assembly/kernel_macros.h"
#include "source/sfpi/core_toolchain.h"
#include "source/sfpi/kernel_object.h"
#include "source/sfpi/locations.h"

namespace lanewise::programs {

namespace {

/// Where a header lies in checkouts of 2026, and before.
std::string include_either(std::string_view newer, std::string_view older) {
  return fmt::format(
      "#if __has_include(\"{0}\")\n#include \"{0}\"\n#else\n#include \"{1}\"\n#endif\n", newer,
      older);
}

/// Prints of kernels. Older checkouts, whose DPRINT is a stream, have none.
constexpr std::string_view kPrints = R"(
#if __has_include("api/debug/device_print.h")
#include "api/debug/dprint.h"
#include "lanewise_print.h"
#endif
)";

/// What all cores have: arguments, coordinates, circular buffers. A core's interface of a circular
/// buffer counts bytes, that of a thread 16 of them.
constexpr std::string_view kCommonStart = R"(
#include "lanewise_launch_data.h"

std::uint32_t tt_l1_ptr* rta_l1_base;
std::uint32_t tt_l1_ptr* crta_l1_base;
std::uint32_t tt_l1_ptr* sem_l1_base[ProgrammableCoreType::COUNT];
std::uint8_t my_logical_x_, my_logical_y_, my_relative_x_, my_relative_y_;
CBInterface cb_interface[NUM_CIRCULAR_BUFFERS];

static void lanewise_start_core(bool reads, bool writes) {
  const lanewise_launch& launch = lanewise_launch_data;
  rta_l1_base = reinterpret_cast<std::uint32_t tt_l1_ptr*>(std::uintptr_t{launch.runtime_args});
  crta_l1_base = reinterpret_cast<std::uint32_t tt_l1_ptr*>(std::uintptr_t{launch.common_args});
  for (auto& base : sem_l1_base)
    base = reinterpret_cast<std::uint32_t tt_l1_ptr*>(std::uintptr_t{launch.semaphores});
  my_logical_x_ = my_relative_x_ = launch.logical_x;
  my_logical_y_ = my_relative_y_ = launch.logical_y;
  for (unsigned i = 0; i < NUM_CIRCULAR_BUFFERS; ++i) {
    const std::uint32_t(&config)[4] = launch.circular_buffer[i];
    if (config[1] == 0) continue;
    auto& own = get_local_cb_interface(i);
    const std::uint32_t address = config[0] >> cb_addr_shift;
    own.fifo_size = config[1] >> cb_addr_shift;
    own.fifo_limit = address + own.fifo_size;
    own.fifo_page_size = config[3] >> cb_addr_shift;
    if (reads) own.fifo_rd_ptr = address;
    if (writes) own.fifo_wr_ptr = address;
    if (writes) own.fifo_num_pages = config[2];
    own.tiles_acked_received_init = 0;
    own.fifo_wr_tile_ptr = 0;
  }
}
)";

/// Registers by which a thread's core reaches the coprocessor.
constexpr std::string_view kPointers = R"(
namespace ckernel {
#if defined(__PTR_CONST)
#define LANEWISE_CONST const
#else
#define LANEWISE_CONST
#endif
volatile tt_reg_ptr uint* LANEWISE_CONST regfile = reinterpret_cast<volatile uint*>(REGFILE_BASE);
volatile tt_reg_ptr uint* LANEWISE_CONST pc_buf_base = reinterpret_cast<volatile uint*>(PC_BUF_BASE);
volatile tt_reg_ptr uint* LANEWISE_CONST mailbox_base[4] = {
    reinterpret_cast<volatile uint*>(TENSIX_MAILBOX0_BASE),
    reinterpret_cast<volatile uint*>(TENSIX_MAILBOX1_BASE),
    reinterpret_cast<volatile uint*>(TENSIX_MAILBOX2_BASE),
    reinterpret_cast<volatile uint*>(TENSIX_MAILBOX3_BASE)};
}
)";

/// Behind the kernel the firmware waits for the thread; before it, GPRs are zero since the core was
/// started, which takes no time where it counts, and the configuration that debug registers have is
/// that of a fresh core.
constexpr std::string_view kThreadStart = R"(
uint32_t unp_cfg_context = 0;
uint32_t pack_sync_tile_dst_ptr = 0;
uint32_t math_sync_tile_dst_index = 0;
uint32_t gl_alu_format_spec_reg = 0;
uint32_t op_info_offset = 0;
namespace ckernel {{
uint32_t cfg_state_id = 0;
uint32_t dest_offset_id = 0;
uint32_t op_info_offset = 0;
volatile tt_reg_ptr uint* LANEWISE_CONST reg_base = reinterpret_cast<volatile uint*>(0xFFB10000);
}}
#if defined(LANEWISE_MARKS)
#define LANEWISE_REGISTER(address) (*reinterpret_cast<volatile std::uint32_t*>(address))
#else
#define LANEWISE_REGISTER(address) (*lanewise_register(address))
#endif
extern "C" void {0}() {{
#if !defined(LANEWISE_MARKS)
  for (std::uint32_t gpr = 0; gpr < 64; ++gpr) *lanewise_register(REGFILE_BASE + 4 * gpr) = 0;
#endif
#if COMPILE_FOR_TRISC == 0
  LANEWISE_REGISTER(RISCV_DEBUG_REG_DBG_FEATURE_DISABLE) = 0;
#endif
  lanewise_start_core(COMPILE_FOR_TRISC == 0, COMPILE_FOR_TRISC == 2);
  run_kernel();
  LANEWISE_REGISTER(PC_BUF_BASE + 4) = 0;
  (void)static_cast<std::uint32_t>(LANEWISE_REGISTER(PC_BUF_BASE + 4));
}}
)";

constexpr std::string_view kMoverStart = R"(
std::uint8_t my_x[NUM_NOCS], my_y[NUM_NOCS];
std::uint32_t noc_reads_num_issued[NUM_NOCS];
std::uint32_t noc_nonposted_writes_num_issued[NUM_NOCS];
std::uint32_t noc_nonposted_writes_acked[NUM_NOCS];
std::uint32_t noc_nonposted_atomics_acked[NUM_NOCS];
std::uint32_t noc_posted_writes_num_issued[NUM_NOCS];
decltype(dram_bank_to_noc_xy) dram_bank_to_noc_xy;
decltype(bank_to_dram_offset) bank_to_dram_offset;
decltype(l1_bank_to_noc_xy) l1_bank_to_noc_xy;
decltype(bank_to_l1_offset) bank_to_l1_offset;
extern "C" void {0}() {{
  const lanewise_launch& launch = lanewise_launch_data;
  lanewise_start_core(true, true);
  for (unsigned noc = 0; noc < NUM_NOCS; ++noc) {{
    my_x[noc] = launch.x;
    my_y[noc] = launch.y;
    for (unsigned bank = 0; bank < NUM_DRAM_BANKS; ++bank) {{
      dram_bank_to_noc_xy[noc][bank] = launch.dram_place[noc][bank] << NOC_COORD_REG_OFFSET;
      bank_to_dram_offset[bank] = launch.dram_offset[bank];
    }}
    for (unsigned bank = 0; bank < NUM_L1_BANKS; ++bank)
      l1_bank_to_noc_xy[noc][bank] = launch.l1_place[bank] << NOC_COORD_REG_OFFSET;
  }}
  if constexpr (NOC_MODE == DM_DEDICATED_NOC) noc_local_state_init(NOC_INDEX);
  kernel_main();
}}
)";

/// A program of the core prints nothing: what it prints is known from the host.
std::string_view prints(Target target) {
  return target == Target::Core ? std::string_view() : kPrints;
}

std::string thread_text(Arch arch, Target target) {
  return assembly::config_macros(arch) +
         include_either("internal/firmware_common.h", "firmware_common.h") +
         include_either("internal/circular_buffer_interface.h", "circular_buffer.h") +
         std::string(prints(target)) +
         "#include \"chlkc_list.h\"\n#include \"tools/profiler/kernel_profiler.hpp\"\n" +
         std::string(kCommonStart) + std::string(kPointers) +
         fmt::format(kThreadStart, sfpi::kEntryName);
}

std::string mover_text(Target target) {
  std::string text;
  for (const std::string_view header :
       {"risc_common.h", "tensix.h", "tensix_types.h", "noc.h", "noc_overlay_parameters.h",
        "ckernel_structs.h", "stream_io_map.h", "c_tensix_core.h", "noc_nonblocking_api.h"})
    text += fmt::format("#include \"{}\"\n", header);
  text += include_either("internal/firmware_common.h", "firmware_common.h");
  text += include_either("api/dataflow/dataflow_api.h", "dataflow_api.h");
  text += prints(target);
  text += "#include \"tools/profiler/kernel_profiler.hpp\"\n#include <kernel_includes.hpp>\n";
  return text + std::string(kCommonStart) + std::string(kPointers) +
         fmt::format(kMoverStart, sfpi::kEntryName);
}

} // namespace

std::string_view core_name(unsigned core) {
  constexpr std::array<std::string_view, kCores> kNames{"unpack", "math", "pack", "brisc",
                                                        "ncrisc"};
  return kNames[core];
}

Processor processor_of(unsigned core) {
  if (core < kThreads) return Processor::Compute;
  return core == tile::kBrisc ? Processor::Riscv0 : Processor::Riscv1;
}

std::string first_lines(bool tells_accesses, Target target) {
  std::string text = fmt::format("#line 1 \"{}\"\n", sfpi::kGeneratedFile);
  if (target == Target::Core) return text + "#include \"lanewise_core.h\"\n";
  text += "#include \"lanewise_section.h\"\n#include \"lanewise_calls.h\"\n";
  if (tells_accesses) text += "#include \"lanewise_accesses.h\"\n";
  return text;
}

std::string last_lines(Target target) {
  if (target == Target::Host) return {};
  return sfpi::core_start_text(sfpi::DataOfCore::AreThere) +
         std::string(sfpi::kCoreMemoryFunctions);
}

std::string start_text(Arch arch, unsigned core, bool tells_accesses, Target target) {
  return first_lines(tells_accesses, target) +
         (core < kThreads ? thread_text(arch, target) : mover_text(target)) + last_lines(target);
}

} // namespace lanewise::programs
