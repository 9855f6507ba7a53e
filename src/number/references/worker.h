// A process that evaluates a user's function, so that a crash or an endless loop stays in there.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/fault.h"
#include "base/file_descriptor.h"

namespace lanewise::references {

/// Inputs that go to the process at once.
inline constexpr std::size_t kWorkerBlock = 4096;

/// The address space that the process may use, in bytes.
inline constexpr std::uint64_t kWorkerMemory = std::uint64_t{2} << 30;

/// What a program has to contain besides the function `reference`, which stands before it: main(),
/// which takes blocks out of shared memory. Refused by static_assert with kNoReference where there
/// is no such function.
std::string worker_source();
inline constexpr const char* kNoReference = "lanewise: the file has no function 'reference'";

class ReferenceWorker {
 public:
  /// Starts a program made with worker_source(); `program` is an open file.
  /// `patience` is what the start and each block may take.
  /// Error: BadInput if there can be no more processes, or the program ends before it is asked.
  static Expected<std::unique_ptr<ReferenceWorker>> start(const FileDescriptor& program,
                                                          std::chrono::milliseconds patience);
  ReferenceWorker(const ReferenceWorker&) = delete;
  ReferenceWorker& operator=(const ReferenceWorker&) = delete;
  ~ReferenceWorker();

  /// 1 or 2.
  unsigned operands() const { return operands_; }

  /// The function at up to kWorkerBlock points; `y` may be empty.
  /// Error: BadInput that says at which point it crashed or did not come back. The worker is then
  /// of no use any more.
  Expected<void> evaluate(std::span<const double> x, std::span<const double> y,
                          std::span<double> results);

 private:
  struct SharedBlock;
  /// How waiting for an answer ended.
  enum class Answer { Came, Ended, TooLate };

  explicit ReferenceWorker(std::chrono::milliseconds patience) : patience_(patience) {}
  bool make_shared_block();
  bool spawn(const FileDescriptor& program, const FileDescriptor& theirs);
  Answer wait_for_answer(unsigned char& byte);
  /// "was ended by SIGSEGV", after the process has ended.
  std::string end_of_process();
  std::string failure(Answer answer);

  std::chrono::milliseconds patience_;
  FileDescriptor memory_, socket_;
  SharedBlock* block_ = nullptr;
  pid_t process_ = -1;
  unsigned operands_ = 0;
};

} // namespace lanewise::references
