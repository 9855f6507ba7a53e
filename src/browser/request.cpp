#include "browser/request.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <vector>

#include "base/text_file.h"
#include "base/version.h"
#include "cli/colour.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "report/page/page.h"
#include "report/workbench/workbench.h"
#include "source/sfpi/recording_file.h"

namespace lanewise::browser {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Folders of the module's own memory: that in which a command runs, and that of what it prints.
constexpr const char* kFolder = "/request";
constexpr const char* kOutput = "/printed/output";
constexpr const char* kMessages = "/printed/messages";
/// A program whose request names none.
constexpr const char* kProgram = "program.tt";

using Files = std::map<std::string, std::string>; ///< contents by name

/// A command line, and the files that it names.
struct Call {
  std::vector<std::string> arguments;
  Files files;
};

/// The bytes that characters up to U+00FF stand for, in UTF-8; nothing if there are others.
std::optional<std::string> bytes_of(std::string_view characters) {
  std::string bytes;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const auto first = static_cast<unsigned char>(characters[i]);
    if (first < 0x80) {
      bytes.push_back(characters[i]);
    } else if (first <= 0xC3 && i + 1 < characters.size()) {
      const auto second = static_cast<unsigned char>(characters[++i]);
      bytes.push_back(static_cast<char>((first & 3U) << 6 | (second & 0x3FU)));
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

/// What a request says of a file.
std::optional<std::string> contents_of(const json& file) {
  if (file.is_string()) return file.get<std::string>();
  const json bytes = file.is_object() ? file.value("bytes", json()) : json();
  return bytes.is_string() ? bytes_of(bytes.get_ref<const std::string&>()) : std::nullopt;
}

std::optional<Call> parse_call(const json& object) {
  const json arguments = object.value("arguments", json());
  const json files = object.value("files", json::object());
  Call call{.arguments = {"lanewise"}, .files = {}};
  if (!arguments.is_array() || !files.is_object()) return std::nullopt;
  for (const json& word : arguments) {
    if (!word.is_string()) return std::nullopt;
    call.arguments.push_back(word.get<std::string>());
  }
  for (const auto& [name, file] : files.items()) {
    std::optional<std::string> contents = contents_of(file);
    if (!contents || fs::path(name).filename() != name) return std::nullopt;
    call.files[name] = *std::move(contents);
  }
  return call;
}

/// The folder as the request wants it: with its files and no others.
void make_folder(const Files& files) {
  std::error_code ignored;
  fs::current_path("/", ignored);
  fs::remove_all(kFolder, ignored);
  fs::create_directories(kFolder, ignored);
  fs::create_directories(fs::path(kOutput).parent_path(), ignored);
  fs::current_path(kFolder, ignored);
  for (const auto& [name, contents] : files) {
    if (std::FILE* file = std::fopen(name.c_str(), "wb"); file != nullptr) {
      std::fwrite(contents.data(), 1, contents.size(), file);
      std::fclose(file);
    }
  }
}

cli::ExitStatus run(std::vector<std::string>& arguments) {
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr); // as main() has it
  cli::remember_command(static_cast<int>(arguments.size()), words.data());
  cli::choose_colours("auto"); // whatever the command before has chosen
  cli::CommandLine line({words.data(), arguments.size()},
                        [] { return fmt::format("lanewise {}", version()); });
  cli::add_commands(line);
  try {
    return line.run();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return cli::fail(error);
  }
}

std::string printed(const char* file) {
  return read_text_file(file).value_or("");
}

/// The text files of the folder that the request has not brought.
json written_files(const Files& files) {
  json written = json::object();
  std::error_code ignored;
  for (const fs::directory_entry& each : fs::directory_iterator(kFolder, ignored)) {
    const std::string name = each.path().filename().string();
    std::string text = printed(each.path().c_str());
    const auto given = files.find(name);
    const bool is_new = given == files.end() || given->second != text;
    if (is_new && report::valid_utf8(text) == text) written[name] = std::move(text);
  }
  return written;
}

json error_of(const std::string& what) {
  return {{"error", what}};
}

json run_command(const json& object) {
  std::optional<Call> call = parse_call(object);
  if (!call) return error_of("a command has 'arguments', a list of words, and 'files', by name");
  make_folder(call->files);
  std::freopen(kOutput, "wb", stdout);
  std::freopen(kMessages, "wb", stderr);
  const cli::ExitStatus status = cli::finish_output(run(call->arguments));
  std::fflush(stderr);
  return {{"status", static_cast<int>(status)},
          {"output", printed(kOutput)},
          {"messages", printed(kMessages)},
          {"files", written_files(call->files)}};
}

/// The workbench of a program of that name and recording, which keeps what it has worked out.
report::Workbench& workbench_of(const std::string& name, const std::string& recording) {
  static std::optional<report::Workbench> kept;
  static std::string kept_recording;
  if (!kept || kept->name() != name || kept_recording != recording) {
    kept_recording = recording;
    std::vector<report::ChipFile> files;
    files.reserve(kArchs.size());
    for (const Arch arch : kArchs) files.push_back({arch, {.name = name}});
    kept.emplace(name, std::move(files));
  }
  return *kept;
}

json ask_workbench(const std::string& what, const json& object, std::string_view text) {
  const auto request = report::parse_workbench_request(text);
  if (!request) return error_of(to_string(request.error()));
  const std::string name = object.value("name", kProgram);
  const json recording = object.value("recording", json(""));
  if (!recording.is_string() || fs::path(name).filename() != name)
    return error_of("a program has a name without folders, and its recording is a text");
  Files files;
  if (!recording.empty()) files[name + std::string(sfpi::kRecordingEnding)] = recording;
  make_folder(files);
  report::Workbench& workbench = workbench_of(name, recording);
  return what == "program" ? workbench.program(*request)
                           : workbench.errors(*request, [] { return true; });
}

/// What an exception has left behind is worth nothing: most rooms are compiled without them.
json end_of(const std::string& why) {
  json answer = error_of(fmt::format("the module has ended, since {}; it starts again", why));
  answer["ended"] = true;
  return answer;
}

json answer_to(std::string_view text) {
  const json object = json::parse(text, nullptr, false);
  const json what = object.is_object() ? object.value("ask", json()) : json();
  const json name = object.is_object() ? object.value("name", json(kProgram)) : json();
  if (!what.is_string() || !name.is_string())
    return error_of("the request does not say what it asks");
  if (what == "kernel") return report::workbench_start(kProgram, nullptr, "", {});
  if (what == "command") return run_command(object);
  if (what == "program" || what == "errors")
    return ask_workbench(what.get<std::string>(), object, text);
  return error_of("the request asks for what there is not");
}

} // namespace

std::string answer(std::string_view request) {
  json answer;
  try {
    answer = answer_to(request);
  } catch (const std::bad_alloc&) {
    answer = end_of("there is no memory left for what it was asked");
  } catch (const std::exception& error) {
    answer = end_of(error.what());
  }
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace lanewise::browser

/// For JavaScript: `request` ends in a zero, and so does the answer, which stays until the next
/// one.
extern "C" const char* lanewise_request(const char* request) {
  static std::string kept;
  kept = lanewise::browser::answer(request);
  return kept.c_str();
}
