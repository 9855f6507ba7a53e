// The kernel of tests/elf/programs/, compiled: what is read of it, and what its functions push.
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/source_line.h"
#include "binary/elf/call.h"
#include "binary/elf/code.h"
#include "binary/elf/memory.h"
#include "elf/elf_fixture.h"

namespace lanewise::elf {
namespace {

constexpr std::uint32_t kLoad = 0x70000000, kLoadImmediate = 0x71100000, kNop = 0x8F000000,
                        kStore = 0x72000000;

std::string kernel_source() {
  return source_file("kernel.c");
}

class KernelElf : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_RISCV_TOOLS();
    image_ = image_of(compiled(kernel_source(), GetParam()));
  }

  Expected<CallResult> called(const std::string& text, Arch arch = Arch::Blackhole) const {
    const auto wanted = parse_call(text);
    if (!wanted) return Unexpected(wanted.error());
    const auto function = find_function(image_, wanted->function);
    if (!function) return Unexpected(function.error());
    return call(image_, *function, wanted->arguments, arch, {.most_instructions = 100'000});
  }
  std::vector<std::uint32_t> words(const std::string& text) const {
    const auto result = called(text);
    EXPECT_TRUE(result) << to_string(result.error());
    std::vector<std::uint32_t> words;
    if (result) {
      for (const ProgramWord& word : result->program.words) words.push_back(word.word);
    }
    return words;
  }
  std::string error(const std::string& text, Arch arch = Arch::Blackhole) const {
    const auto result = called(text, arch);
    EXPECT_FALSE(result);
    return result ? "" : to_string(result.error());
  }

  Image image_;
};

using Words = std::vector<std::uint32_t>;

TEST_P(KernelElf, PushesWhatTheCodeAndTheStoresSay) {
  EXPECT_EQ(words("straight()"), (Words{kLoad, kLoadImmediate | 7, kStore}));
  EXPECT_EQ(words("straight"), (Words{kLoad, kLoadImmediate | 7, kStore}));
}

TEST_P(KernelElf, LoopsCallsAndTablesRun) {
  EXPECT_EQ(words("loop(2)"), (Words{kLoad, kLoadImmediate, kLoad, kLoadImmediate + 1}));
  EXPECT_EQ(words("loop(-1)"), Words{});
  EXPECT_EQ(words("calls(3, 0x10)"), (Words{kLoadImmediate + 3, kLoadImmediate + 3,
                                            kLoadImmediate + 16, kLoadImmediate + 16}));
  EXPECT_EQ(words("table(0)"), (Words{kLoadImmediate + 10}));
  EXPECT_EQ(words("table(1)"), (Words{kNop}));
  EXPECT_EQ(words("table(2)"), (Words{kLoadImmediate + 30, kLoadImmediate + 30}));
  EXPECT_EQ(words("table(4)"), words("loop(2)"));
  EXPECT_EQ(words("table(5)"), words("calls(1, 2)"));
  EXPECT_EQ(words("table(7)"), (Words{kLoadImmediate + 99}));
}

/// Data, read-only data and the stack: squares[3] + 5 + 6.
TEST_P(KernelElf, MemoryIsTheFilesAndTheStack) {
  const auto result = called("memory(3)");
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->returned, 20U);
}

TEST_P(KernelElf, PushesHaveTheirSourceLines) {
  const auto result = called("straight()");
  ASSERT_TRUE(result);
  const std::string source = kernel_source();
  const auto line_of = [&](const char* text) {
    const auto end = source.begin() + static_cast<std::ptrdiff_t>(source.find(text));
    return static_cast<std::uint32_t>(std::count(source.begin(), end, '\n') + 1);
  };
  // The assembler gives a .word, which is data to it, the line of what stands before: only stores
  // have their own here.
  const auto first = source_place(result->program.words[0].line);
  EXPECT_TRUE(first.file.ends_with("program.c")) << first.file;
  EXPECT_EQ(first.line, line_of("void straight"));
  EXPECT_EQ(source_place(result->program.words[1].line).line, line_of("REGISTER(0xFFE40000)"));
}

TEST_P(KernelElf, ConfigurationBecomesSettings) {
  const auto result = called("configures()");
  ASSERT_TRUE(result) << to_string(result.error());
  const auto set =
      std::ranges::find(result->program.config, "ALU_ACC_CTRL_Fp32_enabled", &ConfigSetting::name);
  ASSERT_NE(set, result->program.config.end());
  EXPECT_EQ(set->value, 1U);
  ASSERT_EQ(result->notes.size(), 1U);
  EXPECT_NE(result->notes[0].find("word 160"), std::string::npos);
  EXPECT_NE(error("configures_late()").find("after 1 instructions"), std::string::npos);
}

TEST_P(KernelElf, MopConfigurationStandsBeforeItsWord) {
  const auto result = called("expands()");
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_EQ(result->program.mop.size(), 1U);
  EXPECT_EQ(result->program.mop[0].before, 1U);
  EXPECT_EQ(result->program.mop[0].index, 2);
  EXPECT_EQ(result->program.mop[0].value, kNop);
  EXPECT_EQ(result->program.words.size(), 2U);
}

TEST_P(KernelElf, WhatIsMissingIsNamedWithItsPlace) {
  const std::string mailbox = error("waits_for_mailbox()");
  EXPECT_NE(mailbox.find("mailboxes"), std::string::npos) << mailbox;
  EXPECT_NE(mailbox.find("waits_for_mailbox"), std::string::npos) << mailbox;
  EXPECT_NE(mailbox.find("program.c:"), std::string::npos) << mailbox;
  EXPECT_NE(error("never_ends()").find("not done after 100000 instructions"), std::string::npos);
  EXPECT_NE(error("spins()").find("not done after"), std::string::npos);
  EXPECT_NE(error("breaks()").find("ebreak"), std::string::npos);
  EXPECT_NE(error("reads_cycle()").find("MCYCLE"), std::string::npos);
}

/// ISA BabyRISCV: Wormhole's cores are RV32IM, Blackhole's have CSRs, and mhartid is 0.
TEST_P(KernelElf, ChipsDifferInTheirCores) {
  const auto hart = called("reads_hart()");
  ASSERT_TRUE(hart) << to_string(hart.error());
  EXPECT_EQ(hart->returned, 0U);
  EXPECT_NE(error("reads_hart()", Arch::Wormhole).find("Zicsr"), std::string::npos);
}

TEST_P(KernelElf, NamesThatAreNotThereAreHelped) {
  EXPECT_NE(error("straigth()").find("did you mean straight"), std::string::npos);
  EXPECT_NE(error("straight(a)").find("'a' is no integer"), std::string::npos);
  EXPECT_NE(error("straight(1,2,3,4,5,6,7,8,9)").find("at most 8"), std::string::npos);
  EXPECT_NE(error("straight(4294967296)").find("no integer"), std::string::npos);
}

/// Every word of code belongs to one function, targets lie in the code, and the FIFO's stores are
/// found.
TEST_P(KernelElf, CodeIsSortedIntoFunctions) {
  const auto functions = functions_of(image_, Arch::Blackhole);
  std::uint32_t end = 0;
  for (const Function& function : functions) {
    EXPECT_GE(function.symbol.address, end);
    EXPECT_EQ(function.words.size() * 4, function.symbol.size);
    end = function.symbol.address + function.symbol.size;
    for (const CodeWord& word : function.words) {
      EXPECT_NE(word.kind, WordKind::Unknown) << fmt::format("{:08x}", word.word);
      if (word.target) {
        EXPECT_TRUE(code_word(image_, *word.target));
      }
    }
  }
  const auto straight = find_function(image_, "straight");
  ASSERT_TRUE(straight);
  const Function code = code_of(image_, *straight, Arch::Blackhole);
  EXPECT_GE(std::ranges::count(code.words, WordKind::Tensix, &CodeWord::kind), 2);
  EXPECT_EQ(code.words.back().flow, riscv::Flow::Return);
}

INSTANTIATE_TEST_SUITE_P(Optimised, KernelElf, ::testing::Values("-O0", "-O1", "-O2", "-Os"));

/// With optimisation, the address and the word of a store stand in one block.
TEST(CalledMemory, AWordMayLieInTwoSegments) {
  Image image;
  image.segments = {{.address = 0x1000, .size = 6, .bytes = {1, 2, 3, 4, 5, 6}},
                    {.address = 0x1006, .size = 6, .bytes = {7, 8, 9, 10}}};
  Memory memory(image, Arch::Wormhole);
  EXPECT_EQ(memory.load(0x1000, 4), 0x04030201U);
  EXPECT_EQ(memory.load(0x1004, 4), 0x08070605U);
  EXPECT_EQ(memory.load(0x1008, 4), 0x00000A09U); // zeros behind the file's bytes
  EXPECT_EQ(memory.load(0x100A, 4), std::nullopt);
  EXPECT_TRUE(memory.store(0x1004, 4, 0xDDCCBBAA));
  EXPECT_EQ(memory.load(0x1004, 2), 0xBBAAU);
  EXPECT_EQ(memory.load(0x1006, 2), 0xDDCCU);
  EXPECT_FALSE(memory.store(0x100A, 4, 0xFFFFFFFF));
  EXPECT_EQ(memory.load(0x100A, 2), 0U) << "a store that is refused leaves nothing";
}

TEST(CallText, NumbersOf32BitsWithAndWithoutASign) {
  const auto numbers = [](const std::string& text) {
    const auto parsed = parse_call(text);
    return parsed ? parsed->arguments : std::vector<std::uint32_t>{};
  };
  EXPECT_EQ(numbers("f(0xFFFFFFFF, -2147483648, -0x1)"),
            (std::vector<std::uint32_t>{0xFFFFFFFF, 0x80000000, 0xFFFFFFFF}));
  for (const char* text : {"f(-2147483649)", "f(-0xFFFFFFFF)", "f(4294967296)", "f(1x)", "f(--1)"})
    EXPECT_FALSE(parse_call(text).has_value()) << text;
}

TEST(CallText, EightArgumentsHaveARegister) { // RISC-V calling convention: a0 to a7
  const auto eight = parse_call("f(1, 2, 3, 4, 5, 6, 7, 8)");
  ASSERT_TRUE(eight.has_value());
  EXPECT_EQ(eight->arguments.size(), 8U);
  const auto nine = parse_call("f(1, 2, 3, 4, 5, 6, 7, 8, 9)");
  ASSERT_FALSE(nine.has_value());
  EXPECT_NE(nine.error().message.find("9 arguments"), std::string::npos);
}

// A readable name has the type in front where the function is made of a template.
TEST(CallText, AFunctionIsNamedWithItsTemplateArguments) {
  const Image image{.name = "f.elf",
                    .functions = {{"_Z1fILi8EiEvi", "void ns::f<8, int>(int)", 0x6000, 4}}};
  for (const char* name : {"ns::f<8, int>", "_Z1fILi8EiEvi", "void ns::f<8, int>(int)"})
    EXPECT_TRUE(find_function(image, name).has_value()) << name;
  EXPECT_FALSE(find_function(image, "int>").has_value());
}

TEST(KernelCode, StoresToTheFifoAreFound) {
  SKIP_WITHOUT_RISCV_TOOLS();
  const Image image = image_of(compiled(kernel_source()));
  const Function code = code_of(image, *find_function(image, "straight"), Arch::Blackhole);
  Words pushed;
  for (const CodeWord& word : code.words) {
    if (word.pushes() && word.tensix) pushed.push_back(*word.tensix);
  }
  EXPECT_EQ(pushed, (Words{kLoad, kLoadImmediate | 7, kStore}));
}

/// Files cut at every length, and files with changed bytes: an image or one error, and nothing
/// else.
TEST(HostileElf, EndsInOneError) {
  SKIP_WITHOUT_RISCV_TOOLS();
  const std::string whole = compiled(kernel_source());
  for (std::size_t size = 0; size < whole.size(); size += size < 200 ? 1 : 37) {
    const auto image = read_image(std::string_view(whole).substr(0, size), "cut.elf");
    if (image)
      functions_of(*image, Arch::Blackhole);
    else
      EXPECT_EQ(image.error().file, "cut.elf");
  }
  for (std::size_t i = 0; i < whole.size(); i += 11) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0xFF);
    const auto image = read_image(changed, "changed.elf");
    if (image) functions_of(*image, Arch::Wormhole);
  }
}

TEST(HostileElf, OtherFilesAreRefusedByName) {
  EXPECT_NE(to_string(read_image("SFPNOP\n", "x.tt").error()).find("does not begin as one"),
            std::string::npos);
  std::ifstream in("/proc/self/exe", std::ios::binary);
  const std::string own{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(to_string(read_image(own, "own").error()).find("32-bit little-endian RISC-V"),
            std::string::npos);
}

/// The message for a file of which a part was changed.
template <class Change>
std::string message_of(std::string bytes, const Change& change) {
  Elf32_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  change(header, bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  const auto image = read_image(bytes, "changed.elf");
  return image ? std::string() : to_string(image.error());
}

TEST(HostileElf, TablesAreNamed) {
  SKIP_WITHOUT_RISCV_TOOLS();
  const std::string whole = compiled(kernel_source());
  const auto says = [&](const char* part, const auto& change) {
    const std::string message = message_of(whole, change);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says("table of sections ends behind the end of the file",
       [](Elf32_Ehdr& header, std::string& bytes) {
         header.e_shoff = static_cast<Elf32_Off>(bytes.size() - 1);
       });
  says("program header ends behind the end of the file",
       [](Elf32_Ehdr& header, std::string&) { header.e_phoff = 0xFFFFFFF0; });
  says("program header has entries of 56 bytes, not of 32",
       [](Elf32_Ehdr& header, std::string&) { header.e_phentsize = 56; });
  says("its header is damaged",
       [](Elf32_Ehdr& header, std::string&) { header.e_ident[EI_VERSION] = EV_NONE; });
  says("32-bit little-endian RISC-V",
       [](Elf32_Ehdr& header, std::string&) { header.e_machine = EM_ARM; });
  says("two symbol tables", [](Elf32_Ehdr& header, std::string& bytes) {
    // Another section becomes one: its type is the second word of its header.
    constexpr Elf32_Word kType = SHT_SYMTAB;
    std::memcpy(&bytes[header.e_shoff + header.e_shentsize + 4], &kType, sizeof kType);
  });
}

TEST(HostileElf, ObjectsAreNotLinked) {
  SKIP_WITHOUT_RISCV_TOOLS();
  const auto image = read_image(compiled(kernel_source(), "-c"), "kernel.o");
  ASSERT_FALSE(image);
  EXPECT_NE(to_string(image.error()).find("no linked program"), std::string::npos);
}

} // namespace
} // namespace lanewise::elf
