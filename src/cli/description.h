// What there is to say about commands and their options: help, man pages and completions are made
// of it.
#pragma once

#include <string>
#include <vector>

namespace lanewise::cli {

/// An option of a command, or a word that it takes.
struct OptionDescription {
  std::vector<std::string> names; ///< "-o", "--out"; "program" of a word
  std::string value; ///< what stands behind it: "FILE", or its values "asm|words"; "" = nothing
  std::string help;  ///< may have lines
  std::string group; ///< the heading under which it stands; "" = none
  bool more = false; ///< a short help only names it
  bool word = false; ///< it is a word, and its name is not written
  bool required = false;
  bool repeatable = false;
  std::vector<std::string> excludes = {}; ///< options that may not stand beside it

  /// "--out"; of two names the longer one.
  const std::string& long_name() const { return names.back(); }
  /// "-o,--out FILE ...".
  std::string form() const;
  /// The values that its `value` lists; empty if any text will do.
  std::vector<std::string> choices() const;
};

struct CommandDescription {
  std::string name;
  std::string summary;
  std::string footer;
  std::vector<OptionDescription> options;

  /// "lanewise run [options] [program]".
  std::string usage() const;
};

/// Those of `options` that a help shows under one heading: words first, then each heading where its
/// first option stands.
struct OptionGroup {
  std::string heading;
  bool more = false;
  std::vector<const OptionDescription*> options;
};
std::vector<OptionGroup> groups_of(const CommandDescription& command);

} // namespace lanewise::cli
