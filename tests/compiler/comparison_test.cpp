// The instructions of each comparison, release by release, as the vendor's expected assembly has
// them (docs/comparisons.md, "What it costs").
#include "source/compiler/comparison.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "chip/isa/encoding.h"
#include "run/oracle/kernel_writer.h"
#include "source/compiler/compiler.h"

namespace lanewise::compiler {
namespace {

/// What a predicate is made of: mnemonics without "SFP", with Mod1; loads, stores, copies and waits
/// left out.
std::string predicate(Arch arch, int epoch, NumberType type, Relation relation,
                      std::optional<std::uint32_t> literal) {
  oracle::KernelWriter w(arch);
  const auto a = w.load(0), b = w.load(2);
  w.begin_if(w.compare(a, relation, literal ? w.constant(*literal) : b, type));
  w.store(a, 4);
  w.store(b, 6);
  w.end_if();
  Recording recording = w.take();
  recording.epoch = epoch;
  std::string text;
  for (const ProgramWord& each : compile(recording, {}).program.words) {
    const isa::Decoded decoded = isa::decode(arch, each.word);
    switch (decoded.row->op) {
      case isa::Op::SFPMAD:
      case isa::Op::SFPSETCC:
      case isa::Op::SFPIADD:
      case isa::Op::SFPGT:
      case isa::Op::SFPLE:
        text += fmt::format("{} {}, ", decoded.row->mnemonic.substr(3), decoded["Mod1"]);
        break;
      case isa::Op::SFPCOMPC: text += "COMPC, "; break;
      default: break;
    }
  }
  return text.substr(0, text.size() - std::min<std::size_t>(text.size(), 2));
}

struct Row {
  Relation relation;
  std::string_view a, b_wh, b_bh, c_wh, c_bh, d_bh;
};

void expect_rows(NumberType type, std::optional<std::uint32_t> literal,
                 const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const auto expect = [&](Arch arch, int epoch, std::string_view wanted) {
      EXPECT_EQ(predicate(arch, epoch, type, row.relation, literal), wanted)
          << arch_params(arch).names.id << " " << epoch << " relation "
          << static_cast<unsigned>(row.relation);
    };
    for (const int epoch : {500, 738, 769}) {
      expect(Arch::Wormhole, epoch, row.a);
      expect(Arch::Blackhole, epoch, row.a);
    }
    expect(Arch::Wormhole, 774, row.b_wh);
    expect(Arch::Blackhole, 774, row.b_bh);
    for (const int epoch : {775, 778, 779, 780}) expect(Arch::Wormhole, epoch, row.c_wh);
    for (const int epoch : {775, 778}) expect(Arch::Blackhole, epoch, row.c_bh);
    for (const int epoch : {779, 780}) expect(Arch::Blackhole, epoch, row.d_bh);
  }
}

TEST(ComparisonWords, Floats) {
  expect_rows(NumberType::Float, std::nullopt,
              {{Relation::LT, "MAD 0, SETCC 0", "MAD 0, SETCC 0", "MAD 1, SETCC 0",
                "MAD 0, SETCC 0", "GT 1", "GT 1"},
               {Relation::GE, "MAD 0, SETCC 4", "MAD 0, SETCC 4", "MAD 1, SETCC 4",
                "MAD 0, SETCC 4", "LE 1", "LE 1"},
               {Relation::GT, "MAD 0, SETCC 4, SETCC 2", "MAD 0, SETCC 0", "MAD 1, SETCC 0",
                "MAD 0, SETCC 0", "GT 1", "GT 1"},
               {Relation::LE, "MAD 0, SETCC 4, SETCC 2, COMPC", "MAD 0, SETCC 4", "MAD 1, SETCC 4",
                "MAD 0, SETCC 4", "LE 1", "LE 1"},
               {Relation::EQ, "MAD 0, SETCC 6", "MAD 0, SETCC 6", "MAD 1, SETCC 6",
                "IADD 6, SETCC 6", "IADD 6, SETCC 6", "LE 1, LE 1"},
               {Relation::NE, "MAD 0, SETCC 2", "MAD 0, SETCC 2", "MAD 1, SETCC 2",
                "IADD 6, SETCC 2", "IADD 6, SETCC 2", "IADD 6, SETCC 2"}});
}

TEST(ComparisonWords, FloatsAndZero) {
  expect_rows(NumberType::Float, 0U,
              {{Relation::LT, "SETCC 0", "SETCC 0", "SETCC 0", "SETCC 0", "GT 1", "GT 1"},
               {Relation::GE, "SETCC 4", "SETCC 4", "SETCC 4", "SETCC 4", "LE 1", "LE 1"},
               {Relation::EQ, "SETCC 6", "SETCC 6", "SETCC 6", "SETCC 6", "SETCC 6", "SETCC 6"},
               {Relation::NE, "SETCC 2", "SETCC 2", "SETCC 2", "SETCC 2", "SETCC 2", "SETCC 2"},
               {Relation::GT, "SETCC 4, SETCC 2", "MAD 0, SETCC 0", "MAD 1, SETCC 0",
                "MAD 0, SETCC 0", "GT 1", "GT 1"},
               {Relation::LE, "SETCC 4, SETCC 2, COMPC", "MAD 0, SETCC 4", "MAD 1, SETCC 4",
                "MAD 0, SETCC 4", "LE 1", "LE 1"}});
}

TEST(ComparisonWords, Integers) {
  for (const NumberType type : {NumberType::Int, NumberType::UInt}) {
    expect_rows(
        type, std::nullopt,
        {{Relation::LT, "IADD 2", "IADD 2", "IADD 2", "IADD 2", "IADD 2", "IADD 2"},
         {Relation::GE, "IADD 10", "IADD 10", "IADD 10", "IADD 10", "IADD 10", "IADD 10"},
         {Relation::GT, "IADD 10, SETCC 2", "IADD 2", "IADD 2", "IADD 2", "IADD 2", "IADD 2"},
         {Relation::LE, "IADD 10, SETCC 2, COMPC", "IADD 10", "IADD 10", "IADD 10", "IADD 10",
          "IADD 10"},
         {Relation::EQ, "IADD 6, SETCC 6", "IADD 6, SETCC 6", "IADD 6, SETCC 6", "IADD 6, SETCC 6",
          "IADD 6, SETCC 6", "LE 1, LE 1"},
         {Relation::NE, "IADD 6, SETCC 2", "IADD 6, SETCC 2", "IADD 6, SETCC 2", "IADD 6, SETCC 2",
          "IADD 6, SETCC 2", "IADD 6, SETCC 2"}});
    expect_rows(
        type, 0U,
        {{Relation::LT, "SETCC 0", "SETCC 0", "SETCC 0", "SETCC 0", "SETCC 0", "SETCC 0"},
         {Relation::EQ, "SETCC 6", "SETCC 6", "SETCC 6", "SETCC 6", "SETCC 6", "SETCC 6"},
         {Relation::GT, "SETCC 4, SETCC 2", "IADD 2", "IADD 2", "IADD 2", "IADD 2", "IADD 2"},
         {Relation::LE, "SETCC 4, SETCC 2, COMPC", "IADD 10", "IADD 10", "IADD 10", "IADD 10",
          "IADD 10"}});
  }
}

TEST(ComparisonWords, IntegersAndAnImmediate) {
  expect_rows(
      NumberType::Int, 5U,
      {{Relation::LT, "IADD 1", "IADD 1", "IADD 1", "IADD 1", "IADD 1", "IADD 1"},
       {Relation::GE, "IADD 9", "IADD 9", "IADD 9", "IADD 9", "IADD 9", "IADD 9"},
       // Since 7.71 a > 5 is a - 6 >= 0, without a register for 5.
       {Relation::GT, "IADD 9, SETCC 2", "IADD 9", "IADD 9", "IADD 9", "IADD 9", "IADD 9"},
       {Relation::LE, "IADD 9, SETCC 2, COMPC", "IADD 1", "IADD 1", "IADD 1", "IADD 1", "IADD 1"},
       {Relation::EQ, "IADD 5, SETCC 6", "IADD 5, SETCC 6", "IADD 5, SETCC 6", "IADD 5, SETCC 6",
        "IADD 5, SETCC 6", "IADD 5, SETCC 6"}});
  for (const Arch arch : kArchs) {
    EXPECT_EQ(predicate(arch, 770, NumberType::Int, Relation::GT, 5U), "IADD 2");
    EXPECT_EQ(predicate(arch, 770, NumberType::Int, Relation::LE, 5U), "IADD 10");
  }
}

// ---------------------------------------------------------------- releases

TEST(Epochs, AsUsersWriteThem) {
  for (const auto& [text, epoch] :
       {std::pair{"7.38", 738}, std::pair{"738", 738}, std::pair{"7.75.1", 775},
        std::pair{"5.0", 500}, std::pair{"500", 500}, std::pair{"7.80", 780}}) {
    const auto found = parse_epoch(text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(*found, epoch) << text;
  }
  EXPECT_EQ(epoch_text(738), "7.38");
  EXPECT_EQ(epoch_text(500), "5.0");
}

TEST(Epochs, OthersAreRefused) {
  for (const char* text : {"", "7", "7.8", "7.37", "7.81", "6.12", "7.38.", ".738", "7.380", "-738",
                           "+738", "7.-38", "7.38.1.1", "99999999999", "7.38 ", "738x", "v7.38"}) {
    const auto found = parse_epoch(text);
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error().kind, FaultKind::BadInput);
    EXPECT_NE(to_string(found.error()).find("7.38 to 7.80"), std::string::npos);
  }
}

} // namespace
} // namespace lanewise::compiler
