// The files of styles and scripts are in the program as they stand.
#include <gtest/gtest.h>

#include "base/text_file.h"
#include "project.h"
#include "report/atlas/pages.h"
#include "report/elf/page_style.h"
#include "report/page/sortable.h"
#include "report/page/style.h"
#include "report/sweep/style.h"
#include "report/time/style.h"

namespace lanewise {
namespace {

std::string file_text(const std::string& name) {
  return read_text_file(in_project("src/report/" + name)).value_or("");
}

TEST(Embedded, FilesAreInTheProgramByteForByte) {
  EXPECT_EQ(report::page_style(), file_text("page/style.css"));
  EXPECT_EQ(report::sortable_style(), file_text("page/sortable.css"));
  EXPECT_EQ(report::sortable_script(), file_text("page/sortable.js"));
  EXPECT_EQ(report::time_style(), file_text("time/style.css"));
  EXPECT_EQ(report::time_script(), file_text("time/script.js"));
  EXPECT_EQ(report::sweep_colours(), file_text("sweep/colours.css"));
  EXPECT_EQ(report::sweep_pictures(), file_text("sweep/pictures.css"));
  EXPECT_EQ(report::sweep_layout(), file_text("sweep/style.css"));
  EXPECT_EQ(report::atlas_own_style(), file_text("atlas/atlas.css"));
  EXPECT_EQ(report::atlas_own_script(), file_text("atlas/atlas.js"));
  EXPECT_EQ(report::elf_style(), file_text("elf/page.css"));
  EXPECT_EQ(report::elf_script(), file_text("elf/page.js"));
}

TEST(Embedded, PicturesOfTheirOwnUseNoVariables) {
  EXPECT_NE(report::sweep_pictures().find("var("), std::string_view::npos);
  EXPECT_EQ(report::sweep_picture_style().find("var("), std::string::npos);
  EXPECT_EQ(report::sweep_picture_style().find("currentColor"), std::string::npos);
}

} // namespace
} // namespace lanewise
