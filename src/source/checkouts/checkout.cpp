#include "source/checkouts/checkout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <system_error>

#include "source/compiler/epoch.h"

namespace lanewise::checkouts {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "ckernel_sfpu_", kSuffix = ".h"; ///< of a header

/// Of a checkout of tt-metal, where LLK may lie.
constexpr std::array<std::string_view, 2> kLlkFolders{"tt_metal/tt-llk",
                                                      "tt_metal/third_party/tt_llk"};

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// The whole path, without dots and a slash at the end, so that it has the folders around it.
fs::path whole_path(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

/// The checkout of tt-metal of which the folder is tt_metal, or LLK's; else the folder itself.
fs::path root_of(const fs::path& folder) {
  const fs::path whole = whole_path(folder);
  for (fs::path root = whole.parent_path(); root.has_relative_path(); root = root.parent_path()) {
    if (!is_folder(root / "tt_metal" / "hw")) continue;
    const bool is_part =
        whole == root / "tt_metal" || std::ranges::any_of(kLlkFolders, [&](std::string_view name) {
          return whole == root / name;
        });
    return is_part ? root : folder;
  }
  return folder;
}

/// What a chip's folder is called where there is no stepping in the name: "blackhole".
std::string plain_name(Arch arch) {
  std::string name(arch_params(arch).names.family);
  std::ranges::transform(name, name.begin(), [](unsigned char each) { return std::tolower(each); });
  return name;
}

Unexpected no_checkout(const fs::path& folder, std::string message) {
  Unexpected fault =
      bad_input(std::move(message),
                "name the folder that 'git clone' of github.com/tenstorrent/tt-metal "
                "or github.com/tenstorrent/tt-llk has made");
  fault.value().file = folder.string();
  return fault;
}

/// 738 for "7.38.0".
std::optional<int> release_number(std::string_view text) {
  int major = 0, minor = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, major);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '.') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, minor);
  constexpr int kMinors = 100;
  if (second.ec != std::errc{} || minor >= kMinors) return std::nullopt;
  return major * kMinors + minor;
}

} // namespace

Expected<Checkout> Checkout::open(const fs::path& given, std::span<const Arch> chips) {
  if (!is_folder(given)) return no_checkout(given, "there is no such folder");
  const fs::path folder = root_of(given);
  const bool is_metal = is_folder(folder / "tt_metal");
  fs::path llk = folder;
  if (is_metal) {
    const auto found = std::ranges::find_if(
        kLlkFolders, [&](std::string_view name) { return is_folder(folder / name); });
    if (found == kLlkFolders.end()) {
      return no_checkout(folder, fmt::format("this is no whole checkout of tt-metal: {} is missing",
                                             kLlkFolders.front()));
    }
    llk = folder / *found;
  }
  Checkout checkout(folder, is_metal, std::move(llk));
  for (const Arch arch : chips) {
    for (const fs::path& kernels : checkout.kernel_folders(arch)) {
      if (is_folder(kernels)) continue;
      return no_checkout(folder, fmt::format("this is no{} checkout of {}: {} is missing",
                                             is_metal ? " whole" : "",
                                             is_metal ? "tt-metal" : "tt-metal, nor of tt-llk",
                                             kernels.lexically_relative(folder).string()));
    }
  }
  return checkout;
}

fs::path Checkout::llk_around(const fs::path& file) {
  for (fs::path folder = whole_path(file); folder.has_relative_path();
       folder = folder.parent_path()) {
    const bool is_llk = std::ranges::any_of(kArchs, [&](Arch arch) {
      const std::string_view name = arch_params(arch).names.llk_folder;
      return !name.empty() && is_folder(folder / name / "llk_lib");
    });
    if (is_llk) return folder;
  }
  return {};
}

std::vector<std::string> Checkout::headers(Arch arch) const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::path& folder : kernel_folders(arch)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
      const std::string file = entry.path().filename().string();
      if (!file.starts_with(kPrefix) || !file.ends_with(kSuffix)) continue;
      names.push_back(file.substr(kPrefix.size(), file.size() - kPrefix.size() - kSuffix.size()));
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

fs::path Checkout::header(Arch arch, std::string_view name) const {
  const std::vector<fs::path> folders = kernel_folders(arch);
  const std::string file = fmt::format("{}{}{}", kPrefix, name, kSuffix);
  const auto found =
      std::ranges::find_if(folders, [&](const fs::path& folder) { return is_file(folder / file); });
  return (found == folders.end() ? folders.front() : *found) / file;
}

std::vector<std::string> Checkout::include_folders(Arch arch) const {
  std::vector<std::string> folders;
  if (is_metal_) {
    folders = {api(arch).string(), (api(arch) / "llk_sfpu").string()};
  }
  const fs::path own = common(arch);
  folders.push_back(own.string());
  folders.push_back((own / "sfpu").string());
  folders.push_back((own.parent_path().parent_path() / "llk_lib").string());
  // Of tt-llk within tt-metal: headers that both have, such as api/numeric/bfloat16.h.
  const fs::path shared = folder_ / "tt_metal/hw/inc";
  if (!is_metal_ && is_folder(shared)) folders.push_back(shared.string());
  return folders;
}

std::vector<std::filesystem::path> Checkout::source_folders() const {
  std::vector<std::filesystem::path> folders{llk_};
  if (!is_metal_) return folders;
  for (const char* name : {"tt_metal/hw/inc", "tt_metal/hw/ckernels", "tt_metal/hostdevcommon"})
    folders.push_back(folder_ / name);
  return folders;
}

std::vector<fs::path> Checkout::test_include_folders(Arch arch) const {
  const fs::path chip = llk_ / arch_params(arch).names.llk_folder, tests = llk_ / "tests";
  const std::string name = plain_name(arch);
  // What LLK's own setup script has fetched, if it was run; before October 2025 some of it was
  // there.
  const fs::path fetched = tests / "hw_specific" / name, firmware = tests / "firmware" / "riscv";
  std::vector<fs::path> folders{tests / "helpers" / "include",
                                chip / "llk_lib",
                                chip / "common" / "inc",
                                chip / "common" / "inc" / "sfpu",
                                chip / "hw_specific" / "inc",
                                llk_ / "common",
                                tests,
                                fetched / "inc",
                                fetched,
                                fetched / "metal_sfpu",
                                firmware / "common",
                                firmware / name};
  if (is_metal_) {
    const fs::path metal = folder_ / "tt_metal", internal = metal / "hw/inc/internal/tt-1xx";
    for (const fs::path& folder :
         {metal / "hw" / "inc", metal / "hostdevcommon" / "api", internal / name,
          internal / name / (std::string(arch_params(arch).names.metal_folder) + "_defines"),
          api(arch)})
      folders.push_back(folder);
  }
  std::erase_if(folders, [](const fs::path& folder) { return !is_folder(folder); });
  return folders;
}

std::vector<fs::path> Checkout::program_include_folders(Arch arch, bool is_compute) const {
  const std::string name = plain_name(arch);
  const fs::path metal = folder_ / "tt_metal", internal = metal / "hw/inc/internal/tt-1xx",
                 older = metal / "hw/inc" / name,
                 kernels = metal / "hw/ckernels" / arch_params(arch).names.metal_folder / "metal";
  const std::string defines = std::string(arch_params(arch).names.metal_folder) + "_defines";
  const fs::path chip = llk_ / arch_params(arch).names.llk_folder;
  std::vector<fs::path> folders{folder_,
                                folder_ / "ttnn",
                                folder_ / "ttnn/cpp",
                                metal,
                                metal / "hw/inc",
                                llk_ / "common",
                                metal / "include",
                                metal / "hostdevcommon/api",
                                metal / "api",
                                kernels / "common",
                                kernels / "llk_io",
                                internal,
                                internal / name,
                                internal / name / defines,
                                internal / name / "noc",
                                older,
                                older / defines,
                                older / "noc",
                                chip / "common/inc",
                                chip / "llk_lib"};
  if (is_compute) {
    folders.push_back(kernels / "llk_api");
    folders.push_back(kernels / "llk_api/llk_sfpu");
  }
  folders.push_back(metal / "hw/firmware/src/tt-1xx");
  folders.push_back(metal / "hw/firmware/src");
  std::erase_if(folders, [](const fs::path& folder) { return !is_folder(folder); });
  return folders;
}

std::vector<std::string> Checkout::test_defines(unsigned thread) const {
  if (!is_metal_) return {};
  // Where a test's prints go, between the loaders and the parameters of the test. The two cores
  // beside the three threads are processors 0 and 1.
  return {"KERNEL_BUILD",
          fmt::format("PROCESSOR_INDEX={}", thread + 2),
          "LLK_DEVICE_PRINT_BUFFER_BASE=0x15000",
          "LLK_RUNTIME_ARGS_START=0x20000",
          "DEVICE_PRINT_BUFFER_SIZE=0x4000",
          "DEVICE_PRINT_BUFFER_SIZE2=0x2000"};
}

Checkout Checkout::tt_llk() const {
  Checkout within(folder_, false, llk_);
  within.chosen_release_ = chosen_release_;
  return within;
}

std::optional<int> Checkout::sfpi_release() const {
  if (chosen_release_) return chosen_release_;
  std::vector<fs::path> files;
  if (!is_metal_) files.push_back(llk_ / "tests/sfpi-version");
  files.push_back(folder_ / "tt_metal/sfpi-version");
  std::ifstream stream;
  for (const fs::path& file : files) {
    if (!stream.is_open()) stream.open(file);
    if (!stream.is_open()) stream.open(file.string() + ".sh"); // until the end of 2025
  }
  constexpr std::string_view kKey = "sfpi_version=";
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(kKey)) continue;
    std::string_view value = std::string_view(line).substr(kKey.size());
    while (value.find_first_of("'\"v") == 0) value.remove_prefix(1);
    const auto release = release_number(value);
    if (!release) return std::nullopt;
    return std::clamp(*release, compiler::kOldestMinor, compiler::kNewestEpoch);
  }
  return std::nullopt;
}

void Checkout::set_up(sfpi::KernelSource& source, Arch arch, bool fp32_dst) const {
  for (std::string& folder : include_folders(arch))
    source.include_dirs.push_back(std::move(folder));
  source.epoch = sfpi_release().value_or(source.epoch);
  if (!is_metal_) return;
  // Kernels of tt-metal lean on headers that others have included before, and on constants that
  // the build generates for each kernel.
  source.prologue += fmt::format(
      "#include <lanewise_llk.h>\n"
      "#include \"llk_sfpu_types.h\"\n"
      "#if __has_include(\"ckernel_sfpu_converter.h\")\n"
      "#include \"ckernel_sfpu_converter.h\"\n"
      "#endif\n"
      "using namespace sfpi;\n"
      "constexpr bool DST_ACCUM_MODE = {}, APPROX = false;\n"
      "constexpr auto DST_SYNC_MODE = ckernel::DstSync::SyncHalf;",
      fp32_dst);
}

fs::path Checkout::api(Arch arch) const {
  return folder_ / "tt_metal/hw/ckernels" / arch_params(arch).names.metal_folder / "metal/llk_api";
}

fs::path Checkout::common(Arch arch) const {
  return llk_ / arch_params(arch).names.llk_folder / "common" / "inc";
}

std::vector<fs::path> Checkout::kernel_folders(Arch arch) const {
  const fs::path llk = common(arch) / "sfpu";
  if (!is_metal_) return {llk};
  return {api(arch) / "llk_sfpu", llk};
}

} // namespace lanewise::checkouts
