#include "source/programs/own_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/in_quotes.h"
#include "chip/isa/encoding.h"
#include "chip/isa/noc_record.h"
#include "chip/tile/tile.h"
#include "source/assembly/kernel_macros.h"
#include "source/sfpi/kernel_object.h"

namespace lanewise::programs {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCompute = "api/compute";

/// The chip's record, for the headers.
std::string chip_text(Arch arch) {
  const NocRecord& record = *noc_record(arch);
  std::string text =
      "#pragma once\n#include <cstdint>\nnamespace lanewise_metal {\ninline constexpr "
      "std::uint32_t\n";
  const auto add = [&](std::string_view name, std::uint32_t value) {
    text += fmt::format("    {} = {},\n", name, value);
  };
  add("kBufferBits", record.buffer_bits);
  add("kData", record.data);
  add("kSend", record.send);
  add("kClearCounts", record.clear_counts);
  add("kTargetPlace", record.target_place);
  add("kReturnPlace", record.return_place);
  add("kPlaceShift", record.place_bit);
  add("kExcluded", record.excluded);
  add("kTakesPostedAtomics", record.takes_posted_atomics ? 1 : 0);
  add("kPacketBytes", record.packet_bytes);
  add("kDramBanks", static_cast<std::uint32_t>(record.banks.size()));
  add("kDramAlignment", record.dram_alignment);
  add("kReceived", record.received);
  add("kAcked", record.acked);
  text += fmt::format("    kCircularBuffers = {};\n}}\n", record.circular_buffers);
  return text;
}

GeneratedFile forwarding(std::string name, std::string_view to) {
  return {.name = std::move(name), .text = fmt::format("#pragma once\n#include \"{}\"\n", to)};
}

/// Headers of the compute API, relative to its folder, in order.
std::vector<std::string> compute_headers(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".h")
      names.push_back(entry->path().lexically_relative(folder).string());
  }
  std::ranges::sort(names);
  return names;
}

/// The instruction that clears all of Dst.
std::uint32_t clear_dst(Arch arch) {
  constexpr std::uint32_t kAll = 3;
  return isa::encode(arch, isa::Op::ZEROACC, {{"Mode", kAll}}).value();
}

/// Before a kernel a core has its circular buffers, behind it a thread has done all that it was
/// given; Dst and the sources are zero.
constexpr std::string_view kOwnThreadStart = R"(
#include "lanewise_launch_data.h"
extern "C" void {0}() {{
#if !defined(LANEWISE_MARKS)
  for (std::uint32_t gpr = 0; gpr < 64; ++gpr) *lanewise_register(REGFILE_BASE + 4 * gpr) = 0;
#endif
  lanewise_metal::set_up_rings();
#if defined(UCK_CHLKC_UNPACK)
  lanewise_metal::push(TT_OP_ZEROSRC(0, 0, 1, 3));
#elif defined(UCK_CHLKC_MATH)
  lanewise_metal::push({1:#x}); // ZEROACC
#endif
  kernel_main();
  *lanewise_register(PC_BUF_BASE + 4) = 0;
  (void)static_cast<std::uint32_t>(*lanewise_register(PC_BUF_BASE + 4));
}}
)";

constexpr std::string_view kOwnMoverStart = R"(
#include "lanewise_launch_data.h"
extern "C" void {0}() {{
  lanewise_metal::set_up_rings();
  for (unsigned noc = 0; noc < 2; ++noc) {{
    my_x[noc] = lanewise_launch_data.x;
    my_y[noc] = lanewise_launch_data.y;
  }}
  lanewise_metal::count_from_here();
  kernel_main();
}}
)";

} // namespace

std::vector<GeneratedFile> own_header_files(Arch arch, const fs::path& headers) {
  std::vector<GeneratedFile> files{
      {.name = "lanewise_chip.h", .text = chip_text(arch)},
      {.name = "ckernel_ops.h", .text = assembly::kernel_macros(arch)},
      forwarding("dataflow_api.h", "api/dataflow/dataflow_api.h"),
      forwarding("debug/dprint.h", "api/debug/dprint.h"),
      forwarding("compute_kernel_api.h", "api/compute/compute_kernel_api.h")};
  for (const std::string& name : compute_headers(headers / "metal" / kCompute))
    files.push_back(forwarding("compute_kernel_api/" + name, fmt::format("{}/{}", kCompute, name)));
  return files;
}

std::vector<fs::path> own_include_folders(const fs::path& headers) {
  return {headers / "metal", headers / "section", headers};
}

std::string own_start_text(Arch arch, unsigned core, bool tells_accesses, Target target) {
  std::string text = first_lines(tells_accesses, target);
  if (core < kThreads) {
    text += fmt::format("#include \"api/compute/common.h\"\n#include \"chlkc_{}.cpp\"\n",
                        core_name(core));
    text += fmt::format(kOwnThreadStart, sfpi::kEntryName, clear_dst(arch));
  } else {
    text += "#include \"api/dataflow/dataflow_api.h\"\n#include <kernel_includes.hpp>\n";
    text += fmt::format(kOwnMoverStart, sfpi::kEntryName);
  }
  return text + last_lines(target);
}

Fault with_own_headers(Fault fault) {
  fault.remedy += fmt::format(
      "{}of what tt-metal's headers have, Lanewise's own have the part that docs/programs.md "
      "lists; give --metal DIR, a checkout, for the rest",
      fault.remedy.empty() ? "" : "; ");
  return fault;
}

} // namespace lanewise::programs
