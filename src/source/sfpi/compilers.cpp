#include "source/sfpi/compilers.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/cache.h"
#include "base/file.h"
#include "base/in_quotes.h"
#include "base/process.h"
#include "base/text_file.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// What compilers have said of their version, by command and $PATH: a program that compiles
/// hundreds of kernels asks for each.
class KnownVersions {
 public:
  std::optional<std::string> find(const std::string& command) {
    const std::scoped_lock lock(mutex_);
    const auto found = versions_.find(command);
    return found == versions_.end() ? std::nullopt : std::optional(found->second);
  }
  void add(const std::string& command, const std::string& version) {
    const std::scoped_lock lock(mutex_);
    versions_.insert_or_assign(command, version);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> versions_;
};

/// The file that a command of one word starts; "" if there is none in $PATH.
fs::path program_of(const std::string& word) {
  if (word.find('/') != std::string::npos) return word;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    fs::path file = fs::path(folder) / word;
    if (fs::is_regular_file(file, error)) return file;
  }
  return {};
}

constexpr std::size_t kMostCompilers = 16;

/// Whether it is a compiler itself, and not a script or ccache, which would start another program.
bool is_compiler(const fs::path& program) {
  constexpr std::string_view kElf = "\177ELF";
  std::array<char, kElf.size()> start{};
  std::ifstream(program, std::ios::binary).read(start.data(), start.size());
  return program.filename().string().find("g++") != std::string::npos &&
         std::string_view(start.data(), start.size()) == kElf;
}

/// What else a compiler looks at that is asked for its folders (GCC's manual, "Environment
/// Variables").
constexpr std::array kCompilerVariables{"GCC_EXEC_PREFIX", "COMPILER_PATH",  "LIBRARY_PATH",
                                        "CPATH",           "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                        "LC_ALL",          "LC_MESSAGES",    "LANG"};

void add_question(Digest& digest, std::span<const std::string> question) {
  for (const std::string& word : question) digest.add(word);
  for (const char* const name : kCompilerVariables) {
    const char* const value = std::getenv(name);
    digest.add(value == nullptr ? "" : value);
  }
}

/// Where the cache keeps what a compiler has answered: to ask it starts two processes. The name has
/// all by which a new version differs, and the question but for "--version". Nothing for what may
/// start another program.
std::optional<fs::path> kept_answer(const std::vector<std::string>& command,
                                    std::span<const std::string> question) {
  if (command.size() != 1) return std::nullopt;
  std::error_code error;
  const fs::path program = fs::canonical(program_of(command.front()), error);
  if (error || !is_compiler(program)) return std::nullopt;
  const auto size = fs::file_size(program, error);
  if (error) return std::nullopt;
  const auto written = fs::last_write_time(program, error);
  const auto cache = cache_folder();
  if (error || !cache) return std::nullopt;
  Digest digest;
  digest.add(program.string())
      .add(std::to_string(size))
      .add(std::to_string(written.time_since_epoch().count()));
  if (!question.empty()) add_question(digest, question);
  return *cache / "compilers" / digest.text();
}

void keep_answer(const fs::path& file, const std::string& answer) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error || !write_file_atomically(file.string(), std::as_bytes(std::span(answer)))) return;
  drop_unused(file.parent_path(), kMostCompilers);
}

/// What the compiler says of its version; nothing if it cannot be started.
std::optional<std::string> version_of(const std::vector<std::string>& command) {
  const auto kept = kept_answer(command, {});
  if (kept) {
    if (auto text = read_text_file(kept->string()); text && touch(*kept)) return *std::move(text);
  }
  std::vector<std::string> question = command;
  question.emplace_back("--version");
  auto answer = run_process(question);
  if (!answer || !answer->succeeded()) return std::nullopt;
  if (kept) keep_answer(*kept, answer->out);
  return std::move(answer->out);
}

/// `missing`: why it is needed, and `remedy`, if there is none.
Expected<HostCompiler> ask_compiler(std::vector<std::string> command, std::string_view missing,
                                    std::string remedy) {
  static KnownVersions known;
  const char* const path = std::getenv("PATH");
  const std::string key =
      fmt::format("{}\n{}", fmt::join(command, "\n"), path == nullptr ? "" : path);
  if (auto version = known.find(key)) return HostCompiler{std::move(command), *std::move(version)};
  const auto version = version_of(command);
  if (!version) {
    return bad_input(fmt::format("there is no C++ compiler {}, and {}",
                                 in_quotes(fmt::format("{}", fmt::join(command, " "))), missing),
                     std::move(remedy));
  }
  known.add(key, *version);
  return HostCompiler{std::move(command), *version};
}

} // namespace

Expected<HostCompiler> find_host_compiler() {
  const auto ask = [](std::vector<std::string> command) {
    return ask_compiler(std::move(command), "kernels are compiled by g++",
                        "install it, on Debian and Ubuntu with: apt-get install g++");
  };
  const char* chosen = std::getenv("CXX");
  std::vector<std::string> command = split_words(chosen == nullptr ? "" : chosen);
  if (command.empty()) return ask({"g++"});
  auto compiler = ask(std::move(command));
  // clang++ has no -fpch-preprocess, and its precompiled headers work differently.
  const bool is_gcc = compiler && compiler->version.find("clang") == std::string::npos;
  return is_gcc || !compiler ? compiler : ask({"g++"});
}

Expected<HostCompiler> find_core_compiler() {
  return ask_compiler(
      {"riscv64-unknown-elf-g++"}, "it is what compiles for the chips' cores",
      "install it, on Debian and Ubuntu with: apt-get install gcc-riscv64-unknown-elf");
}

std::optional<std::string> ask_once(const HostCompiler& compiler,
                                    const std::vector<std::string>& question,
                                    const std::function<bool(const std::string&)>& holds) {
  const auto kept = kept_answer(compiler.command, question);
  if (kept) {
    if (auto text = read_text_file(kept->string()); text && holds(*text) && touch(*kept))
      return *std::move(text);
  }
  std::vector<std::string> command = compiler.command;
  command.insert(command.end(), question.begin(), question.end());
  const auto answer = run_process(command);
  if (!answer || !answer->succeeded()) return std::nullopt;
  std::string text = answer->out + answer->err;
  if (!holds(text)) return std::nullopt;
  if (kept) keep_answer(*kept, text);
  return text;
}

} // namespace lanewise::sfpi
