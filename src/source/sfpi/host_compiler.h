// From a kernel's source to a shared object, by the host's g++; or to a program of a chip's core.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "base/limits.h"
#include "chip/isa/arch.h"
#include "source/sfpi/object_note.h"
#include "source/sfpi/prelude.h"

namespace lanewise::sfpi {

/// What is compiled as it stands.
struct ObjectRequest {
  std::string name;                    ///< the user's file, for messages
  Arch arch = kDefaultArch;            ///< for messages
  std::string text;                    ///< the translation unit
  std::vector<std::string> flags;      ///< of both steps, preprocessing and compiling
  std::vector<std::string> link_flags; ///< of the second step alone
  /// Libraries that it is linked with where the few functions that this process has for every
  /// object are not all that it needs (library_calls.h); those of every C++ program if there are
  /// none here.
  std::vector<std::string> libraries = {};
  /// They are needed for sure: nothing is tried without them.
  bool needs_libraries = false;
  /// What stands for what in the preprocessed text, beyond what every text needs (rewrite.h).
  std::vector<std::pair<std::string, std::string>> replacements = {};
  std::string version;  ///< of what the text does not show: precompiled headers
  ProcessLimits limits; ///< of each of the two steps
  /// Below this folder, files are named by what they hold (object_note.h); or empty.
  std::filesystem::path settled = {};
  /// A linked ELF file for RV32, by Debian's g++ for it, in place of the host's shared object.
  bool for_core = false;
  /// What becomes of g++'s messages about a text that it rejects; without it, they are told whole.
  std::function<Fault(std::string_view)> tell = {};
};

/// The shared object, or the program, of a request, from the cache if the same preprocessed text
/// was compiled with the same flags before; without a process of g++ if no file that it would read
/// has changed since. `states`: of requests that are compiled at the same time. Error: as of
/// compile_kernel().
Expected<std::filesystem::path> compile_object(const ObjectRequest& request, FileStates& states);
Expected<std::filesystem::path> compile_object(const ObjectRequest& request);

/// A request on its way to an object.
struct Preprocessed {
  std::string text; ///< what g++ compiles, with line markers; empty if that was looked at before
  std::filesystem::path object; ///< where its object is, or will be
  std::string seen = {};        ///< what was seen in the text
};

/// What somebody wants to know of a text: a line that depends on the text and its request alone.
using LookAtText = std::function<std::string(std::string_view)>;

/// The two steps of compile_object() by themselves, for who wants to look at the text in between.
/// What was seen is kept: where the object is in the cache and no file that g++ would read has
/// changed since, there is no process of g++. Errors: as there.
Expected<Preprocessed> preprocess_object(const ObjectRequest& request, const LookAtText& look);
Expected<std::filesystem::path> compile_preprocessed(const ObjectRequest& request,
                                                     const Preprocessed& source);

struct CompileRequest {
  PreludeOptions prelude;
  std::string name;                  ///< the kernel's file, for messages
  std::string text;                  ///< the translation unit; includes <lanewise_prelude.h> first
  std::vector<std::string> includes; ///< folders for #include, searched after the prelude's
  std::vector<std::string> defines;  ///< NAME or NAME=VALUE
  std::vector<std::string> flags;    ///< further options of g++
  ProcessLimits limits;              ///< of each of the two steps
};

/// The shared object of a request, from the cache if the same preprocessed text was compiled
/// before. What is damaged there is made again. Error: BadInput; where g++ rejects the text, with
/// what g++ says; or if g++ goes beyond the limits.
Expected<std::filesystem::path> compile_kernel(const CompileRequest& request);

} // namespace lanewise::sfpi
