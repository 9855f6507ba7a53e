// A program's text that is being written, and need not be that of its file yet.
#pragma once

#include <string>

#include "base/private_folder.h"
#include "run/execution/load_program.h"

namespace lanewise::execution {

/// Not to be used from several threads at once.
class UnsavedText {
 public:
  /// `purpose` is part of the name of the folder where g++ finds the text.
  explicit UnsavedText(const std::string& purpose) : folder_(purpose) {}

  /// load_program() for one chip, of `text` in the place of what the file holds. What a kernel
  /// includes still lies beside its file. Messages call the text `shown`. Errors as load_program()
  /// says, and BadInput if the text cannot be written for g++.
  Expected<LoadedProgram> load(ProgramFile file, const std::string& text, Arch arch,
                               const std::string& shown);

 private:
  PrivateFolder folder_;
};

} // namespace lanewise::execution
