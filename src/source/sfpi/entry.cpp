#include "source/sfpi/entry.h"

#include <fmt/format.h>

#include "source/sfpi/kernel_object.h"
#include "source/sfpi/locations.h"

namespace lanewise::sfpi {
namespace {

std::string generated_line(const std::string& text) {
  return fmt::format("#line 1 \"{}\"\n{}\n", kGeneratedFile, text);
}

/// Statements of the user, at a place of their own: of an option that is given again, by its
/// number.
std::string statement(const char* option, const std::string& text, std::size_t number = 1) {
  return text.empty() ? "" : fmt::format("#line {} \"{}\"\n{};\n", number, option, text);
}

std::string calls(const KernelSource& source) {
  if (source.calls.empty()) return statement(kEntryPlace, source.entry + "()");
  std::string text;
  for (std::size_t i = 0; i < source.calls.size(); ++i)
    text += statement(kCallOption, source.calls[i], i + 1);
  return text;
}

/// A loop over the faces, so that the statements are compiled once. They have a block of their own,
/// since they may declare variables.
std::string calls_on_faces(const KernelSource& source) {
  const auto loop = [&](unsigned faces, std::string_view next) {
    return generated_line(fmt::format("for (int lanewise_face = 0; lanewise_face < {}; "
                                      "++lanewise_face) {{ if (lanewise_face != 0) {{ {} }} {{",
                                      faces, next)) +
           calls(source) + generated_line("} }");
  };
  constexpr std::string_view kNext = "lanewise_llk::next_face();";
  constexpr std::string_view kNextButOne = "lanewise_llk::next_face(); lanewise_llk::next_face();";
  switch (source.faces) {
    case Faces::Whole: return generated_line("{") + calls(source) + generated_line("}");
    case Faces::R: return loop(2, kNext);
    case Faces::C: return loop(2, kNextButOne);
    case Faces::RC: return loop(4, kNext);
  }
  return "";
}

} // namespace

bool needs_llk(const KernelSource& source) {
  return source.is_header || source.faces != Faces::Whole;
}

std::string entry_text(const KernelSource& source) {
  const bool llk = needs_llk(source);
  std::string text = "#include <lanewise_prelude.h>\n";
  // The prelude is parsed before the kernel's folders are known.
  if (llk) {
    text +=
        "#if __has_include(\"ckernel_sfpu_load_config.h\")\n"
        "#include \"ckernel_sfpu_load_config.h\"\n#endif\n"
        "#include \"llk_sfpu_types.h\"\n";
  }
  if (!source.prologue.empty()) text += generated_line(source.prologue);
  text += generated_line(fmt::format("#include \"{}\"", source.file));
  text += generated_line(fmt::format("extern \"C\" void {}() {{", kEntryName));
  text += generated_line("using namespace sfpi;");
  if (llk) {
    text += generated_line("using namespace ckernel; using namespace ckernel::sfpu;");
    text += generated_line("lanewise_llk::init_unary();");
  }
  if (!source.setup.empty()) text += generated_line(source.setup + ";");
  text += statement(kInitOption, source.init);
  if (llk) text += generated_line("lanewise_llk::start();");
  return text + calls_on_faces(source) + generated_line("}");
}

} // namespace lanewise::sfpi
