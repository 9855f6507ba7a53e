// The recorder behind sfpi.h: the C interface of lanewise_recorder.h in front of a
// RecordingBuilder, with the place in the kernel that each operation comes from.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "source/sfpi/call_stack.h"
#include "source/sfpi/include/lanewise_recorder.h"
#include "source/sfpi/recording_builder.h"

namespace lanewise::sfpi {

/// Why a recording ended before the kernel did.
struct Failure {
  Mistake mistake;
  std::uint32_t stack = 0; ///< index into RawRecording::stacks

  friend bool operator==(const Failure&, const Failure&) = default;
};

/// A recording whose places are still addresses: Node::site is an index into `stacks`.
struct RawRecording {
  compiler::Recording recording;
  std::vector<CallStack> stacks{CallStack{}}; ///< all different; the first is the empty one
  std::optional<Failure> failure;
};

class Recorder {
 public:
  Recorder(Arch arch, std::string name);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// What a kernel's `lanewise_current_recorder` must point to; valid as long as the recorder.
  lanewise_recorder* abi() { return &abi_; }

  /// Calls the kernel and comes back when it returns, throws, or breaks a rule. In the last case
  /// the kernel's frames are left without destructors, since those of v_if would go on recording.
  void run(const std::function<void()>& kernel);

  /// What went wrong first. Outside of run(), operations that break a rule return kLanewiseNone,
  /// and nothing is recorded any more.
  const std::optional<Failure>& failure() const { return failure_; }

  /// Where the kernel was at its last operation.
  const CallStack& last_stack() const { return stack_; }

  /// The frame of run(), where the kernel's part of the stack ends; nullptr while no kernel runs.
  const void* outermost_frame() const { return outermost_; }

  /// What has been recorded; the recorder is empty afterwards.
  RawRecording take();

 private:
  std::uint32_t node(const lanewise_node* node, const void* frame, const void* called_from);
  std::uint32_t assign(std::uint32_t old_value, std::uint32_t value, std::uint32_t declared,
                       const void* frame, const void* called_from);
  std::uint32_t text(const char* text);

  /// Follows the frame pointers of the kernel's functions from `frame` to where run() began.
  void walk(const void* frame, const void* called_from);
  std::uint32_t accept(const tl::expected<compiler::Value, Mistake>& result);
  /// Keeps the first mistake.
  void fail(Mistake mistake);
  /// Back to run(), over the kernel's frames. Only where no object of this side is alive.
  void leave_if_failed();

  lanewise_recorder abi_;
  RecordingBuilder builder_;
  CallStacks stacks_;
  CallStack stack_; ///< of the operation at hand
  std::optional<Failure> failure_;
  const void* outermost_ = nullptr;
  std::jmp_buf escape_;
};

} // namespace lanewise::sfpi
