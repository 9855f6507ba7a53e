// A checkout of tt-llk on this machine.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "isa/arch.h"

namespace lanewise::lab {

class LlkCheckout {
 public:
  /// Error: BadInput that says what is missing, if the folder is no checkout with kernels for all
  /// the chips.
  static Expected<LlkCheckout> open(const std::filesystem::path& folder,
                                    std::span<const Arch> chips);

  /// The names of the headers of kernels that the checkout has for the chip, in order.
  std::vector<std::string> headers(Arch arch) const;
  /// The file of a kernel, whether or not it is there.
  std::filesystem::path header(Arch arch, std::string_view name) const;
  /// Where kernels look for the files that they include.
  std::vector<std::string> include_folders(Arch arch) const;

 private:
  explicit LlkCheckout(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path common(Arch arch) const;

  std::filesystem::path folder_;
};

} // namespace lanewise::lab
