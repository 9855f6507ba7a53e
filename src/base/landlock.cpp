#include "base/landlock.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "base/file_descriptor.h"

namespace lanewise {
namespace {

// Of <linux/landlock.h>; that of Debian 12 knows less than the Linux that may run.

constexpr std::uint64_t kExecute = 1U << 0, kWriteFile = 1U << 1;
/// Removing and making files of every kind: LANDLOCK_ACCESS_FS_REMOVE_DIR to _MAKE_SYM.
constexpr std::uint64_t kRemoveAndMake = (1U << 13) - (1U << 4);
constexpr std::uint64_t kRefer = 1U << 13, kTruncate = 1U << 14, kDeviceControl = 1U << 15;
constexpr std::uint64_t kBindTcp = 1U << 0, kConnectTcp = 1U << 1;
constexpr std::uint64_t kAbstractSockets = 1U << 0, kSignals = 1U << 1;

/// Versions from which on there is what the names say.
constexpr int kSinceRefer = 2, kSinceTruncate = 3, kSinceTcp = 4, kSinceDevices = 5,
              kSinceScopes = 6;

struct RulesetAttributes {
  std::uint64_t files = 0, network = 0, scopes = 0;
};

struct [[gnu::packed]] BeneathAttributes {
  std::uint64_t allowed;
  std::int32_t folder;
};

constexpr unsigned kAskVersion = 1, kRuleBeneath = 1;

RulesetAttributes attributes(int version, bool runs_programs) {
  RulesetAttributes all{.files = kWriteFile | kRemoveAndMake};
  if (!runs_programs) all.files |= kExecute;
  if (version >= kSinceRefer) all.files |= kRefer;
  if (version >= kSinceTruncate) all.files |= kTruncate;
  if (version >= kSinceDevices) all.files |= kDeviceControl;
  if (version >= kSinceTcp) all.network = kBindTcp | kConnectTcp;
  if (version >= kSinceScopes) all.scopes = kAbstractSockets | kSignals;
  return all;
}

/// An older Linux wants to see no more than it knows.
std::size_t known_bytes(int version) {
  if (version >= kSinceScopes) return sizeof(RulesetAttributes);
  if (version >= kSinceTcp) return offsetof(RulesetAttributes, scopes);
  return offsetof(RulesetAttributes, network);
}

bool allow_beneath(int ruleset, const char* path, std::uint64_t what) {
  const FileDescriptor place(::open(path, O_PATH | O_CLOEXEC));
  const BeneathAttributes beneath{.allowed = what, .folder = place.number()};
  return place.is_open() &&
         ::syscall(SYS_landlock_add_rule, ruleset, kRuleBeneath, &beneath, 0) == 0;
}

} // namespace

int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

bool give_up_files(const char* folder, bool runs_programs) {
  const int version = landlock_version();
  if (version == 0) return false;
  const RulesetAttributes all = attributes(version, runs_programs);
  const FileDescriptor ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &all, known_bytes(version), 0)));
  if (!ruleset.is_open()) return false;
  if (*folder != '\0') {
    if (!allow_beneath(ruleset.number(), folder, all.files)) return false;
    // Programs throw away there what they need not.
    allow_beneath(ruleset.number(), "/dev/null", kWriteFile);
  }
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_landlock_restrict_self, ruleset.number(), 0) == 0;
}

} // namespace lanewise
