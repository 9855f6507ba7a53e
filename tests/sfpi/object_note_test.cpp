// What a note says has to be as it was for an object to be taken without g++.
#include "source/sfpi/object_note.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "sfpi/kernel_files.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

const FileTime kStart = FileTime::clock::now();

class Notes : public ::testing::Test {
 protected:
  /// A file that was written some time before the start.
  std::string write(const std::string& name, const std::string& text = "",
                    seconds before = seconds(60)) {
    const std::string file = folder.write(name, text);
    fs::last_write_time(file, kStart - before);
    // A new file changes its folder; here all of them have stood for a while.
    for (const char* each : {"first", "second", "first/sub", "second/sub"}) {
      std::error_code none;
      fs::last_write_time(folder.path() / each, kStart - seconds(60), none);
    }
    return file;
  }

  void note(const std::string& marked) {
    const std::vector<std::string> flags{"-O1", "-I" + (folder.path() / "first").string(),
                                         "-iquote" + (folder.path() / "second").string()};
    write_note(here, "object.so", "# 1 \"<stdin>\"\n# 1 \"/\"\n# 1 \"" + marked + "\" 1\nint x;\n",
               flags, kStart);
  }

  TemporaryFolder folder;
  ObjectNote here{.file = folder.path() / "note", .settled = folder.path() / "settled"};
};

TEST_F(Notes, HoldWhileNothingChanges) {
  const std::string header = write("second/sub/a.h", "1");
  write("first/b.h");
  EXPECT_EQ(noted_result(here), std::nullopt);
  note(header);
  EXPECT_EQ(noted_result(here), "object.so");
  write("second/sub/a.h", "22");
  EXPECT_EQ(noted_result(here), std::nullopt) << "another length";
  write("second/sub/a.h", "1", seconds(50));
  EXPECT_EQ(noted_result(here), std::nullopt) << "another time";
  write("second/sub/a.h", "1");
  EXPECT_EQ(noted_result(here), "object.so");
  fs::remove(header);
  EXPECT_EQ(noted_result(here), std::nullopt) << "gone";
}

// What is compiled at the same time sees one state of a file.
TEST_F(Notes, OfOneTimeSeeTheSameFiles) {
  const std::string header = write("second/sub/a.h", "1");
  write("first/b.h");
  note(header);
  FileStates states;
  EXPECT_EQ(states.of(folder.path() / "first/c.h"), "-");
  EXPECT_EQ(noted_result(here, states), "object.so");
  write("second/sub/a.h", "22");
  write("first/c.h");
  EXPECT_EQ(noted_result(here, states), "object.so");
  EXPECT_EQ(states.of(folder.path() / "first/c.h"), "-");
  FileStates later;
  EXPECT_EQ(noted_result(here, later), std::nullopt);
  EXPECT_NE(later.of(folder.path() / "first/c.h"), "-");
}

TEST_F(Notes, EndWithAFileThatWouldBeFoundFirst) {
  const std::string header = write("second/sub/a.h", "1");
  write("first/b.h");
  note(header);
  folder.write("first/c.h", "");
  EXPECT_EQ(noted_result(here), std::nullopt) << "a folder of -I";
  write("first/b.h");
  EXPECT_EQ(noted_result(here), "object.so");
  fs::create_directories(folder.path() / "first/sub");
  write("first/b.h");
  EXPECT_EQ(noted_result(here), std::nullopt) << "a folder of the file's name in one of -I";
}

// The folder above one of -I may be /tmp, in which somebody writes all the time.
TEST_F(Notes, OfANameThatGoesUpHoldWhileTheFolderAboveChanges) {
  write("apart/a.h", "1");
  write("first/b.h");
  fs::create_directories(folder.path() / "apart/in");
  const std::vector<std::string> flags{"-I" + (folder.path() / "first").string(),
                                       "-I" + (folder.path() / "apart/in").string()};
  fs::last_write_time(folder.path() / "apart/in", kStart - seconds(60));
  fs::last_write_time(folder.path(), kStart);
  write_note(here, "object.so",
             "# 1 \"/\"\n# 1 \"" + (folder.path() / "apart/in/../a.h").string() + "\" 1\n", flags,
             kStart);
  ASSERT_EQ(noted_result(here), "object.so") << "the folder above is young";
  folder.write("other.h", "");
  fs::last_write_time(folder.path(), kStart - seconds(5));
  EXPECT_EQ(noted_result(here), "object.so") << "another file there";
  folder.write("a.h", "2");
  EXPECT_EQ(noted_result(here), std::nullopt) << "first/../a.h would be found first";
  fs::remove(folder.path() / "a.h");
  EXPECT_EQ(noted_result(here), "object.so");
  write("apart/a.h", "22");
  EXPECT_EQ(noted_result(here), std::nullopt) << "the file itself";
}

TEST_F(Notes, AreNotWrittenOfWhatIsYoung) {
  write("first/b.h");
  note(write("second/a.h", "1", seconds(0)));
  EXPECT_FALSE(fs::exists(here.file));
  note(folder.write("settled/a.h", "1"));
  EXPECT_EQ(noted_result(here), "object.so") << "what is named by what it holds may be young";
}

} // namespace
} // namespace lanewise::sfpi
