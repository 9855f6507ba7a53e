// What is added to g++'s messages.
#include "source/sfpi/compile_hints.h"

#include <gtest/gtest.h>

#include "source/sfpi/source_tokens.h"

namespace lanewise::sfpi {
namespace {

constexpr std::string_view kSomeError = "kernel.cpp:9:1: error: expected '}' at end of input";
constexpr std::string_view kNoKernel = "--entry:1:1: error: 'kernel' was not declared";

std::string hint(std::string_view text, std::string_view messages = kSomeError) {
  return compile_hint({}, text, messages);
}

TEST(SourceTokens, LeaveOutCommentsLiteralsAndDirectives) {
  std::string words;
  for (const SourceToken& token : source_tokens("#define v_if \\\n v_if\n"
                                                "a1 // v_if\n/* v_if\n */ + \"v_if \\\" v_if\" 'x' "
                                                "1'000 b"))
    words += std::string(token.text) + ":" + std::to_string(token.line) + " ";
  EXPECT_EQ(words, "a1:3 +:5 1'000:5 b:5 ");
}

TEST(SourceTokens, EndAnywhere) {
  for (const std::string_view text : {"/*", "\"", "'", "\\", "#\\", "//", "a\"\\", ""})
    EXPECT_LE(source_tokens(text).size(), 1U) << text;
}

TEST(CompileHints, NameThePredicateThatIsNotClosed) {
  EXPECT_EQ(hint("void kernel() {\n v_if (a) {\n }\n v_endif;\n v_if (b) {\n }\n}\n"),
            "the v_if of line 5 has no v_endif: close it, and the braces are right");
  EXPECT_EQ(hint("v_if (a) { v_block { v_and(b); } v_endblock; }"),
            "the v_if of line 1 has no v_endif: close it, and the braces are right");
  EXPECT_EQ(hint("v_block {\n v_and(b); }\n"),
            "the v_block of line 1 has no v_endblock: close it, and the braces are right");
  EXPECT_EQ(hint("v_if (a) { } v_endif;\nv_endif;\n"),
            "the v_endif of line 2 closes no v_if or v_block");
  EXPECT_EQ(hint("v_if (a) { } v_elseif (b) { } v_else { } v_endif; // v_if\n"), "");
}

TEST(CompileHints, NameTheOptionForAHeader) {
  EXPECT_EQ(hint("#include \"deep/thing.h\"\n",
                 "kernel.cpp:1:10: fatal error: deep/thing.h: No such file or directory\n"),
            "name the folder of deep/thing.h with --include");
}

TEST(CompileHints, SuggestCallsOfTheFunctionsThatAreThere) {
  EXPECT_EQ(hint("namespace ckernel { namespace sfpu {\n"
                 "inline void helper(vFloat x) { f(x); }\n"
                 "template <bool APPROX> inline void _init_foo_() {}\n"
                 "template <bool APPROX, int ITERATIONS>\n"
                 "inline void _calculate_foo_(const int n, uint p = 3) { void* q; }\n"
                 "void declared(int);\n"
                 "}}\n",
                 kNoKernel),
            "there is no function kernel() without parameters; try --call "
            "'_calculate_foo_<true, 8>(8)' --init '_init_foo_<true>()', or --call 'helper(...)'");
  EXPECT_EQ(hint("int answer() { return 42; }", kNoKernel),
            "there is no function kernel() without parameters; name the kernel with --entry or "
            "--call");
  EXPECT_EQ(hint("void kernel() { undeclared(); }"), "");
}

} // namespace
} // namespace lanewise::sfpi
