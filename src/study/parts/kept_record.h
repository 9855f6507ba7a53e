// What comes out of a record of a part's file.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>

#include "base/fault.h"

namespace lanewise::parts {

/// What `read` gives. Error: BadInput with `name`, the file, where it throws: the record has not
/// what it should have.
template <class Read>
auto kept_record(const std::string& name, const Read& read) -> Expected<decltype(read())> {
  try {
    return read();
  } catch (const std::exception& error) { // of the JSON, or of what it says
    Unexpected fault = bad_input(fmt::format("a record of this makes no sense: {}", error.what()),
                                 "do this part anew");
    fault.value().file = name;
    return fault;
  }
}

} // namespace lanewise::parts
