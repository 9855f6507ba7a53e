#include "source/sfpi/host_compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "base/cache.h"
#include "base/private_folder.h"
#include "base/process.h"
#include "source/sfpi/library_calls.h"
#include "source/sfpi/locations.h"
#include "source/sfpi/object_note.h"
#include "source/sfpi/rewrite.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Every symbol must be found when the object is linked, where the message can name the function.
constexpr const char* kAllDefined = "-Wl,-z,defs";
/// To read the names of all that the C and C++ libraries have takes longer than to assemble a
/// kernel.
constexpr const char* kNoLibraries = "-nodefaultlibs";
/// And within the object itself, whatever the running program exports.
constexpr const char* kBindWithin = "-Wl,-Bsymbolic";

/// An object has about 50 kB.
constexpr std::size_t kMostObjects = 4096;

Expected<HostCompiler> compiler_of(const ObjectRequest& request) {
  return request.for_core ? find_core_compiler() : find_host_compiler();
}

/// What is compiled for a kernel.
ObjectRequest object_request(const CompileRequest& request, const Prelude& prelude) {
  Words flags = common_flags(request.prelude);
  for (std::string& flag : include_flags(prelude)) flags.push_back(std::move(flag));
  for (const std::string& folder : request.includes) flags.push_back("-I" + folder);
  for (const std::string& define : request.defines) flags.push_back("-D" + define);
  flags.insert(flags.end(), request.flags.begin(), request.flags.end());
  return {.name = request.name,
          .arch = request.prelude.arch,
          .text = request.text,
          .flags = std::move(flags),
          .link_flags = {kBindWithin},
          .version = prelude.version,
          .limits = request.limits,
          .settled = prelude.folder}; // its time says when it was used; the version has its text
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

/// Whether g++ ended for want of memory, or as it wrote a file that was too long: the messages of
/// its parts, of the driver about them, and of the linker.
bool was_short_of_memory(const ProcessResult& result) {
  constexpr std::array kSigns{"out of memory",
                              "virtual memory exhausted",
                              "Cannot allocate memory",
                              "memory exhausted",
                              "File size limit exceeded",
                              "File too large",
                              "signal terminated program",
                              "std::bad_alloc"};
  return std::ranges::any_of(
      kSigns, [&](const char* sign) { return result.err.find(sign) != std::string::npos; });
}

/// The standard output of g++, or its messages as a fault. It can write files in `folder` only, or
/// nowhere if that is empty.
Expected<std::string> run_compiler(const ObjectRequest& request, const Words& command,
                                   std::string_view input, const fs::path& folder) {
  auto result =
      run_process(command, input, request.limits, {.policy = Policy::Compiler, .folder = folder});
  if (!result) return Unexpected(result.error());
  if (result->succeeded()) return std::move(result->out);
  const std::string_view chip = arch_params(request.arch).names.full;
  if (result->was_late) {
    return bad_input(
        fmt::format("g++ was not done with {} for {} within {}", request.name, chip,
                    time_text(request.limits)),
        fmt::format("look for templates or includes without end, or allow more with {}",
                    kTimeOption));
  }
  if (was_short_of_memory(*result)) {
    return bad_input(
        fmt::format("g++ needs more than {} for {}, for {}", memory_text(request.limits),
                    request.name, chip),
        fmt::format("look for templates or includes without end, or allow more with {}",
                    kMemoryOption));
  }
  if (result->signal != 0) {
    return bad_input(fmt::format("g++ was ended by {} while it compiled {} for {}",
                                 signal_name(result->signal), request.name, chip));
  }
  if (request.tell) return Unexpected(request.tell(result->err));
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

std::string with_replacements(std::string text, const ObjectRequest& request) {
  for (const auto& [from, to] : request.replacements) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  }
  return text;
}

/// Whether a line marker names a file from the working directory on: neither an absolute path, nor
/// what the compiler ("<built-in>") or an entry ("--init") puts in place of one.
bool has_relative_names(std::string_view preprocessed) {
  for (std::size_t at = 0; (at = preprocessed.find("\n# ", at)) != std::string_view::npos; ++at) {
    const std::size_t name = preprocessed.find('"', at);
    if (name + 1 < preprocessed.size() &&
        std::string_view("/<-").find(preprocessed[name + 1]) == std::string_view::npos)
      return true;
  }
  return false;
}

Expected<Preprocessed> preprocess(const HostCompiler& compiler, const ObjectRequest& request) {
  const auto folder = object_folder();
  if (!folder) return Unexpected(folder.error());
  // The working directory is no part of the text: an object with no names that depend on it is the
  // same one from any.
  const auto text = run_compiler(
      request,
      command_line(compiler, request.flags,
                   {"-E", "-fno-working-directory", "-fpch-preprocess", "-x", "c++", "-"}),
      request.text, {});
  if (!text) return Unexpected(text.error());
  Preprocessed result{
      .text = with_replacements(rewrite_for_host_compiler(*text, request.for_core), request),
      .object = {}};
  Digest digest;
  digest.add(compiler.version).add(request.version).add(result.text);
  std::error_code error;
  if (has_relative_names(result.text)) digest.add(fs::current_path(error).string());
  for (const std::string& flag : request.flags) digest.add(flag);
  for (const std::string& flag : request.link_flags) digest.add(flag);
  for (const std::string& flag : request.libraries) digest.add(flag);
  result.object = *folder / (digest.text() + (request.for_core ? ".elf" : ".so"));
  return result;
}

bool is_compiled(const fs::path& object) {
  return is_sealed(object) && touch(object);
}

/// Where the note of a request lies, whose name has all that decides about its object but the
/// files.
Expected<ObjectNote> note_of(const HostCompiler& compiler, const ObjectRequest& request) {
  const auto cache = cache_folder();
  if (!cache) return Unexpected(cache.error());
  std::error_code error;
  Digest digest;
  digest.add(compiler.version).add(request.version).add(request.text);
  digest.add(fs::current_path(error).string()); // for names that do not begin with a slash
  for (const std::string& flag : request.flags) digest.add(flag);
  for (const std::string& flag : request.link_flags) digest.add(flag);
  for (const std::string& flag : request.libraries) digest.add(flag);
  for (const auto& [from, to] : request.replacements) digest.add(from).add(to);
  const fs::path folder = *cache / "notes";
  fs::create_directories(folder, error);
  return ObjectNote{.file = folder / digest.text(), .settled = request.settled};
}

/// The object of that name, if it is in the cache.
std::optional<fs::path> find_object(const std::string& name) {
  const auto folder = object_folder();
  if (!folder || !is_compiled(*folder / name)) return std::nullopt;
  return *folder / name;
}

/// The object of a note that still holds.
std::optional<fs::path> object_of(const ObjectNote& note, FileStates& states) {
  const auto name = noted_result(note, states);
  return name ? find_object(*name) : std::nullopt;
}

/// What preprocess_object() has kept, in a note that still holds.
std::optional<Preprocessed> seen_before(const ObjectNote& note) {
  const auto line = noted_result(note);
  if (!line) return std::nullopt;
  const std::size_t space = std::min(line->find(' '), line->size());
  auto object = find_object(line->substr(0, space));
  if (!object) return std::nullopt;
  return Preprocessed{.text = {},
                      .object = std::move(*object),
                      .seen = line->substr(std::min(space + 1, line->size()))};
}

/// Compiles and links into a file. Error: as of run_compiler().
Expected<void> compile_into(const fs::path& file, const HostCompiler& compiler,
                            const ObjectRequest& request, const Preprocessed& source,
                            const Words& link) {
  Words more{"-pipe", "-x", "c++-cpp-output", "-", "-o", file.string()};
  more.insert(more.end(), link.begin(), link.end());
  more.insert(more.end(), request.link_flags.begin(), request.link_flags.end());
  const auto compiled = run_compiler(request, command_line(compiler, request.flags, more),
                                     source.text, file.parent_path());
  if (!compiled) return Unexpected(compiled.error());
  return {};
}

/// An object for this process, without libraries if it can do without. Error: as of run_compiler().
Expected<void> compile_shared(const fs::path& file, const HostCompiler& compiler,
                              const ObjectRequest& request, const Preprocessed& source) {
  if (!request.needs_libraries) {
    auto compiled = compile_into(file, compiler, request, source, {"-shared", kNoLibraries});
    if (!compiled || needs_common_functions_only(file)) return compiled;
  }
  Words link{"-shared", kAllDefined};
  link.insert(link.end(), request.libraries.begin(), request.libraries.end());
  return compile_into(file, compiler, request, source, link);
}

Expected<fs::path> make_object(const HostCompiler& compiler, const ObjectRequest& request,
                               const Preprocessed& source) {
  const PrivateFolder folder("compiling", source.object.parent_path());
  if (!folder.is_made())
    return bad_input("cannot make a folder in " + source.object.parent_path().string(),
                     "set LANEWISE_CACHE to a folder of your own");
  const fs::path temporary = folder.path() / "kernel.so";
  const auto compiled = request.for_core ? compile_into(temporary, compiler, request, source, {})
                                         : compile_shared(temporary, compiler, request, source);
  if (!compiled) return Unexpected(compiled.error());
  if (auto sealed = seal(temporary, source.object.filename().string()); !sealed) {
    return Unexpected(sealed.error());
  }
  if (auto published = publish(temporary, source.object); !published) {
    return Unexpected(published.error());
  }
  drop_unused(source.object.parent_path(), kMostObjects);
  return source.object;
}

/// Notes what a request has led to, so that the next one like it is not preprocessed.
void keep_note(const ObjectNote& note, const std::string& result, const ObjectRequest& request,
               const Preprocessed& source, FileTime start) {
  write_note(note, result, source.text, request.flags, start);
  drop_unused(note.file.parent_path(), kMostObjects);
}

} // namespace

Expected<fs::path> compile_object(const ObjectRequest& request) {
  FileStates states;
  return compile_object(request, states);
}

Expected<fs::path> compile_object(const ObjectRequest& request, FileStates& states) {
  const auto compiler = compiler_of(request);
  if (!compiler) return Unexpected(compiler.error());
  const auto note = note_of(*compiler, request);
  if (!note) return Unexpected(note.error());
  if (auto object = object_of(*note, states)) return std::move(*object);
  const auto start = FileTime::clock::now();
  const auto source = preprocess(*compiler, request);
  if (!source) return Unexpected(source.error());
  auto object =
      is_compiled(source->object) ? source->object : make_object(*compiler, request, *source);
  if (object) keep_note(*note, source->object.filename().string(), request, *source, start);
  return object;
}

Expected<Preprocessed> preprocess_object(const ObjectRequest& request, const LookAtText& look) {
  const auto compiler = compiler_of(request);
  if (!compiler) return Unexpected(compiler.error());
  auto note = note_of(*compiler, request);
  if (!note) return Unexpected(note.error());
  note->file += ".seen";
  if (auto known = seen_before(*note)) return std::move(*known);
  const auto start = FileTime::clock::now();
  auto source = preprocess(*compiler, request);
  if (!source) return source;
  source->seen = look(source->text);
  keep_note(*note, source->object.filename().string() + " " + source->seen, request, *source,
            start);
  return source;
}

Expected<fs::path> compile_preprocessed(const ObjectRequest& request, const Preprocessed& source) {
  if (is_compiled(source.object)) return source.object;
  const auto compiler = compiler_of(request);
  if (!compiler) return Unexpected(compiler.error());
  if (!source.text.empty()) return make_object(*compiler, request, source);
  // It has been dropped from the cache since.
  const auto again = preprocess(*compiler, request);
  if (!again) return Unexpected(again.error());
  return make_object(*compiler, request, *again);
}

Expected<fs::path> compile_kernel(const CompileRequest& request) {
  const auto compiler = find_host_compiler();
  if (!compiler) return Unexpected(compiler.error());
  const auto prelude = prepare_prelude(*compiler, request.prelude);
  if (!prelude) return Unexpected(prelude.error());
  const ObjectRequest object = object_request(request, *prelude);
  const auto note = note_of(*compiler, object);
  if (!note) return Unexpected(note.error());
  FileStates states;
  if (auto known = object_of(*note, states)) return std::move(*known);
  const auto start = FileTime::clock::now();
  auto source = preprocess(*compiler, object);
  if (source && is_compiled(source->object)) {
    keep_note(*note, source->object.filename().string(), object, *source, start);
    return source->object;
  }

  // A damaged precompiled header makes g++ fail, or read the headers as text.
  const auto mended = mend_prelude(*compiler, request.prelude, *prelude);
  if (!mended) return Unexpected(mended.error());
  if (*mended) source = preprocess(*compiler, object);
  if (!source) return Unexpected(source.error());
  auto made = make_object(*compiler, object, *source);
  if (made) keep_note(*note, source->object.filename().string(), object, *source, start);
  return made;
}

} // namespace lanewise::sfpi
