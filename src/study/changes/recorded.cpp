#include "study/changes/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/process.h"
#include "source/sfpi/headers.h"

namespace lanewise::changes {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Processor time and memory of Python: for all variants of a test function of the largest.
constexpr ProcessLimits kPythonLimits{std::chrono::hours(2), std::uint64_t{32} << 30};

std::string bytes_of_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What tests call a chip: "blackhole".
std::string plain_name(Arch arch) {
  std::string name(arch_params(arch).names.family);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

/// A script of Python that fails with the name of the first module that is not there.
constexpr std::string_view kFindModules = R"(
import importlib.util
for name in {}:
    if importlib.util.find_spec(name) is None:
        raise ModuleNotFoundError("No module named " + repr(name))
)";

/// A Python that has what the tests need. Error: BadInput that says what it lacks.
Expected<std::string> find_python() {
  std::vector<std::string> choices;
  if (const char* chosen = std::getenv("PYTHON"); chosen != nullptr && *chosen != '\0') {
    choices = {chosen};
  } else {
    choices = {"python3", "/usr/bin/python3"};
  }
  std::string reason;
  // Every test of the vendor's takes torch; one of another make may do without. To load it would
  // take seconds, to look for it takes none.
  for (const char* modules : {"['pytest', 'torch']", "['pytest']"}) {
    const std::string script = fmt::format(kFindModules, modules);
    for (const std::string& python : choices) {
      auto result = run_process({python, "-c", script}, {}, kPythonLimits);
      if (result && result->succeeded()) return python;
      std::string why = result ? result->err : result.error().message;
      while (why.ends_with('\n')) why.pop_back();
      reason = fmt::format("{}: {}", python, why.substr(why.rfind('\n') + 1));
    }
  }
  return bad_input("no Python has what tests of LLK need: " + reason,
                   "install torch and pytest, or let PYTHON name the Python that has them; "
                   "operations and kernels need none");
}

/// Where the package lies: in the source tree, else where it was installed for that Python.
std::string python_path() {
  const auto headers = sfpi::library_include_folders();
  std::string path;
  if (headers) {
    const fs::path package = headers->front() / "python";
    std::error_code ignored;
    if (fs::is_regular_file(package / "lanewise" / "llk_cases.py", ignored))
      path = package.string();
  }
  const char* before = std::getenv("PYTHONPATH");
  if (before != nullptr && *before != '\0') path += (path.empty() ? "" : ":") + std::string(before);
  return path;
}

std::vector<std::string> command_line(const std::string& python,
                                      const checkouts::Checkout& checkout,
                                      const RecordRequest& request) {
  std::string patterns;
  for (const std::string& each : request.patterns) patterns += each + " ";
  std::vector<std::string> command{
      "env",
      "-C",
      (checkout.llk() / "tests" / "python_tests").string(),
      "CHIP_ARCH=" + plain_name(request.arch),
      "PYTHONPATH=" + python_path(),
      "PYTHONDONTWRITEBYTECODE=1",
      "PYTHONHASHSEED=0", // sets of names have an order of their own in each process
      "OMP_NUM_THREADS=1",
      "LANEWISE_CASES=" + request.folder.string(),
      "LANEWISE_CASES_MATCH=" + patterns};
  // A test that calls the device again goes on with what its first run has left.
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (std::getenv("LANEWISE") == nullptr && !program.empty())
    command.push_back("LANEWISE=" + program.string());
  if (request.variants) {
    command.push_back(fmt::format("LANEWISE_CASES_VARIANTS={}", *request.variants));
  } else {
    command.push_back(fmt::format("LANEWISE_CASES_TOTAL={}", request.total));
  }
  if (request.seconds > 0)
    command.push_back(fmt::format("LANEWISE_CASES_SECONDS={}", request.seconds));
  if (!request.like.empty())
    command.push_back("LANEWISE_CASES_LIKE=" + (request.like / "cases.jsonl").string());
  command.push_back(python);
  for (const char* word :
       {"-m", "pytest", "-p", "lanewise.llk_cases", "-p", "no:cacheprovider", "-p", "no:logging",
        "-q", "--capture=fd", "--tb=line", "--continue-on-collection-errors"})
    command.emplace_back(word);
  command.insert(command.end(), request.files.begin(), request.files.end());
  return command;
}

/// pytest's lines about files that it could not read.
std::vector<std::string> collection_errors(const std::string& text) {
  std::vector<std::string> notes;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (line.starts_with("ERROR ") && line.find("::") == line.npos)
      notes.push_back(line.substr(std::string_view("ERROR ").size()));
    begin = end + 1;
  }
  return notes;
}

std::string last_lines(std::string text, std::size_t most) {
  while (text.ends_with('\n')) text.pop_back();
  return text.size() <= most ? text : "..." + text.substr(text.size() - most);
}

/// "formats": {"A": ...} of JSON, as pairs in their order.
Parameters parameters_of(const json& entry) {
  Parameters parameters;
  for (const auto& [name, value] : entry.items())
    parameters.emplace_back(name, value.get<std::string>());
  return parameters;
}

std::vector<tile::L1Input> read_l1(const fs::path& file) {
  const std::string bytes = bytes_of_file(file);
  std::vector<tile::L1Input> parts;
  for (std::size_t at = 0; at + 8 <= bytes.size();) {
    std::uint32_t address = 0, length = 0;
    std::memcpy(&address, bytes.data() + at, sizeof address);
    std::memcpy(&length, bytes.data() + at + 4, sizeof length);
    at += 8;
    if (length > bytes.size() - at) throw std::out_of_range("a part that is cut off");
    tile::L1Input part{.address = address, .bytes = std::vector<std::byte>(length)};
    std::memcpy(part.bytes.data(), bytes.data() + at, length);
    parts.push_back(std::move(part));
    at += length;
  }
  return parts;
}

std::optional<ResultPlace> place_of(const json& entry) {
  if (entry.is_null()) return std::nullopt;
  ResultPlace place{.address = entry.at("address").get<std::uint32_t>(),
                    .format = entry.at("format").get<std::string>(),
                    .tiles = entry.at("tiles").get<unsigned>(),
                    .tile_bytes = entry.at("tile_bytes").get<unsigned>(),
                    .faces = entry.at("faces").get<unsigned>(),
                    .face_rows = entry.at("face_rows").get<unsigned>()};
  constexpr unsigned kFaceColumns = 16;
  const unsigned across = std::max(1U, entry.at("columns").get<unsigned>() / kFaceColumns);
  place.face_columns = std::min(across, std::max(1U, place.faces));
  const bool is_possible = place.faces >= 1 && place.faces <= 4 && place.face_rows >= 1 &&
                           place.face_rows <= 16 && place.face_columns <= 2;
  return is_possible ? std::optional(place) : std::nullopt;
}

TestCase case_of(const json& entry, const fs::path& folder, Arch arch) {
  const auto number = entry.at("number").get<unsigned>();
  return {.kind = CaseKind::Test,
          .arch = arch,
          .id = entry.at("id").get<std::string>(),
          .group = entry.at("test").get<std::string>(),
          .parameters = parameters_of(entry.at("parameters")),
          .source = entry.at("source").get<std::string>(),
          .build_header = bytes_of_file(folder / fmt::format("{}.build.h", number)),
          .defines = entry.at("defines").get<std::vector<std::string>>(),
          .inputs = read_l1(folder / fmt::format("{}.l1", number)),
          .result = place_of(entry.at("result"))};
}

std::vector<std::string> names_in(const fs::path& file) {
  const json names = json::parse(bytes_of_file(file), nullptr, false);
  return names.is_array() ? names.get<std::vector<std::string>>() : std::vector<std::string>{};
}

} // namespace

Expected<RecordedCases> read_recorded(const fs::path& folder, Arch arch) {
  RecordedCases recorded;
  try {
    std::ifstream stream(folder / "cases.jsonl");
    for (std::string line; std::getline(stream, line);) {
      const json entry = json::parse(line);
      recorded.cases.push_back(case_of(entry, folder, arch));
      if (!entry.at("like").is_null()) recorded.like.push_back(entry.at("like").get<std::string>());
    }
    recorded.left = names_in(folder / "left.json");
    recorded.none = names_in(folder / "none.json");
    recorded.functions = names_in(folder / "functions.json");
  } catch (const std::exception& error) {
    return bad_input(
        fmt::format("the cases in {} are not complete: {}", folder.string(), error.what()));
  }
  return recorded;
}

Expected<void> write_like(const fs::path& folder, const std::vector<TestCase>& cases) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::ofstream stream(folder / "cases.jsonl");
  for (const TestCase& each : cases) {
    json parameters = json::object();
    for (const auto& [name, value] : each.parameters) parameters[name] = value;
    stream << json{{"id", each.id}, {"test", each.group}, {"parameters", parameters}}.dump()
           << "\n";
  }
  stream.close();
  if (!stream) return bad_input("cannot write in " + folder.string(), "look for a full disk");
  return {};
}

Expected<RecordedCases> record_cases(const checkouts::Checkout& checkout,
                                     const RecordRequest& request) {
  if (request.files.empty()) return RecordedCases{};
  const auto python = find_python();
  if (!python) return Unexpected(python.error());
  auto result = run_process(command_line(*python, checkout, request), {}, kPythonLimits);
  if (!result) return Unexpected(result.error());
  std::error_code ignored;
  if (!fs::is_regular_file(request.folder / "cases.jsonl", ignored)) {
    return bad_input(
        fmt::format("pytest went through no test of {}\n{}", checkout.folder().string(),
                    last_lines(result->out + result->err, 1000)),
        "look whether the tests can be collected: docs/llk-tests.md has what they need");
  }
  auto recorded = read_recorded(request.folder, request.arch);
  if (recorded) recorded->notes = collection_errors(result->out);
  return recorded;
}

} // namespace lanewise::changes
