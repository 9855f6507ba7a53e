// A page of the documentation, and the samples in it that can be run.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::docs {

/// A command of a console block, with the output that the page shows for it.
struct Command {
  std::string text;                  ///< without "$ "; several lines if they end in a backslash
  std::size_t line = 0;              ///< of the page, from 1
  std::vector<std::string> expected; ///< lines; those that are "..." stand for any lines
  std::size_t first_expected = 0;    ///< index into Document::lines of what is expected
};

/// A sample of a page: a ```console block, or a file that the page tells to save.
struct Sample {
  std::size_t line = 0;          ///< of its fence
  std::string skipped;           ///< the reason, if it is not to be run
  std::vector<Command> commands; ///< of a console block
  std::string saved_as;          ///< name of a file, else empty
  std::string contents;          ///< of that file
};

struct Document {
  std::string name;
  std::vector<std::string> lines;
  std::vector<Sample> samples;
  std::vector<std::string> mistakes; ///< what is wrong with the page itself, with its lines
};

/// Finds the samples of a page in Markdown. A block is left out where the line before it is
/// `<!-- doc-test: skip REASON -->`; a file is a block behind a paragraph that says "Save this as
/// `NAME`".
Document parse_document(std::string name, std::string_view text);

std::vector<std::string> split_lines(std::string_view text);
/// The inverse: every line ends in a newline.
std::string join_lines(const std::vector<std::string>& lines);

} // namespace lanewise::docs
