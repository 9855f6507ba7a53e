#include "run/section/core_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/cache.h"
#include "base/text_file.h"
#include "chip/riscv/address_map.h"
#include "run/section/section_plan.h"
#include "source/sfpi/core_toolchain.h"
#include "source/sfpi/host_compiler.h"

namespace lanewise::section {
namespace {

using Words = std::vector<std::string>;

/// Bytes of L1 for a core's code (memory.<chip>.ld of LLK).
constexpr std::uint32_t kCodeBytes = 0x4000;

/// Where LLK's linker scripts put a core's program: code in L1, and behind it what is copied into
/// the core's own RAM.
std::string linker_script(Arch arch, unsigned thread) {
  const auto ram = riscv::range_of(arch, riscv::Region::LocalRam);
  const std::uint32_t code = kCoreCode + thread * (kCodeBytes + ram.last - ram.first + 1);
  return sfpi::core_linker_script(
      arch, {.code = code, .code_bytes = kCodeBytes, .loader_init = code + kCodeBytes});
}

/// As LLK's build has them (test_config.py), but for what Debian's compiler does not know.
Words core_flags(const TestSource& source, unsigned thread, const SectionPlan& plan,
                 const sfpi::CoreToolchain& toolchain) {
  Words flags = sfpi::core_compile_flags(source.arch);
  flags.insert(flags.end(), {"-O3", "-DLANEWISE_MARKS"});
  for (std::string& flag : shared_flags(source, thread, plan)) flags.push_back(std::move(flag));
  for (std::string& flag : toolchain.folder_flags()) flags.push_back(std::move(flag));
  return flags;
}

Expected<sfpi::ObjectRequest> core_request(const TestSource& source, unsigned thread,
                                           const SectionPlan& plan,
                                           const sfpi::CoreToolchain& toolchain) {
  constexpr std::string_view kScript = "core.ld";
  const auto script = file_in_cache("link", kScript, linker_script(source.arch, thread));
  if (!script) return Unexpected(script.error());
  return sfpi::ObjectRequest{.name = source.file,
                             .arch = source.arch,
                             .text = section_text(source, thread, plan, {"lanewise_core.h"}) +
                                     sfpi::core_start_text(sfpi::DataOfCore::AreLoaded) +
                                     std::string(sfpi::kCoreMemoryFunctions),
                             .flags = core_flags(source, thread, plan, toolchain),
                             .link_flags = toolchain.link_flags(*script / kScript),
                             .version = {},
                             .limits = source.limits,
                             .settled = plan.build.parent_path(),
                             .for_core = true};
}

/// Error: BadInput; there is no compiler for RV32.
Expected<SectionRequests> core_requests(const TestSource& source, const SectionPlans& plans) {
  const auto toolchain = sfpi::find_core_toolchain();
  if (!toolchain) return Unexpected(toolchain.error());
  SectionRequests requests;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    auto request = core_request(source, thread, plans[thread], *toolchain);
    if (!request) return Unexpected(request.error());
    requests.push_back(std::move(*request));
  }
  return requests;
}

} // namespace

Expected<SectionObjects> compile_for_cores(const TestSource& source) {
  const auto plans = plan_sections(source);
  if (!plans) return Unexpected(plans.error());
  const auto requests = core_requests(source, *plans);
  if (!requests) return Unexpected(requests.error());
  const auto compiled = compile_requests(*requests);
  if (!compiled) return Unexpected(compiled.error());
  return objects_of(*compiled);
}

Expected<HostAndCoreObjects> compile_for_both(const TestSource& source) {
  const auto plans = plan_sections(source);
  if (!plans) return Unexpected(plans.error());
  auto requests = core_requests(source, *plans);
  if (!requests) return Unexpected(requests.error());
  std::ranges::move(section_requests(source, *plans), std::back_inserter(*requests));
  const auto compiled = compile_requests(*requests);
  if (!compiled) return Unexpected(compiled.error());
  return HostAndCoreObjects{.sections = objects_of(*compiled, kThreads),
                            .programs = objects_of(*compiled)};
}

Expected<CoreImages> read_core_images(const SectionObjects& programs) {
  CoreImages images;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const auto bytes = read_text_file(programs[thread].string());
    if (!bytes) return Unexpected(bytes.error());
    auto image = elf::read_image(*bytes, programs[thread].string());
    if (!image) return Unexpected(image.error());
    images[thread] = std::move(*image);
  }
  return images;
}

std::optional<ZoneBuffer> zone_buffer_of(const elf::Image& image) {
  const auto symbol = std::ranges::find(image.objects, kZoneBufferName, &elf::Symbol::name);
  if (symbol == image.objects.end()) return std::nullopt;
  for (const elf::Segment& segment : image.segments) {
    ZoneBuffer buffer;
    const std::uint32_t offset = symbol->address - segment.address;
    if (symbol->address < segment.address || offset > segment.bytes.size() ||
        segment.bytes.size() - offset < sizeof buffer)
      continue;
    std::memcpy(&buffer, segment.bytes.data() + offset, sizeof buffer);
    return buffer;
  }
  return std::nullopt;
}

} // namespace lanewise::section
