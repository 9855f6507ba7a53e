#include "corpus/llk/checkout.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <system_error>

namespace lanewise::lab {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKernelFolder = "sfpu";
constexpr std::string_view kPrefix = "ckernel_sfpu_", kSuffix = ".h"; ///< of a header

} // namespace

Expected<LlkCheckout> LlkCheckout::open(const fs::path& folder, std::span<const Arch> chips) {
  LlkCheckout checkout(folder);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    Unexpected fault =
        bad_input("there is no such folder", "name a checkout of github.com/tenstorrent/tt-llk");
    fault.value().file = folder.string();
    return fault;
  }
  for (const Arch arch : chips) {
    const fs::path kernels = checkout.common(arch) / kKernelFolder;
    if (fs::is_directory(kernels, ignored)) continue;
    Unexpected fault = bad_input(
        fmt::format("this is no checkout of tt-llk: {} is missing",
                    kernels.lexically_relative(folder).string()),
        "name the folder that 'git clone https://github.com/tenstorrent/tt-llk' has made");
    fault.value().file = folder.string();
    return fault;
  }
  return checkout;
}

std::vector<std::string> LlkCheckout::headers(Arch arch) const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(common(arch) / kKernelFolder, ignored)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(kPrefix) || !file.ends_with(kSuffix)) continue;
    names.push_back(file.substr(kPrefix.size(), file.size() - kPrefix.size() - kSuffix.size()));
  }
  std::ranges::sort(names);
  return names;
}

fs::path LlkCheckout::header(Arch arch, std::string_view name) const {
  return common(arch) / kKernelFolder / fmt::format("{}{}{}", kPrefix, name, kSuffix);
}

std::vector<std::string> LlkCheckout::include_folders(Arch arch) const {
  return {common(arch).string(), (common(arch) / kKernelFolder).string()};
}

fs::path LlkCheckout::common(Arch arch) const {
  return folder_ / arch_params(arch).llk_folder / "common" / "inc";
}

} // namespace lanewise::lab
