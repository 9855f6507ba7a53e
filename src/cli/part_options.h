// --part, --part-file and --resume: long work in parts, and work that goes on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/exit_status.h"
#include "study/parts/shared_work.h"

namespace lanewise::cli {

struct PartOptions {
  std::string part, file; ///< --part, --part-file
  std::string resume;     ///< --resume
};

/// Adds --part and --part-file.
void add_part_option(const Command& command, PartOptions& options);
/// Adds the three.
void add_part_options(const Command& command, PartOptions& options);

/// The work of a command: all of it, a part, or what 'merge' has gathered. `command` names the file
/// of a part where the user does not. Error: BadInput for what contradicts itself, or a file that
/// cannot be written.
Expected<parts::SharedWork> shared_work(const PartOptions& options, std::string_view command);

/// What a part prints instead of a result. `items`: "inputs".
ExitStatus tell_of_part(const parts::SharedWork& work, std::uint64_t done, std::uint64_t all,
                        std::string_view items);

/// How a run that was stopped goes on: "with --resume FILE a sweep can go on where it was stopped".
std::string how_to_go_on(const parts::SharedWork& work, std::string_view name);

/// Words of a command without those that only say how it is run: which part, on how many threads,
/// into which file.
std::vector<std::string> without_run_options(const std::vector<std::string>& words);

/// The words of this command, without these: for the key of work whose options are not in it one by
/// one.
parts::Json command_key();

/// From now on, shared_work() gives these, one at least.
void give_parts(std::vector<parts::PartFile> parts);

} // namespace lanewise::cli
