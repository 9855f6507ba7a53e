// Comparisons release by release: the edges, written down from the vendor's compiler (docs/
// comparisons.md names the sources), and the tables of that page.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "oracle/compared_pairs.h"
#include "project.h"

namespace lanewise::oracle {
namespace {

constexpr std::uint32_t kNan = 0x7FC00000, kInf = 0x7F800000, kMax = 0x7F7FFFFF, kUnit = 0x3F800000,
                        kNormal = 0x00800000, kDenormal = 0x00000001, kSign = 0x80000000;
constexpr std::uint32_t kIntMin = 0x80000000, kIntMax = 0x7FFFFFFF;

/// The releases of each set of rules: the first, one in between, the last.
struct Rules {
  std::string_view name;
  std::vector<int> epochs;
};
const Rules kA{"5.0 to 7.69", {500, 738, 769}};
const Rules kB{"7.70 to 7.74", {770, 771, 774}};
const Rules kC{"7.75 and later", {775, 778, 779, 780}};

/// What every release of the rules says, which must be the same.
std::string said(const Rules& rules, ComparedBy by, std::uint32_t left, std::uint32_t right) {
  std::string first;
  for (const int epoch : rules.epochs) {
    by.epoch = epoch;
    const std::string found = relations_of(by, left, right);
    if (first.empty()) first = found;
    EXPECT_EQ(found, first) << "epoch " << epoch;
  }
  return first;
}

/// A pair of numbers, and the relations between them under the three sets of rules.
struct Edge {
  std::uint32_t left, right;
  std::string_view a, b, c;
};

void expect_edges(const ComparedBy& by, const std::vector<Edge>& edges) {
  for (const Edge& edge : edges) {
    SCOPED_TRACE(
        fmt::format("{} {:08X} {:08X}", arch_params(by.arch).names.full, edge.left, edge.right));
    EXPECT_EQ(said(kA, by, edge.left, edge.right), edge.a);
    EXPECT_EQ(said(kB, by, edge.left, edge.right), edge.b);
    EXPECT_EQ(said(kC, by, edge.left, edge.right), edge.c);
  }
}

TEST(Comparisons, OrdinaryNumbersAreInOrderInEveryRelease) {
  for (const Arch arch : kArchs) {
    const ComparedBy by{arch, 0, NumberType::Float};
    expect_edges(by, {{kUnit, kUnit, ".=.", ".=.", ".=."},
                      {kUnit, kNormal, "..>", "..>", "..>"},
                      {kSign | kUnit, kUnit, "<..", "<..", "<.."},
                      {kMax, kSign | kMax, "..>", "..>", "..>"}, // the difference overflows
                      {kSign | kMax, kMax, "<..", "<..", "<.."},
                      {kInf, kUnit, "..>", "..>", "..>"},
                      {kSign | kInf, kUnit, "<..", "<..", "<.."}});
  }
}

/// Wormhole's SFPMAD gives +0 for every zero, and a NaN with the sign of what it came from, the
/// product first (VU 3.2).
TEST(Comparisons, EdgesOfFloatsOnWormhole) {
  expect_edges({Arch::Wormhole, 0, NumberType::Float},
               {{kNan, kNan, "<..", "<.>", "<=>"}, // the product -NaN decides, either way
                {kInf, kInf, "<..", "<.>", "<=>"}, // Inf - Inf
                {kNan, kUnit, "..>", "..>", "..>"},
                {kSign | kNan, kUnit, "<..", "<..", "<.."},
                {kSign, 0, ".=.", ".=.", "..."},
                {0, kSign, ".=.", ".=.", "..."},
                {kDenormal, kDenormal + 1, ".=.", ".=.", "..."},
                {kNormal, kNormal + 1, ".=.", ".=.", "..."}}); // closer than 2^-126
}

/// Blackhole's SFPMAD keeps the sign of a zero, and makes every NaN positive (VU 3.1).
TEST(Comparisons, EdgesOfFloatsOnBlackhole) {
  expect_edges({Arch::Blackhole, 0, NumberType::Float},
               {{kNan, kNan, "..>", "...", ".=."},
                {kInf, kInf, "..>", "...", ".=."},
                {kNan, kUnit, "..>", "...", "..>"},
                {kSign | kNan, kUnit, "..>", "...", "<.."},
                {kSign, 0, "<..", "<..", "<.."}, // -0 - +0 = -0
                {0, kSign, ".=.", ".=>", "..>"}, // +0 - -0 = +0, but -0 - +0 = -0
                {kDenormal, kDenormal + 1, ".=.", ".=.", "<.."}});
}

TEST(Comparisons, EdgesOfTheLiteralZero) {
  for (const Arch arch : kArchs) {
    const bool is_blackhole = arch == Arch::Blackhole;
    const ComparedBy by{arch, 0, NumberType::Float, 0U};
    expect_edges(by, {{0, 0, ".=.", ".=.", ".=."},
                      {kUnit, 0, "..>", "..>", "..>"},
                      {kSign, 0, "<..", "<..", "<.."},
                      {kSign | kUnit, 0, "<..", "<..", "<.."},
                      // `> 0` takes a difference, which flushes.
                      {kDenormal, 0, "..>", "...", is_blackhole ? "..>" : "..."},
                      {kNan, 0, "..>", is_blackhole ? "..." : "..>", "..>"}});
  }
}

TEST(Comparisons, IntegersAtADistanceOf2To31) {
  for (const Arch arch : kArchs) {
    for (const NumberType type : {NumberType::Int, NumberType::UInt}) {
      expect_edges({arch, 0, type}, {{3, 4, "<..", "<..", "<.."},
                                     {4, 4, ".=.", ".=.", ".=."},
                                     {0xFFFFFFFF, 0xFFFFFFFB, "..>", "..>", "..>"},
                                     {0xFFFFFFFF, 1, "<..", "<..", "<.."}, // as -1
                                     {0, kIntMin, "<..", "<.>", "<.>"},
                                     {kIntMin, 0, "<..", "<.>", "<.>"},
                                     {kIntMax, 0xFFFFFFFF, "<..", "<.>", "<.>"},
                                     {kIntMax, 0xFFFFFFFE, "<..", "<..", "<.."}}); // overflow
      expect_edges({arch, 0, type, 0U}, {{kIntMin, 0, "<..", "<.>", "<.>"},
                                         {kIntMin + 1, 0, "<..", "<..", "<.."},
                                         {kIntMax, 0, "..>", "..>", "..>"}});
    }
  }
}

// -------------------------------------------------------------------- all pairs

struct Special {
  std::string_view name;
  std::uint32_t bits;
};
constexpr std::array kFloats{Special{"-NaN", kSign | kNan},
                             Special{"-Inf", kSign | kInf},
                             Special{"-max", kSign | kMax},
                             Special{"-1", kSign | kUnit},
                             Special{"-nrm", kSign | kNormal},
                             Special{"-den", kSign | kDenormal},
                             Special{"-0", kSign},
                             Special{"+0", 0},
                             Special{"+den", kDenormal},
                             Special{"+nrm", kNormal},
                             Special{"+1", kUnit},
                             Special{"+max", kMax},
                             Special{"+Inf", kInf},
                             Special{"+NaN", kNan}};
constexpr std::array kIntegers{Special{"MIN", kIntMin},   Special{"MIN+1", kIntMin + 1},
                               Special{"-1", 0xFFFFFFFF}, Special{"0", 0},
                               Special{"1", 1},           Special{"MAX-1", kIntMax - 1},
                               Special{"MAX", kIntMax}};

std::vector<std::uint32_t> bits_of(std::span<const Special> specials) {
  std::vector<std::uint32_t> all;
  for (const Special& each : specials) all.push_back(each.bits);
  return all;
}

/// Every relation between every two of the numbers, row by row.
std::vector<std::string> all_pairs(const Rules& rules, ComparedBy by,
                                   std::span<const Special> numbers) {
  std::vector<Pair> pairs;
  for (const std::uint32_t left : bits_of(numbers)) {
    for (const std::uint32_t right : bits_of(numbers)) pairs.push_back({left, right});
  }
  std::vector<std::string> first;
  for (const int epoch : rules.epochs) {
    by.epoch = epoch;
    const std::vector<std::string> found = relations_of(by, pairs);
    if (first.empty()) first = found;
    EXPECT_EQ(found, first) << "epoch " << epoch;
  }
  return first;
}

/// A literal is a vector with the same number in every lane, but for the 0 among floats.
TEST(Comparisons, ALiteralIsLikeAVector) {
  for (const Arch arch : kArchs) {
    for (const int epoch : {738, 770, 771, 775, 779}) {
      const auto expect_same = [&](NumberType type, std::span<const Special> numbers) {
        const std::vector<std::uint32_t> all = bits_of(numbers);
        for (const Special& literal : numbers) {
          if (type == NumberType::Float && literal.bits == 0) continue;
          std::vector<Pair> pairs;
          for (const std::uint32_t left : all) pairs.push_back({left, literal.bits});
          EXPECT_EQ(relations_of({arch, epoch, type, literal.bits}, pairs),
                    relations_of({arch, epoch, type}, pairs))
              << arch_params(arch).names.full << " epoch " << epoch << " " << literal.name;
        }
      };
      expect_same(NumberType::Float, kFloats);
      expect_same(NumberType::Int, kIntegers);
    }
  }
}

TEST(Comparisons, BlackholeSince775HasTheTotalOrder) {
  const std::vector<std::string> found =
      all_pairs(kC, {Arch::Blackhole, 0, NumberType::Float}, kFloats); // kFloats are in that order
  for (std::size_t i = 0; i < kFloats.size(); ++i) {
    for (std::size_t j = 0; j < kFloats.size(); ++j) {
      EXPECT_EQ(found[i * kFloats.size() + j], i < j    ? "<.."
                                               : i == j ? ".=."
                                                        : "..>")
          << kFloats[i].name << " " << kFloats[j].name;
    }
  }
}

// -------------------------------------------------------------------- the page

std::string matrix(const std::vector<std::string>& found, std::span<const Special> numbers) {
  std::string text = fmt::format("{:5}", "a\\b");
  for (const Special& right : numbers) text += fmt::format(" {:>5}", right.name);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += fmt::format("\n{:5}", numbers[i].name);
    for (std::size_t j = 0; j < numbers.size(); ++j)
      text += fmt::format(" {:>5}", found[i * numbers.size() + j]);
  }
  return text + "\n";
}

std::string block(std::string_view title, const std::string& text) {
  return fmt::format("{}\n\n```text\n{}```\n\n", title, text);
}

/// One row per number, one column per chip and set of rules.
std::string against_zero() {
  std::string text = fmt::format("{:5}", "a");
  std::vector<std::vector<std::string>> columns;
  for (const Arch arch : {Arch::Wormhole, Arch::Blackhole}) {
    for (const Rules* rules : {&kA, &kB, &kC}) {
      text += fmt::format("  {} {:14}", arch_params(arch).names.id, rules->name);
      std::vector<std::string> column;
      for (const Special& left : kFloats)
        column.push_back(said(*rules, {arch, 0, NumberType::Float, 0U}, left.bits, 0));
      columns.push_back(std::move(column));
    }
  }
  for (std::size_t i = 0; i < kFloats.size(); ++i) {
    std::string line = fmt::format("\n{:5}", kFloats[i].name);
    for (const auto& column : columns) line += fmt::format("  {:17}", column[i]);
    text += line;
  }
  std::string trimmed;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    trimmed += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return trimmed;
}

std::string tables() {
  std::string text;
  for (const Arch arch : {Arch::Wormhole, Arch::Blackhole}) {
    for (const Rules* rules : {&kA, &kB, &kC}) {
      text += block(fmt::format("`vFloat`, {}, {}:", arch_params(arch).names.full, rules->name),
                    matrix(all_pairs(*rules, {arch, 0, NumberType::Float}, kFloats), kFloats));
    }
  }
  text += block("`vFloat` and the literal 0 on the right:", against_zero());
  for (const Rules* rules : {&kA, &kB}) {
    std::vector<std::string> first;
    for (const Arch arch : kArchs) {
      for (const NumberType type : {NumberType::Int, NumberType::UInt}) {
        for (const Rules* same : {rules, rules == &kA ? &kA : &kC}) {
          const std::vector<std::string> found = all_pairs(*same, {arch, 0, type}, kIntegers);
          if (first.empty()) first = found;
          EXPECT_EQ(found, first);
        }
      }
    }
    text += block(fmt::format("`vInt` and `vUInt`, both chips, {}:",
                              rules == &kA ? "5.0 to 7.69" : "7.70 and later"),
                  matrix(first, kIntegers));
  }
  return text;
}

const std::string kPage = in_project("docs/comparisons.md");
constexpr std::string_view kBegin =
    "<!-- tables, written by tests/oracle/comparisons_test.cpp -->\n\n";
constexpr std::string_view kEnd = "<!-- end of tables -->";

/// LANEWISE_BLESS=1 writes the tables into the page instead.
TEST(Comparisons, ThePageHasTheTables) {
  std::ifstream stream{std::string(kPage)};
  std::string page{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::size_t first = begin + kBegin.size();
  const char* bless = std::getenv("LANEWISE_BLESS");
  if (bless != nullptr && std::string_view(bless) == "1") {
    page.replace(first, end - first, tables());
    std::ofstream(std::string(kPage), std::ios::binary) << page;
    return;
  }
  EXPECT_EQ(page.substr(first, end - first), tables());
}

} // namespace
} // namespace lanewise::oracle
