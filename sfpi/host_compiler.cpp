#include "sfpi/host_compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <string_view>
#include <system_error>

#include "sfpi/cache.h"
#include "sfpi/locations.h"
#include "sfpi/process.h"
#include "sfpi/rewrite.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Every symbol must be found when the object is linked, where the message can name the function;
/// and within the object itself, whatever the running program exports.
constexpr std::array<const char*, 3> kLinkFlags{"-shared", "-Wl,-z,defs", "-Wl,-Bsymbolic"};

/// An object has about 50 kB.
constexpr std::size_t kMostObjects = 4096;

/// Options for both steps.
Words kernel_flags(const CompileRequest& request, const Prelude& prelude) {
  Words flags = common_flags(request.prelude);
  for (std::string& flag : include_flags(prelude)) flags.push_back(std::move(flag));
  for (const std::string& folder : request.includes) flags.push_back("-I" + folder);
  for (const std::string& define : request.defines) flags.push_back("-D" + define);
  flags.insert(flags.end(), request.flags.begin(), request.flags.end());
  return flags;
}

/// Messages of g++ go where the user sees them, so it may colour them if that is a terminal.
std::string colour_flag() {
  return ::isatty(STDERR_FILENO) != 0 ? "-fdiagnostics-color=always" : "-fdiagnostics-color=never";
}

Words command_line(const HostCompiler& compiler, const Words& flags, const Words& more) {
  Words command = compiler.command;
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), more.begin(), more.end());
  command.push_back(colour_flag());
  return command;
}

/// What g++ says, without the line that tells which generated file includes the kernel.
std::string user_messages(std::string messages) {
  const std::string included = fmt::format("In file included from {}:1:\n", kGeneratedFile);
  for (std::size_t at = 0; (at = messages.find(included, at)) != std::string::npos;) {
    messages.erase(at, included.size());
  }
  while (messages.ends_with('\n')) messages.pop_back();
  return messages;
}

/// The standard output of g++, or its messages as a fault.
Expected<std::string> run_compiler(const CompileRequest& request, const Words& command,
                                   std::string_view input) {
  auto result = run_process(command, input);
  if (!result) return Unexpected(result.error());
  if (result->succeeded()) return std::move(result->out);
  const std::string_view chip = arch_params(request.prelude.arch).long_name;
  if (result->signal != 0) {
    return bad_input(fmt::format("g++ was ended by {} while it compiled {} for {}",
                                 signal_name(result->signal), request.name, chip));
  }
  return bad_input(fmt::format("g++ could not compile {} for {}\n{}", request.name, chip,
                               user_messages(std::move(result->err))));
}

Expected<fs::path> object_folder() {
  const auto cache = cache_folder();
  if (!cache) return Unexpected(cache.error());
  fs::path folder = *cache / "objects";
  std::error_code error;
  fs::create_directories(folder, error);
  return folder;
}

} // namespace

Expected<fs::path> compile_kernel(const CompileRequest& request) {
  const auto compiler = find_host_compiler();
  if (!compiler) return Unexpected(compiler.error());
  const auto prelude = prepare_prelude(*compiler, request.prelude);
  if (!prelude) return Unexpected(prelude.error());
  const auto folder = object_folder();
  if (!folder) return Unexpected(folder.error());

  const Words flags = kernel_flags(request, *prelude);
  const auto preprocessed = run_compiler(
      request, command_line(*compiler, flags, {"-E", "-fpch-preprocess", "-x", "c++", "-"}),
      request.text);
  if (!preprocessed) return Unexpected(preprocessed.error());
  const std::string text = rewrite_for_host_compiler(*preprocessed);

  Digest digest;
  digest.add(compiler->version).add(prelude->version).add(text);
  for (const std::string& flag : flags) digest.add(flag);
  fs::path object = *folder / (digest.text() + ".so");
  if (touch(object)) return object;

  const fs::path temporary = unfinished(object);
  Words more{"-x", "c++-cpp-output", "-", "-o", temporary.string()};
  more.insert(more.end(), kLinkFlags.begin(), kLinkFlags.end());
  const auto compiled = run_compiler(request, command_line(*compiler, flags, more), text);
  if (!compiled) return Unexpected(compiled.error());
  if (auto published = publish(temporary, object); !published) {
    return Unexpected(published.error());
  }
  drop_unused(*folder, kMostObjects);
  return object;
}

} // namespace lanewise::sfpi
