#include "run/section/test_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>
#include <thread>
#include <utility>

#include "base/cache.h"
#include "base/in_quotes.h"
#include "base/text_file.h"
#include "base/workers.h"
#include "run/section/build_header.h"
#include "run/section/section_plan.h"
#include "run/section/zones.h"
#include "source/assembly/kernel_macros.h"
#include "source/sfpi/core_code.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/host_compiler.h"
#include "source/sfpi/kernel.h"
#include "source/sfpi/kernel_object.h"
#include "source/sfpi/locations.h"

namespace lanewise::section {
namespace {

namespace fs = std::filesystem;

/// Macros by which LLK's headers choose a section, by thread.
constexpr std::array<std::string_view, kThreads> kSectionMacros{"LLK_TRISC_UNPACK",
                                                                "LLK_TRISC_MATH", "LLK_TRISC_PACK"};

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::string include_flag(const fs::path& folder) {
  return "-I" + (folder.empty() ? "." : folder.string());
}

/// Where a section's headers are looked for, in this order: those of the test, of LLK, and for what
/// LLK takes from elsewhere, ours. Some of LLK's helpers have names of the C library's headers,
/// which are a host's own: they are what a name in quotes means only.
Expected<std::vector<std::string>> include_flags(const TestSource& source, const fs::path& build) {
  const auto headers = sfpi::sfpi_include_folder();
  if (!headers) return Unexpected(headers.error());
  std::vector<std::string> flags{include_flag(build),
                                 include_flag(fs::path(source.file).parent_path())};
  for (const std::string& folder : source.includes) flags.push_back(include_flag(folder));
  if (source.checkout) {
    const fs::path helpers = source.checkout->llk() / "tests" / "helpers" / "include";
    for (const fs::path& folder : source.checkout->test_include_folders(source.arch))
      flags.push_back(folder == helpers ? "-iquote" + folder.string() : include_flag(folder));
  }
  flags.push_back(include_flag(*headers / "section"));
  flags.push_back(include_flag(*headers));
  return flags;
}

std::vector<std::string> section_flags(const TestSource& source, unsigned thread,
                                       const SectionPlan& plan) {
  std::vector<std::string> flags = sfpi::core_code_flags();
  for (std::string& flag : shared_flags(source, thread, plan)) flags.push_back(std::move(flag));
  return flags;
}

/// What a core does around the section: parameters and empty GPRs before it; after it, the wait for
/// its thread, and the word by which others know that it has ended (core.md 4). The parameters of
/// run_kernel() are a copy of those in L1; until early 2026 their address; in 2025 there were none;
/// in fused tests they are those in L1, which are none.
/// The variables of LLK's profiler, and the zone around all, are those of the file that this text
/// stands for. Its barrier is not needed on the host, where all sections start at once; that the
/// section has come there is stored all the same.
std::string section_main(unsigned thread) {
  return fmt::format(R"(
#if __has_include("ckernel_helper.h")
#include "ckernel_helper.h"
#endif
#if defined(LLK_PROFILER) && __has_include("profiler.h")
#include "profiler.h"
decltype(llk_profiler::barrier_ptr) llk_profiler::barrier_ptr;
decltype(llk_profiler::buffer) llk_profiler::buffer;
decltype(llk_profiler::write_idx) llk_profiler::write_idx;
decltype(llk_profiler::open_zone_cnt) llk_profiler::open_zone_cnt;
extern "C" const std::uint32_t {5}[2] = {{
    llk_profiler::BUFFERS_START + 4 * llk_profiler::BUFFER_LENGTH * {4}, llk_profiler::BUFFER_LENGTH}};
#if defined(LANEWISE_MARKS)
#define LANEWISE_START_ZONES llk_profiler::reset(), llk_profiler::sync_threads()
#else
#define LANEWISE_START_ZONES \
  llk_profiler::reset(), (*llk_profiler::barrier_ptr)[llk_profiler::TRISC_ID] = 1
#endif
#else
#define LANEWISE_START_ZONES static_cast<void>(0)
#undef ZONE_SCOPED
#define ZONE_SCOPED(name)
#endif
#ifndef LANEWISE_PARAMETERS
#define LANEWISE_PARAMETERS {1}
#endif
#ifndef LANEWISE_END_WORDS
#define LANEWISE_END_WORDS {2}
#endif
inline void lanewise_call(void (*section)()) {{ section(); }}
template <typename Params>
void lanewise_call(void (*section)(const volatile Params*)) {{
  section(reinterpret_cast<const volatile Params*>(std::uintptr_t{{LANEWISE_PARAMETERS}}));
}}
template <typename Params>
void lanewise_call(void (*section)(const volatile Params&)) {{
  section(*reinterpret_cast<const volatile Params*>(std::uintptr_t{{LANEWISE_PARAMETERS}}));
}}
template <typename Params>
void lanewise_call(void (*section)(const Params&)) {{
  Params params;
  __builtin_memcpy(&params, reinterpret_cast<const void*>(std::uintptr_t{{LANEWISE_PARAMETERS}}), sizeof params);
  section(params);
}}
#if defined(LANEWISE_MARKS)
#define LANEWISE_REGISTER(address) (*reinterpret_cast<volatile std::uint32_t*>(address))
#else
#define LANEWISE_REGISTER(address) (*lanewise_register(address))
#endif
extern "C" void {0}() {{
  for (std::uint32_t gpr = 0; gpr < 64; ++gpr) LANEWISE_REGISTER(REGFILE_BASE + 4 * gpr) = 0;
  LANEWISE_START_ZONES;
  {{
    ZONE_SCOPED("KERNEL")
    lanewise_call(run_kernel);
    LANEWISE_REGISTER(PC_BUF_BASE + 4) = 0;
    (void)static_cast<std::uint32_t>(LANEWISE_REGISTER(PC_BUF_BASE + 4));
  }}
  *reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{{LANEWISE_END_WORDS}} + 4 * {4}) = {3};
}}
)",
                     sfpi::kEntryName, kParametersAddress, kEndWords, kEndValue, thread,
                     kZoneBufferName);
}

/// Whether the checkout has the words of instructions as macros; else they are ours.
bool has_words(const TestSource& source) {
  return source.checkout &&
         is_file(source.checkout->llk() / arch_params(source.arch).names.llk_folder / "common" /
                 "inc" / "ckernel_ops.h");
}

/// A file in the cache, not a part of each section's text: it is large.
Expected<fs::path> macros_header(const TestSource& source) {
  constexpr std::string_view kName = "lanewise_macros.h";
  const auto folder = file_in_cache("build", kName,
                                    has_words(source) ? assembly::config_macros(source.arch)
                                                      : assembly::kernel_macros(source.arch));
  if (!folder) return Unexpected(folder.error());
  return *folder / kName;
}

Expected<fs::path> build_folder(const TestSource& source, unsigned thread) {
  const std::string& own = source.section_headers[thread];
  const std::string& header = own.empty() ? source.build_header : own;
  if (header.empty())
    return build_header_folder(build_header_text(source.parameters, source.checkout.has_value()));
  const auto text = read_text_file(header);
  if (!text) return Unexpected(text.error());
  return build_header_folder(*text);
}

std::vector<std::pair<std::string, std::string>> section_replacements() {
  auto all = sfpi::core_code_replacements();
  std::ranges::copy(sfpi::register_replacements(), std::back_inserter(all));
  return all;
}

sfpi::ObjectRequest section_request(const TestSource& source, unsigned thread,
                                    const SectionPlan& plan) {
  return {.name = source.file,
          .arch = source.arch,
          .text = section_text(source, thread, plan, {"lanewise_section.h", "lanewise_calls.h"}),
          .flags = section_flags(source, thread, plan),
          .link_flags = sfpi::core_code_link_flags(),
          .replacements = section_replacements(),
          .version = {},
          .limits = source.limits,
          .settled = plan.build.parent_path()};
}

/// Whether g++ says that the text around a test, which calls run_kernel(), found none.
bool lacks_run_kernel(const std::string& message) {
  const auto says = [&](std::string_view text) { return message.find(text) != message.npos; };
  return says(sfpi::kGeneratedFile) && says("run_kernel") && says("was not declared in this scope");
}

/// Says which section an error is about.
template <class T>
Expected<T> of_section(Expected<T> result, const std::string& file, unsigned thread) {
  if (result) return result;
  const std::string section = fmt::format("section {}: ", kSectionNames[thread]);
  if (lacks_run_kernel(result.error().message)) {
    Unexpected fault = bad_input(
        section + "there is no function run_kernel(), which a test of LLK has for each thread",
        "write 'void run_kernel(RUNTIME_PARAMETERS params)' under #ifdef LLK_TRISC_UNPACK, "
        "LLK_TRISC_MATH and LLK_TRISC_PACK");
    fault.value().file = file;
    return fault;
  }
  result.error().message = section + result.error().message;
  return result;
}

/// The folder of LLK's tests for a chip that is not here.
constexpr std::string_view kQuasarTests = "quasar";

Unexpected unusable(const TestSource& source, std::string message, std::string remedy) {
  Unexpected fault = bad_input(std::move(message), std::move(remedy));
  fault.value().file = source.file;
  return fault;
}

Expected<void> check_test(const TestSource& source) {
  const fs::path file = source.file;
  std::error_code ignored;
  if (fs::is_directory(file, ignored))
    return unusable(source, "this is a folder", "give the path of a test");
  if (!is_file(file)) return unusable(source, "there is no such test", "check the path");
  if (source.file.find_first_of("\"\n") != std::string::npos)
    return unusable(source, "g++ cannot include a file of this name", "rename it");
  if (source.checkout && fs::absolute(file).parent_path().filename() == kQuasarTests)
    return unusable(source, "this is a test for Quasar, which is not there",
                    "choose a test for Blackhole and Wormhole, from the folder above");
  return {};
}

} // namespace

int sfpi_release(const TestSource& source) {
  if (!source.checkout) return sfpi::kDefaultEpoch;
  return source.checkout->sfpi_release().value_or(sfpi::kDefaultEpoch);
}

Expected<std::optional<checkouts::Checkout>> test_checkout(const std::string& folder,
                                                           const std::string& file, Arch arch) {
  const fs::path place = folder.empty() ? checkouts::Checkout::llk_around(file) : fs::path(folder);
  if (place.empty()) return std::nullopt;
  auto checkout = checkouts::Checkout::open(place, std::array{arch});
  if (!checkout) return Unexpected(checkout.error());
  return std::move(*checkout);
}

Expected<TestParameter> parse_test_parameter(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  bool is_name = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
  for (const char each : name)
    is_name = is_name && (std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_');
  if (!is_name || equals == std::string_view::npos || equals + 1 == text.size() ||
      text.find('\n') != std::string_view::npos) {
    return bad_input(fmt::format("{} is no parameter", in_quotes(text)),
                     "write NAME=VALUE, such as NUM_BLOCKS=2 or tilize_en=true");
  }
  return TestParameter{std::string(name), std::string(text.substr(equals + 1))};
}

Expected<SectionPlans> plan_sections(const TestSource& source) {
  if (auto checked = check_test(source); !checked) return Unexpected(checked.error());
  const auto macros = macros_header(source);
  if (!macros) return Unexpected(macros.error());
  SectionPlans plans;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    auto build = build_folder(source, thread);
    if (!build) return Unexpected(build.error());
    auto includes = include_flags(source, *build);
    if (!includes) return Unexpected(includes.error());
    plans[thread] = {
        .build = std::move(*build), .macros = *macros, .includes = std::move(*includes)};
  }
  return plans;
}

std::vector<std::string> shared_flags(const TestSource& source, unsigned thread,
                                      const SectionPlan& plan) {
  std::vector<std::string> flags{
      "-std=c++17",
      "-w",           // LLK's code is not ours to mend
      "-fpermissive", // on the host, a core's pointers have 32 bits of 64
      fmt::format("-D{}", arch_params(source.arch).names.kernel_define),
      fmt::format("-D{}", kSectionMacros[thread]),
      fmt::format("-DCOMPILE_FOR_TRISC={}", thread),
      "-DTENSIX_FIRMWARE",
      "-DENV_LLK_INFRA",
      "-DENABLE_LLK_ASSERT",
      "-DLLK_BOOT_MODE_BRISC",
      fmt::format("-DLANEWISE_SFPI_EPOCH={}", sfpi_release(source))};
  if (source.checkout) {
    for (const std::string& define : source.checkout->test_defines(thread))
      flags.push_back("-D" + define);
  }
  for (const std::string& define : source.defines) flags.push_back("-D" + define);
  flags.insert(flags.end(), plan.includes.begin(), plan.includes.end());
  return flags;
}

std::string section_text(const TestSource& source, unsigned thread, const SectionPlan& plan,
                         std::initializer_list<std::string_view> first) {
  const std::string generated = fmt::format("#line 1 \"{}\"\n", sfpi::kGeneratedFile);
  std::string text = generated;
  for (const std::string_view header : first) text += fmt::format("#include \"{}\"\n", header);
  text += fmt::format("#include \"{}\"\n", plan.macros.string());
  // Behind this line g++ does not say of the user's file from where it was included.
  text += generated + fmt::format("#include \"{}\"\n#include \"tensix.h\"\n", source.file);
  return text + generated + section_main(thread);
}

SectionRequests section_requests(const TestSource& source, const SectionPlans& plans) {
  SectionRequests requests;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    requests.push_back(section_request(source, thread, plans[thread]));
  return requests;
}

Expected<std::vector<fs::path>> compile_requests(const SectionRequests& requests) {
  sfpi::FileStates states;
  std::vector<Expected<fs::path>> found(requests.size());
  // All threads have ended before the first error is told: the sections' process is forked next.
  const auto threads = std::min<std::size_t>(requests.size(), std::thread::hardware_concurrency());
  Workers(static_cast<unsigned>(threads)).run(requests.size(), [&](std::size_t i) {
    found[i] = of_section(sfpi::compile_object(requests[i], states), requests[i].name,
                          static_cast<unsigned>(i % kThreads));
  });
  std::vector<fs::path> objects;
  for (Expected<fs::path>& each : found) {
    if (!each) return Unexpected(each.error());
    objects.push_back(std::move(*each));
  }
  return objects;
}

SectionObjects objects_of(const std::vector<fs::path>& compiled, std::size_t first) {
  SectionObjects objects;
  std::copy_n(compiled.begin() + static_cast<std::ptrdiff_t>(first), kThreads, objects.begin());
  return objects;
}

Expected<SectionObjects> compile_sections(const TestSource& source) {
  const auto plans = plan_sections(source);
  if (!plans) return Unexpected(plans.error());
  const auto compiled = compile_requests(section_requests(source, *plans));
  if (!compiled) return Unexpected(compiled.error());
  return objects_of(*compiled);
}

Expected<PreparedSections> prepare_sections(const TestSource& source,
                                            const sfpi::LookAtText& look) {
  const auto plans = plan_sections(source);
  if (!plans) return Unexpected(plans.error());
  PreparedSections sections;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    sections[thread].request = section_request(source, thread, (*plans)[thread]);
    auto text =
        of_section(sfpi::preprocess_object(sections[thread].request, look), source.file, thread);
    if (!text) return Unexpected(text.error());
    sections[thread].source = std::move(*text);
  }
  return sections;
}

Expected<fs::path> compile_prepared(const PreparedSection& section, unsigned thread) {
  return of_section(sfpi::compile_preprocessed(section.request, section.source),
                    section.request.name, thread);
}

} // namespace lanewise::section
