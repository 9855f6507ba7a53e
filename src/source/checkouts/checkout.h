// A checkout of the vendor's kernels on this machine: of tt-metal, or of tt-llk alone.
//
// Where kernels, and the headers that they include, lie in one:
//
//                       tt-llk                        tt-metal
//   LLK                 .                             tt_metal/tt-llk; before April 2026
//                                                     tt_metal/third_party/tt_llk
//   kernels             LLK/<chip>/common/inc/sfpu    the same, and
//                                                     tt_metal/hw/ckernels/<chip>/metal/llk_api/llk_sfpu
//   tests of LLK        LLK/tests                     the same
//   their headers of    LLK/tests/hw_specific/<chip>; tt_metal/hw/inc, tt_metal/hostdevcommon/api
//   the chip            in 2025 LLK/tests/firmware
//   release of SFPI     tests/sfpi-version            tt_metal/sfpi-version
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "source/sfpi/kernel.h"

namespace lanewise::checkouts {

class Checkout {
 public:
  /// Finds the folders of either kind of checkout, by what is in it. Of tt-metal, the folder may be
  /// tt_metal or LLK's within it as well. Error: BadInput that says what is missing, if the folder
  /// is none, or has no kernels for one of the chips.
  static Expected<Checkout> open(const std::filesystem::path& folder, std::span<const Arch> chips);
  /// The folder of LLK in which a file lies, which open() takes; empty if in none.
  static std::filesystem::path llk_around(const std::filesystem::path& file);

  /// Whether it is one of tt-metal.
  bool is_metal() const { return is_metal_; }
  const std::filesystem::path& folder() const { return folder_; }

  /// The tt-llk within it, as a checkout of its own that is built with the same release of SFPI.
  Checkout tt_llk() const;

  /// The names of the headers of kernels for the chip, ckernel_sfpu_<name>.h, in order, each once.
  std::vector<std::string> headers(Arch arch) const;
  /// The file of a kernel, whether or not it is there. Where both folders of a checkout of tt-metal
  /// have it, that of tt-metal, which is what its own builds find.
  std::filesystem::path header(Arch arch, std::string_view name) const;
  /// Where kernels look for the files that they include.
  std::vector<std::string> include_folders(Arch arch) const;
  /// The release of SFPI that the checkout is built with, as an epoch (source/compiler/epoch.h):
  /// the nearest of those that are told apart. Nothing if it does not say.
  std::optional<int> sfpi_release() const;
  /// From now on it is built with this release, an epoch, instead.
  void choose_sfpi_release(int epoch) { chosen_release_ = epoch; }

  /// The folder that has tests and the chips' folders.
  const std::filesystem::path& llk() const { return llk_; }
  /// The folders whose files kernels and tests of the checkout are made of: that of LLK, and those
  /// of tt-metal's headers for cores.
  std::vector<std::filesystem::path> source_folders() const;
  /// Where a test of LLK looks for the files that it includes, those that are there: in the order
  /// in which its own build looks, but the test's own headers first.
  std::vector<std::filesystem::path> test_include_folders(Arch arch) const;
  /// Where a kernel of a program looks for the files that it includes, those that are there, in the
  /// order of tt-metal's own builds. `is_compute`: on a core of one of the three threads.
  /// Precondition: is_metal().
  std::vector<std::filesystem::path> program_include_folders(Arch arch, bool is_compute) const;
  /// Macros that the section of a thread, 0 to 2, is built with in this checkout, beyond those that
  /// every one has: NAME or NAME=VALUE.
  std::vector<std::string> test_defines(unsigned thread) const;

  /// What a kernel of the checkout, or one that includes its headers, is compiled with: folders,
  /// the release of SFPI, and what the vendor's builds put before a kernel. `fp32_dst`: whether Dst
  /// has 32 bits.
  void set_up(sfpi::KernelSource& source, Arch arch, bool fp32_dst) const;

 private:
  Checkout(std::filesystem::path folder, bool is_metal, std::filesystem::path llk)
      : folder_(std::move(folder)), is_metal_(is_metal), llk_(std::move(llk)) {}
  std::filesystem::path api(Arch arch) const;    ///< of tt-metal: llk_api of the chip
  std::filesystem::path common(Arch arch) const; ///< of LLK: common/inc of the chip
  std::vector<std::filesystem::path> kernel_folders(Arch arch) const;

  std::filesystem::path folder_;
  bool is_metal_;
  std::filesystem::path llk_;
  std::optional<int> chosen_release_;
};

} // namespace lanewise::checkouts
