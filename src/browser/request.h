// What a page asks of the module, and what it is told: JSON in, JSON out.
#pragma once

#include <string>
#include <string_view>

namespace lanewise::browser {

/// The answer to one request, an object whose "ask" is one of
///   command  "arguments", the words behind 'lanewise', and "files", {NAME: TEXT}, which are there
///            for this request only; {NAME: {"bytes": TEXT}} has a byte in each character (U+0000
///            to U+00FF). The answer has "status", the exit status, "output" and "messages": what
///            the command prints on standard output and standard error; and "files", {NAME: TEXT},
///            what it has written or changed, if that is text.
///   kernel   what a page begins with (report::workbench_start()).
///   program  a WorkbenchRequest and "name", which tells what the text is (execution::ProgramFile);
///            of a kernel in C++ its "recording", too (docs/recordings.md): the answer of
///            report::Workbench::program().
///   errors   the same, of report::Workbench::errors().
/// Of anything else it has "error", a sentence; and "ended" where the module is not to be asked
/// again.
std::string answer(std::string_view request);

} // namespace lanewise::browser
