#include "study/tune/printed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "base/characters.h"
#include "base/in_quotes.h"
#include "base/private_folder.h"
#include "run/execution/load_program.h"

namespace lanewise::tune {

namespace {

/// Where the functions are pasted into, as short as it can be.
std::string kernel_around(const std::string& text, const std::string& name) {
  return fmt::format(
      "#include \"ckernel.h\"\n#include \"sfpi.h\"\n{}void kernel() {{\n  {}_init();\n  "
      "{}_tile();\n}}\n",
      text, name, name);
}

std::string file_name(Form form) {
  switch (form) {
    case Form::Tti: return "tuned.cpp";
    case Form::Assembly: return "tuned.tt";
    case Form::Words: return "tuned.hex";
  }
  return {};
}

Expected<Plain> read(Arch arch, const execution::ProgramFile& file, const std::string& text) {
  auto loaded = execution::load_program(file, text, std::array{arch});
  if (!loaded) return Unexpected(loaded.error());
  const bool as_kernel = loaded->front().as_kernel();
  return Plain{arch, std::move(loaded->front().program), as_kernel};
}

} // namespace

std::string text_of(const Tuned& tuned, Form form, const std::string& name) {
  switch (form) {
    case Form::Tti: return to_tti(tuned, name);
    case Form::Assembly: return to_assembly(tuned);
    case Form::Words: return to_hex(tuned);
  }
  return {};
}

Expected<Plain> read_printed(Arch arch, Form form, const std::string& text,
                             const std::string& name) {
  execution::ProgramFile file{.name = file_name(form)};
  if (form != Form::Tti) return read(arch, file, text);
  // g++ reads a file.
  const PrivateFolder folder("tuned");
  file.name = (folder.path() / file.name).string();
  const std::string source = kernel_around(text, name);
  std::ofstream(file.name) << source;
  return read(arch, file, source);
}

Expected<void> check_function_name(std::string_view option, const std::string& name) {
  if (!name.empty() && is_name_start(name[0]) && std::ranges::all_of(name, is_name_part)) return {};
  return bad_input(fmt::format("{}: {} is no name of a function in C++", option, in_quotes(name)),
                   "take letters, digits and _, and no digit first");
}

} // namespace lanewise::tune
