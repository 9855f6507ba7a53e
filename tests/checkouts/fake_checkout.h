// A checkout with headers of our own, in the two layouts that there are.
#pragma once

#include <string>

#include "sfpi/kernel_files.h"

namespace lanewise::checkouts {

class FakeCheckout {
 public:
  FakeCheckout() {
    for (const char* chip : {"blackhole", "wormhole_b0"}) {
      write_llk(chip, "ckernel_sfpu_nothing.h", "#pragma once\n");
      write_metal(chip, "ckernel_sfpu_nothing.h", "#pragma once\n");
    }
    folder_.write("metal/tt_metal/sfpi-version", "# a comment\nsfpi_version='7.60.0'\n");
    folder_.write("llk/tests/sfpi-version", "sfpi_version='7.38.0'\n");
  }

  std::string metal() const { return (folder_.path() / "metal").string(); }
  std::string llk() const { return (folder_.path() / "llk").string(); }

  /// A header of tt-metal for both chips.
  void add(const std::string& name, const std::string& text) {
    for (const char* chip : {"blackhole", "wormhole_b0"})
      write_metal(chip, "ckernel_sfpu_" + name + ".h", "#pragma once\n" + text);
  }
  void write_metal(const std::string& chip, const std::string& file, const std::string& text) {
    folder_.write("metal/tt_metal/hw/ckernels/" + chip + "/metal/llk_api/llk_sfpu/" + file, text);
    folder_.write("metal/tt_metal/tt-llk/tt_llk_" + chip + "/common/inc/sfpu/.keep", "");
  }
  void write_llk(const std::string& chip, const std::string& file, const std::string& text) {
    folder_.write("llk/tt_llk_" + chip + "/common/inc/sfpu/" + file, text);
  }
  sfpi::TemporaryFolder& folder() { return folder_; }

 private:
  sfpi::TemporaryFolder folder_;
};

} // namespace lanewise::checkouts
