// The one way in which processes that work for a user's kernel are confined. docs/security.md says
// what holds where.
#pragma once

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/system_calls.h"

namespace lanewise {

using SignalHandler = void (*)(int, siginfo_t*, void*);

/// How a process is confined.
struct Confinement {
  Policy policy = Policy::Tool;
  std::filesystem::path folder = {}; ///< Compiler: the one in which it may write files; "" for none
  std::vector<int> kept_files = {};  ///< descriptors that stay open besides the standard streams;
                                     ///< the first is where the process puts its result
  SignalHandler on_attempt = nullptr; ///< Kernel: handler of SIGSYS, which calls attempted_call()
};

/// What this system gives for confinement.
struct ConfinementLayers {
  bool filters_calls = false; ///< seccomp
  int landlock = 0;           ///< the version of its interface
};
ConfinementLayers confinement_layers();

/// In words: "system calls are filtered (seccomp), files and signals are kept from it (Landlock
/// 7)". Says which layer is not there.
std::string layers_text();

/// For a process that was just forked: a session and a process group of its own, no core files, no
/// descriptors but those that are its own, and all the layers that this system has. Allocates
/// nothing. False if one of those layers cannot be had after all: nothing of a user's may run then.
/// `call_note` is where the number of a call that was trapped is left; it may be nullptr.
/// Precondition: prepare_confinement() was called before the fork.
[[nodiscard]] bool confine(const Confinement& how, int* call_note);
void prepare_confinement(Policy policy);

/// For a handler of SIGSYS: the number of the call that the process must not make. Nothing if that
/// is to go on after all: it has blocked signals, which is carried out for all but SIGSYS, so that
/// what a library tries meanwhile is told with its place. Allocates nothing.
std::optional<int> attempted_call(const siginfo_t& info, void* context);

/// The sentences about a call: what was tried by `who` ("the kernel"), and what to do.
std::string attempt_message(const std::string& who, int call);
inline constexpr const char* kAttemptRemedy =
    "leave that out; kernels run confined (docs/security.md)";

} // namespace lanewise
