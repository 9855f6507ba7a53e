#include "source/checkouts/editor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "source/assembly/kernel_macros.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/prelude.h"

namespace lanewise::checkouts {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFlagsFile = "compile_flags.txt", kOwnFolder = ".lanewise";
constexpr std::string_view kPreludeFile = "lanewise_editor.h";
/// The first of the flags, by which a file is known to be ours.
constexpr std::string_view kMark = "-DLANEWISE_EDITOR=1";

Expected<void> write_text(const fs::path& file, std::string_view text) {
  return write_file_atomically(file, std::as_bytes(std::span(text)));
}

/// What stands before each file, as before a kernel that is compiled.
std::string prelude_text(const sfpi::KernelSource& kernel, bool llk) {
  if (!llk) return "#pragma once\n#include <sfpi.h>\n";
  return "#pragma once\n#include <cmath>\n#include <cstdlib>\n#include <lanewise_llk.h>\n#include "
         "\"llk_sfpu_types.h\"\n" +
         kernel.prologue + "\n";
}

std::vector<std::string> flags_of(const EditorSetup& setup, const sfpi::KernelSource& kernel,
                                  const fs::path& headers, const fs::path& own) {
  std::vector<std::string> flags{std::string(kMark), "-xc++", "-Wno-pragma-once-outside-header",
                                 "-ferror-limit=100"};
  const sfpi::PreludeOptions options{
      .arch = setup.arch, .epoch = kernel.epoch, .llk = setup.checkout.has_value()};
  for (const std::string& flag : sfpi::common_flags(options)) {
    if (flag.starts_with("-D") || flag.starts_with("-std=")) flags.push_back(flag);
  }
  for (std::string& flag : sfpi::include_flags({.headers = headers, .folder = own, .version = {}}))
    flags.push_back(std::move(flag));
  for (const std::string& folder : kernel.include_dirs)
    flags.push_back("-I" + fs::absolute(folder).string());
  flags.emplace_back("-include");
  flags.push_back((own / kPreludeFile).string());
  return flags;
}

Expected<void> check_replaceable(const fs::path& file, bool overwrites) {
  std::ifstream stream(file);
  std::string first;
  if (overwrites || !stream || (std::getline(stream, first) && first == kMark)) return {};
  Unexpected fault = bad_input("there is such a file, and something else has written it",
                               "move it away, or let --force replace it");
  fault.value().file = file.string();
  return fault;
}

} // namespace

Expected<std::vector<fs::path>> write_editor_files(const fs::path& folder,
                                                   const EditorSetup& setup) {
  const fs::path file = folder / kFlagsFile;
  if (auto free = check_replaceable(file, setup.overwrites); !free) return Unexpected(free.error());
  const auto headers = sfpi::sfpi_include_folder();
  if (!headers) return Unexpected(headers.error());
  sfpi::KernelSource kernel;
  kernel.include_dirs = setup.include_dirs;
  if (setup.checkout) setup.checkout->set_up(kernel, setup.arch, false);
  kernel.epoch = setup.epoch.value_or(kernel.epoch);

  std::error_code error;
  const fs::path own = fs::absolute(folder, error) / kOwnFolder;
  fs::create_directories(own, error);
  if (error) {
    Unexpected fault = bad_input("cannot make the folder: " + error.message());
    fault.value().file = own.string();
    return fault;
  }
  const std::vector<std::string> flags = flags_of(setup, kernel, fs::absolute(*headers), own);
  const std::array files{
      std::pair{own / "ckernel_ops.h", assembly::kernel_macros(setup.arch)},
      std::pair{own / kPreludeFile, prelude_text(kernel, setup.checkout.has_value())},
      std::pair{file, fmt::format("{}\n", fmt::join(flags, "\n"))}};
  std::vector<fs::path> paths;
  for (const auto& [path, text] : files) {
    if (auto written = write_text(path, text); !written) return Unexpected(written.error());
    paths.push_back(path);
  }
  return paths;
}

} // namespace lanewise::checkouts
