#include "source/programs/compile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

#include "base/in_quotes.h"
#include "base/text_file.h"
#include "chip/isa/noc_record.h"
#include "chip/tile/tile.h"
#include "source/programs/generated.h"
#include "source/programs/own_headers.h"
#include "source/programs/replacements.h"
#include "source/sfpi/core_code.h"
#include "source/sfpi/core_toolchain.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/host_compiler.h"

namespace lanewise::programs {

namespace {

namespace fs = std::filesystem;

/// Of programs of the cores: code from here on, so far apart; and what they are started with.
constexpr std::uint32_t kCode = 0x0200'0000, kCodeBytes = 0x10'0000;
constexpr std::uint32_t kShared = 0x4000, kSharedBytes = 0x800;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

const Kernel* kernel_of_core(const Program& program, unsigned core) {
  return find_kernel(program, processor_of(core));
}

/// Compiles one program.
class ProgramBuild {
 public:
  /// `toolchain`: of programs of the cores; nullptr: objects of the host are made.
  ProgramBuild(const Program& program, const Layout& layout, const CompileSettings& settings,
               const sfpi::CoreToolchain* toolchain = nullptr)
      : program_(program),
        layout_(layout),
        settings_(settings),
        toolchain_(toolchain),
        noc_(*noc_record(program.arch)),
        root_(settings.checkout ? settings.checkout->folder() : fs::path()) {}

  Expected<ProgramObjects> run() {
    ProgramObjects objects;
    objects.epoch = epoch();
    objects.tells_accesses = tells_accesses();
    sfpi::FileStates states;
    std::array<std::future<Expected<fs::path>>, kCores> compilations;
    std::array<std::optional<sfpi::ObjectRequest>, kCores> requests;
    for (unsigned core = 0; core < kCores; ++core) {
      const Kernel* const kernel = kernel_of_core(program_, core);
      if (kernel == nullptr) continue;
      auto request = request_for(*kernel, core);
      if (!request) return Unexpected(of_core(request.error(), *kernel, core));
      objects.source[core] = request->name;
      requests[core] = std::move(*request);
    }
    for (unsigned core = 0; core < kCores; ++core) {
      if (!requests[core]) continue;
      compilations[core] = std::async(std::launch::async, [&requests, &states, core] {
        return sfpi::compile_object(*requests[core], states);
      });
    }
    // All have ended before the first error is told: the program's process is forked next.
    std::optional<Fault> first;
    for (unsigned core = 0; core < kCores; ++core) {
      if (!compilations[core].valid()) continue;
      auto object = compilations[core].get();
      if (object) objects.object[core] = std::move(*object);
      if (!object && !first) {
        Fault fault = settings_.checkout ? object.error() : with_own_headers(object.error());
        first = of_core(std::move(fault), *kernel_of_core(program_, core), core);
      }
    }
    if (first) return Unexpected(std::move(*first));
    return objects;
  }

 private:
  static Fault of_core(Fault fault, const Kernel& kernel, unsigned core) {
    fault.message = fmt::format("{}{}for {}: {}", kernel.origin, kernel.origin.empty() ? "" : ": ",
                                core_name(core), fault.message);
    return fault;
  }

  /// The file as it is, or below the checkout's root.
  Expected<Kernel> found(const Kernel& kernel) const {
    Kernel result = kernel;
    if (kernel.file.empty()) return result;
    if (kernel.file.find_first_of("\"\n") != std::string::npos)
      return bad_input(
          fmt::format("g++ cannot include a file of the name {}", in_quotes(kernel.file)),
          "rename it");
    std::error_code ignored;
    for (const fs::path& path : {fs::path(kernel.file), root_ / kernel.file}) {
      if (!is_file(path)) continue;
      result.file = fs::absolute(path, ignored).lexically_normal().string();
      return result;
    }
    return bad_input(fmt::format("there is no kernel {}", in_quotes(kernel.file)),
                     "check the path; it counts from here or from the checkout");
  }

  /// What the start of a thread calls.
  EntryPoint wanted_entry() const {
    if (!settings_.checkout) return EntryPoint::KernelMain;
    const auto list =
        read_text_file((root_ / "tt_metal/hw/ckernels" /
                        arch_params(program_.arch).names.metal_folder / "metal/common/chlkc_list.h")
                           .string());
    return list && list->find("unpack_main") != std::string::npos ? EntryPoint::Main
                                                                  : EntryPoint::KernelMain;
  }

  Expected<sfpi::ObjectRequest> request_for(const Kernel& given, unsigned core) {
    auto kernel = found(given);
    if (!kernel) return Unexpected(kernel.error());
    EntryPoint has = EntryPoint::KernelMain;
    if (core < kThreads) {
      auto text =
          kernel->file.empty() ? Expected<std::string>(kernel->text) : read_text_file(kernel->file);
      if (!text) return Unexpected(text.error());
      const auto entry = entry_point(*text);
      if (!entry) return Unexpected(entry.error());
      has = *entry;
    }
    // A text that no file has gets one, so that its lines have a name.
    if (kernel->file.empty()) {
      const auto folder = file_in_cache("programs", "kernel.cpp", kernel->text);
      if (!folder) return Unexpected(folder.error());
      kernel->file = (*folder / "kernel.cpp").string();
    }
    auto files = generated_files(program_, *kernel, has, wanted_entry());
    if (!files) return Unexpected(files.error());
    if (!settings_.checkout) {
      const auto headers = sfpi::sfpi_include_folder();
      if (!headers) return Unexpected(headers.error());
      for (GeneratedFile& file : own_header_files(program_.arch, *headers))
        files->push_back(std::move(file));
    }
    const auto folder = files_in_cache("programs", *files);
    if (!folder) return Unexpected(folder.error());
    auto flags = flags_for(*kernel, core, *folder);
    if (!flags) return Unexpected(flags.error());
    if (toolchain_ != nullptr) return core_request(*kernel, core, std::move(*flags), *folder);
    auto replacements = sfpi::core_code_replacements();
    const bool tells = tells_accesses() && core >= kThreads;
    if (settings_.checkout)
      std::ranges::copy(core < kThreads ? thread_replacements() : mover_replacements(),
                        std::back_inserter(replacements));
    sfpi::ObjectRequest request{.name = kernel->file,
                                .arch = program_.arch,
                                .text = unit_text(core, tells, Target::Host),
                                .flags = std::move(*flags),
                                .link_flags = sfpi::core_code_link_flags(),
                                .replacements = std::move(replacements),
                                .version = {},
                                .limits = settings_.limits,
                                .settled = folder->parent_path()};
    if (tells) sfpi::tell_accesses(request);
    return request;
  }

  /// Programs of the cores do not: what they do, the run on the host tells.
  bool tells_accesses() const { return settings_.tells_accesses && toolchain_ == nullptr; }

  std::string unit_text(unsigned core, bool tells, Target target) const {
    return settings_.checkout ? start_text(program_.arch, core, tells, target)
                              : own_start_text(program_.arch, core, tells, target);
  }

  Expected<sfpi::ObjectRequest> core_request(const Kernel& kernel, unsigned core,
                                             std::vector<std::string> flags,
                                             const fs::path& folder) const {
    constexpr std::string_view kScript = "core.ld";
    const sfpi::CoreMemory memory{.code = kCode + core * kCodeBytes,
                                  .code_bytes = kCodeBytes,
                                  .shared = kShared + core * kSharedBytes};
    const auto script =
        file_in_cache("link", kScript, sfpi::core_linker_script(program_.arch, memory));
    if (!script) return Unexpected(script.error());
    return sfpi::ObjectRequest{.name = kernel.file,
                               .arch = program_.arch,
                               .text = unit_text(core, false, Target::Core),
                               .flags = std::move(flags),
                               .link_flags = toolchain_->link_flags(*script / kScript),
                               .version = {},
                               .limits = settings_.limits,
                               .settled = folder.parent_path(),
                               .for_core = true};
  }

  /// As tt-metal's build optimises: compute kernels more than others.
  std::vector<std::string> target_flags(unsigned core) const {
    if (toolchain_ == nullptr) return sfpi::core_code_flags();
    std::vector<std::string> flags = sfpi::core_compile_flags(program_.arch);
    flags.emplace_back(core < kThreads ? "-O3" : "-O2");
    flags.emplace_back("-DLANEWISE_MARKS");
    return flags;
  }

  int epoch() const {
    if (!settings_.checkout) return sfpi::kDefaultEpoch;
    return settings_.checkout->sfpi_release().value_or(sfpi::kDefaultEpoch);
  }

  std::vector<std::string> macros(const Kernel& kernel, unsigned core) const {
    const auto banks = static_cast<unsigned>(noc_.banks.size());
    const auto l1_banks = static_cast<unsigned>(layout_.l1_banks.size());
    std::vector<std::string> defines{
        std::string(arch_params(program_.arch).names.kernel_define),
        "TENSIX_FIRMWARE",
        "KERNEL_BUILD",
        "LOCAL_MEM_EN=0",
        fmt::format("DISPATCH_MESSAGE_ADDR=0x{:x}", 0xFFB70438U),
        fmt::format("NUM_DRAM_BANKS={}", banks),
        std::has_single_bit(banks)
            ? fmt::format("LOG_BASE_2_OF_NUM_DRAM_BANKS={}", std::countr_zero(banks))
            : "IS_NOT_POW2_NUM_DRAM_BANKS=1",
        fmt::format("NUM_L1_BANKS={}", l1_banks),
        std::has_single_bit(l1_banks)
            ? fmt::format("LOG_BASE_2_OF_NUM_L1_BANKS={}", std::countr_zero(l1_banks))
            : "IS_NOT_POW2_NUM_L1_BANKS=1",
        fmt::format("PCIE_NOC_X={}", noc_.pcie.x),
        fmt::format("PCIE_NOC_Y={}", noc_.pcie.y),
        fmt::format("LANEWISE_SFPI_EPOCH={}", epoch())};
    // The vendor's build has them off; what they find, the run on the host tells.
    if (toolchain_ == nullptr) defines.emplace_back("ENABLE_LLK_ASSERT");
    constexpr std::array<std::string_view, kThreads> kThreadMacros{"UNPACK", "MATH", "PACK"};
    if (core < kThreads) {
      defines.push_back(fmt::format("COMPILE_FOR_TRISC={}", core));
      defines.push_back(fmt::format("UCK_CHLKC_{}", kThreadMacros[core]));
      defines.push_back(fmt::format("NAMESPACE=chlkc_{}", core_name(core)));
      defines.push_back(fmt::format("PROCESSOR_INDEX={}", core + 2));
      defines.emplace_back("NOC_MODE=0");
    } else {
      const bool is_brisc = core == tile::kBrisc;
      defines.emplace_back(is_brisc ? "COMPILE_FOR_BRISC" : "COMPILE_FOR_NCRISC");
      defines.push_back(fmt::format("PROCESSOR_INDEX={}", is_brisc ? 0 : 1));
      defines.push_back(fmt::format("NOC_INDEX={}", kernel.noc));
      defines.push_back(fmt::format("NOC_MODE={}", kernel.is_dynamic ? 1 : 0));
      for (const auto& [name, value] : kernel.defines)
        defines.push_back(fmt::format("{}={}", name, value));
    }
    const auto args = resolve_compile_args(program_, layout_, kernel.compile_args);
    if (!args.empty())
      defines.push_back(fmt::format("KERNEL_COMPILE_TIME_ARGS={}", fmt::join(args, ",")));
    std::string named;
    for (const auto& [name, value] : kernel.named_args) {
      const auto words = resolve_compile_args(program_, layout_, std::array{value});
      named += fmt::format("{}{{\"{}\",{}}}", named.empty() ? "" : ",", name,
                           words.empty() ? 0 : words.front());
    }
    if (!named.empty()) defines.push_back("KERNEL_COMPILE_TIME_ARG_MAP=" + named);
    defines.push_back("FULL_KERNEL_NAME=\"" + fs::path(kernel.file).stem().string() + "\"");
    return defines;
  }

  Expected<std::vector<std::string>> flags_for(const Kernel& kernel, unsigned core,
                                               const fs::path& generated) const {
    const auto headers = sfpi::sfpi_include_folder();
    if (!headers) return Unexpected(headers.error());
    std::vector<std::string> flags = target_flags(core);
    for (const char* flag : {"-std=c++17", "-w", "-fpermissive"}) flags.emplace_back(flag);
    for (const std::string& define : macros(kernel, core)) flags.push_back("-D" + define);
    std::vector<fs::path> folders{generated, fs::path(kernel.file).parent_path()};
    for (const std::string& folder : kernel.includes) folders.emplace_back(folder);
    if (settings_.checkout) {
      for (fs::path& folder :
           settings_.checkout->program_include_folders(program_.arch, core < kThreads))
        folders.push_back(std::move(folder));
      folders.push_back(*headers / "section");
      folders.push_back(*headers);
    } else {
      for (fs::path& folder : own_include_folders(*headers)) folders.push_back(std::move(folder));
    }
    for (const fs::path& folder : folders) flags.push_back("-I" + folder.string());
    if (toolchain_ != nullptr)
      for (std::string& flag : toolchain_->folder_flags()) flags.push_back(std::move(flag));
    return flags;
  }

  const Program& program_;
  const Layout& layout_;
  const CompileSettings& settings_;
  const sfpi::CoreToolchain* toolchain_;
  const NocRecord& noc_;
  fs::path root_;
};

Expected<void> check_checkout(const CompileSettings& settings) {
  if (!settings.checkout || settings.checkout->is_metal()) return {};
  return bad_input("kernels of programs need a checkout of tt-metal, and this is one of tt-llk",
                   "give --metal the root of tt-metal");
}

/// Of the first core of each group. `toolchain`: of the cores; nullptr: for the host.
Expected<std::vector<ProgramObjects>> compile_each_group(const std::vector<CoreProgram>& cores,
                                                         const CompileSettings& settings,
                                                         const sfpi::CoreToolchain* toolchain) {
  if (auto checked = check_checkout(settings); !checked) return Unexpected(checked.error());
  std::vector<ProgramObjects> all;
  for (const CoreProgram& core : cores) {
    if (core.group != all.size()) continue; // not the first of its group
    auto objects = ProgramBuild(core.program, core.layout, settings, toolchain).run();
    if (!objects) return Unexpected(objects.error());
    all.push_back(std::move(*objects));
  }
  return all;
}

} // namespace

Expected<ProgramObjects> compile_program(const Program& program, const Layout& layout,
                                         const CompileSettings& settings) {
  if (auto checked = check_checkout(settings); !checked) return Unexpected(checked.error());
  return ProgramBuild(program, layout, settings).run();
}

Expected<std::vector<ProgramObjects>> compile_groups(const std::vector<CoreProgram>& cores,
                                                     const CompileSettings& settings) {
  return compile_each_group(cores, settings, nullptr);
}

Expected<std::vector<ProgramObjects>> compile_groups_for_cores(
    const std::vector<CoreProgram>& cores, const CompileSettings& settings) {
  const auto toolchain = sfpi::find_core_toolchain();
  if (!toolchain) return Unexpected(toolchain.error());
  return compile_each_group(cores, settings, &*toolchain);
}

} // namespace lanewise::programs
