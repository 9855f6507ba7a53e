// One table, its forms, and what its columns do to the alignment.
#include "report/table/table.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

using report::ColumnKind;
using report::Table;

Table fruit() {
  return {.columns = {{"name"}, {"count", ColumnKind::Number}, {"share", ColumnKind::Bar}, {""}},
          .rows = {{"fig", "7", {"70 %", 0.7}, "ripe"}, {"pear", "1234567", {"30 %", 0.3}, ""}}};
}

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_EQ(report::table_text(fruit()),
            "name    count\n"
            "fig         7  ripe\n"
            "pear  1234567\n");
}

TEST(Table, HasNoLineOfHeadingsWhereAllAreEmpty) {
  const Table table{.columns = {{}, {}}, .rows = {{"a", "b"}, {"long", "c"}}, .indent = 2};
  EXPECT_EQ(report::table_text(table), "  a     b\n  long  c\n");
}

TEST(Table, WidthsHaveLimitsAndWiderCellsPush) {
  const Table table{.columns = {{.least = 3, .most = 3}, {.gap = " | "}},
                    .rows = {{"a", "x"}, {"four", "y"}}};
  EXPECT_EQ(report::table_text(table), "a   | x\nfour | y\n");
}

TEST(Table, CharactersCountNotBytes) {
  const Table table{.columns = {{}, {}}, .rows = {{"\u00b5", "1"}, {"ab", "2"}}};
  EXPECT_EQ(report::table_text(table), "\u00b5   1\nab  2\n");
}

TEST(Table, GroupsStandAboveTheirColumns) {
  const Table table{.groups = {{""}, {"both", 2}},
                    .columns = {{"x"}, {"left", ColumnKind::Number}, {"right"}},
                    .rows = {{"1", "2", "3"}}};
  EXPECT_EQ(report::table_text(table),
            "   -- both ---\n"
            "x  left  right\n"
            "1     2  3\n");
}

TEST(Table, IsEmptyWithoutRowsButInMarkdown) {
  const Table table{.title = "Fruit", .columns = {{"name"}, {"count", ColumnKind::Number}}};
  EXPECT_EQ(report::table_text(table), "");
  EXPECT_EQ(report::table_html(table), "");
  EXPECT_EQ(report::table_markdown(table), "| name | count |\n|------|------:|\n");
}

TEST(Table, MarkdownKeepsColumnsAligned) {
  EXPECT_EQ(report::table_markdown(fruit()),
            "| name |   count |      |\n"
            "|------|--------:|------|\n"
            "| fig  |       7 | ripe |\n"
            "| pear | 1234567 |      |\n");
}

TEST(Table, PagesShowBarsAndEscapeText) {
  const Table table{.columns = {{"a<b"}, {"share", ColumnKind::Bar}},
                    .rows = {{"&", {"70 %", 0.7}}}};
  EXPECT_EQ(
      report::table_html(table),
      "<div class=\"scroll\"><table><tr><th>a&lt;b</th><th class=\"bar\">share</th></tr>"
      "<tr><td>&amp;</td><td class=\"bar\" title=\"70 %\"><div style=\"width:70%\"></div></td>"
      "</tr></table></div>");
}

} // namespace
} // namespace lanewise
