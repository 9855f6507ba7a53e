#include "sfpi/prelude.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string_view>
#include <system_error>

#include "isa/kernel_macros.h"
#include "sfpi/cache.h"
#include "sfpi/headers.h"
#include "sfpi/include/lanewise_recorder.h"
#include "sfpi/process.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

/// The standard headers that kernels use, besides those that sfpi.h needs itself.
constexpr std::array<std::string_view, 13> kStandardHeaders{
    "algorithm",        "array",  "bit",   "climits",     "cmath",  "cstdint", "cstdio", "cstring",
    "initializer_list", "limits", "tuple", "type_traits", "utility"};

/// A precompiled header has about 30 MB; two chips, with and without LLK's names, are four of them.
constexpr std::size_t kMostPreludes = 16;

constexpr std::string_view kHeaderName = "lanewise_prelude.h";

std::string header_text(const PreludeOptions& options) {
  std::string text;
  for (const std::string_view header : kStandardHeaders) {
    text += fmt::format("#include <{}>\n", header);
  }
  text += options.llk ? "#include <lanewise_llk.h>\n" : "#include <sfpi.h>\n";
  return text;
}

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Expected<HostCompiler> ask_compiler(std::vector<std::string> command) {
  std::vector<std::string> question = command;
  question.emplace_back("--version");
  const auto answer = run_process(question);
  if (!answer || !answer->succeeded()) {
    return bad_input(fmt::format("there is no C++ compiler '{}', and kernels are compiled by g++",
                                 fmt::join(command, " ")),
                     "install it, on Debian and Ubuntu with: apt-get install g++");
  }
  return HostCompiler{std::move(command), answer->out};
}

Expected<void> write_text(const fs::path& path, std::string_view text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (stream) return {};
  Unexpected fault = bad_input("cannot write the file", "check the space that is left");
  fault.value().file = path.string();
  return fault;
}

/// Fills a new folder with the generated headers and the precompiled one.
Expected<void> make_folder(const HostCompiler& compiler, const PreludeOptions& options,
                           const Prelude& prelude) {
  std::error_code error;
  fs::create_directories(prelude.folder, error);
  const fs::path header = prelude.folder / kHeaderName;
  for (const auto& [path, text] :
       {std::pair{prelude.folder / "ckernel_ops.h", isa::kernel_macros(options.arch)},
        std::pair{header, header_text(options)}}) {
    if (auto written = write_text(path, text); !written) return written;
  }
  std::vector<std::string> command = compiler.command;
  for (std::string& flag : common_flags(options)) command.push_back(std::move(flag));
  for (std::string& flag : include_flags(prelude)) command.push_back(std::move(flag));
  command.insert(command.end(),
                 {"-x", "c++-header", header.string(), "-o", header.string() + ".gch"});
  const auto compiled = run_process(command);
  if (!compiled) return Unexpected(compiled.error());
  if (!compiled->succeeded()) fs::remove(header.string() + ".gch", error);
  return {};
}

} // namespace

Expected<HostCompiler> find_host_compiler() {
  const char* chosen = std::getenv("CXX");
  std::vector<std::string> command = split_words(chosen == nullptr ? "" : chosen);
  if (command.empty()) return ask_compiler({"g++"});
  auto compiler = ask_compiler(std::move(command));
  // clang++ has no -fpch-preprocess, and its precompiled headers work differently.
  const bool is_gcc = compiler && compiler->version.find("clang") == std::string::npos;
  return is_gcc || !compiler ? compiler : ask_compiler({"g++"});
}

std::vector<std::string> common_flags(const PreludeOptions& options) {
  const bool is_blackhole = options.arch == Arch::Blackhole;
  return {"-std=c++20",
          "-O0", // a recording is made once: compile time counts, run time does not
          "-g",
          "-gdwarf-4", // addr2line of binutils 2.40 mixes up the files of g++'s DWARF 5
          "-fPIC",
          "-fno-omit-frame-pointer", // the recorder follows the frames to the source line
          "-fvisibility=default",
          "-fno-gnu-unique", // or static variables would survive from one load to the next
          "-w",
          is_blackhole ? "-DARCH_BLACKHOLE" : "-DARCH_WORMHOLE",
          fmt::format("-DLANEWISE_SFPI_EPOCH={}", options.epoch)};
}

std::vector<std::string> include_flags(const Prelude& prelude) {
  return {"-I" + prelude.headers.string(), "-I" + (prelude.headers / "llk").string(),
          "-I" + prelude.folder.string()};
}

Expected<Prelude> prepare_prelude(const HostCompiler& compiler, const PreludeOptions& options) {
  const auto cache = cache_folder();
  if (!cache) return Unexpected(cache.error());
  const auto headers = sfpi_include_folder();
  if (!headers) return Unexpected(headers.error());

  Digest digest;
  digest.add(compiler.version).add(folder_digest(*headers)).add(isa::kernel_macros(options.arch));
  digest.add(header_text(options)).add(std::to_string(LANEWISE_RECORDER_VERSION));
  for (const std::string& flag : common_flags(options)) digest.add(flag);
  const fs::path folder = *cache / "headers" / digest.text();
  Prelude prelude{.headers = *headers, .folder = folder, .version = digest.text()};
  if (touch(folder)) return prelude;

  prelude.folder = unfinished(folder);
  if (auto made = make_folder(compiler, options, prelude); !made) return Unexpected(made.error());
  if (auto published = publish(prelude.folder, folder); !published) {
    return Unexpected(published.error());
  }
  drop_unused(folder.parent_path(), kMostPreludes);
  prelude.folder = folder;
  return prelude;
}

} // namespace lanewise::sfpi
