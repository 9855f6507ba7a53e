// A document that is open in an editor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "editor/text.h"

namespace lanewise::editor {

/// What a document is written in.
enum class Dialect : std::uint8_t {
  Ours,    ///< assembly of docs/assembly.md, one thread
  Tile,    ///< the same with .thread: three threads
  Vendors, ///< what sfpi-gcc and objdump print
  Words,   ///< in hexadecimal
  Kernel,  ///< C++ that uses SFPI or TTI_ macros
  Other    ///< C++ and assembly of something else: nothing is said about it
};

struct Document {
  std::string uri;
  std::string
      name; ///< the path of its file; of a document without one a name that tells what it is
  std::int64_t version = 0;
  Text text;
};

/// The document that an editor opens. `language` tells what it is where its name does not.
Document make_document(std::string uri, std::string_view language, std::int64_t version,
                       std::string text);

/// By the name, and of assembly by its directives.
Dialect dialect_of(const Document& document);

/// The path of a file: URI, with %XX as bytes; nothing else of a URI of another kind is changed.
std::string path_of(std::string_view uri);

} // namespace lanewise::editor
